/**
 * Owns the list of what happens on a click or a choice: one line each.
 */

import { auditAnybody, auditNewest, auditOlder, auditPerson, auditSection } from '../audit-log/actions.js';
import { madeChange, madeShare, madeShareAgreed } from '../barcode-image/actions.js';
import { actionIds } from '../bolt/ids.js';
import type { Registry } from '../bolt/routing/router.js';
import { listBack, listBeside, listMenu, listMore, listNames, listPage } from '../browse/actions.js';
import { postAcknowledge } from '../channel-posts/acknowledge-action.js';
import { postActions } from '../channel-posts/ids.js';
import { postLookup } from '../channel-posts/lookup-action.js';
import { muteStop, postMute, watchStop } from '../channel-posts/watches/mute-actions.js';
import {
  accessOpen,
  connectDatabases,
  connectOpen,
  connectReplace,
  disconnectOpen,
  statusOpen,
} from '../connection/actions.js';
import { databaseAdd, databaseAll, databaseMove } from '../connection/databases/databases-actions.js';
import { lookupAgain } from '../lookup/again-action.js';
import { editDatabase, lookupChange, lookupUndo } from '../lookup/edit/change-actions.js';
import { lookupPage, lookupScans } from '../lookup/scans-actions.js';
import { lookupShare, lookupShareAgreed } from '../lookup/share-action.js';
import {
  relayChange,
  relayEndSecret,
  relayFormRedraw,
  relayList,
  relayManage,
  relayNew,
  relayPage,
  relayPause,
  relayRemove,
  relayReplay,
  relayResume,
  relayRotate,
} from '../relays/actions.js';

export function registerActions(registry: Registry): void {
  registry.action(actionIds.connectOpen, connectOpen);
  registry.action(actionIds.connectReplace, connectReplace);
  registry.action(actionIds.connectDatabases, connectDatabases);
  registry.action(actionIds.databaseMove, databaseMove);
  registry.action(actionIds.databaseAdd, databaseAdd);
  registry.action(actionIds.databaseAll, databaseAll);
  registry.action(actionIds.disconnectOpen, disconnectOpen);
  registry.action(actionIds.statusOpen, statusOpen);
  registry.action(actionIds.accessOpen, accessOpen);
  registry.action(actionIds.lookupShare, lookupShare);
  registry.action(actionIds.lookupShareAgreed, lookupShareAgreed);
  registry.action(actionIds.lookupScans, lookupScans);
  registry.action(actionIds.lookupAgain, lookupAgain);
  registry.action(actionIds.lookupNewer, lookupPage);
  registry.action(actionIds.lookupOlder, lookupPage);
  registry.action(actionIds.lookupChange, lookupChange);
  registry.action(actionIds.lookupAdd, lookupChange);
  registry.action(actionIds.lookupUndo, lookupUndo);
  registry.action(actionIds.editDatabase, editDatabase);
  registry.action(actionIds.madeShare, madeShare);
  registry.action(actionIds.madeShareAgreed, madeShareAgreed);
  registry.action(actionIds.madeChange, madeChange);
  registry.action(actionIds.listMenu, listMenu);
  registry.action(actionIds.listMore, listMore);
  registry.action(actionIds.listBefore, listPage);
  registry.action(actionIds.listAfter, listPage);
  registry.action(actionIds.listBack, listBack);
  registry.action(actionIds.listNames, listNames);
  registry.action(actionIds.listBeside, listBeside);
  registry.action(actionIds.listBesideToo, listBeside);
  registry.action(actionIds.auditOlder, auditOlder);
  registry.action(actionIds.auditNewest, auditNewest);
  registry.action(actionIds.auditPerson, auditPerson);
  registry.action(actionIds.auditAnybody, auditAnybody);
  registry.action(actionIds.auditSection, auditSection);
  registry.action(actionIds.relayList, relayList);
  registry.action(actionIds.relayBefore, relayPage);
  registry.action(actionIds.relayAfter, relayPage);
  registry.action(actionIds.relayManage, relayManage);
  registry.action(actionIds.relayNew, relayNew);
  registry.action(actionIds.relayChange, relayChange);
  registry.action(actionIds.relayPause, relayPause);
  registry.action(actionIds.relayResume, relayResume);
  registry.action(actionIds.relayReplay, relayReplay);
  registry.action(actionIds.relayRotate, relayRotate);
  registry.action(actionIds.relayService, relayFormRedraw);
  registry.action(actionIds.relayChannel, relayFormRedraw);
  registry.action(actionIds.relayNotable, relayFormRedraw);
  registry.action(actionIds.relayEndSecret, relayEndSecret);
  registry.action(actionIds.relayRemove, relayRemove);
  registry.action(postActions.lookup, postLookup);
  registry.action(postActions.acknowledge, postAcknowledge);
  registry.action(postActions.mute, postMute);
  registry.action(postActions.watchStop, watchStop);
  registry.action(postActions.muteStop, muteStop);
}
