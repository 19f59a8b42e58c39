/**
 * The list of migrations, in the order of their names. A released migration never changes: the next one corrects it.
 */
import { foundation } from './001-foundation.js';
import { relay } from './002-relay.js';
import { judging } from './003-judging.js';
import { notable } from './004-notable.js';
import { copies } from './005-copies.js';
import { fewerPages } from './006-fewer-pages.js';
import { laneHeads } from './007-lane-heads.js';
import { sendGeneration } from './008-send-generation.js';
import { undeliveredNotices } from './009-undelivered-notices.js';
import { earlierScans } from './010-earlier-scans.js';
import { postStates } from './011-post-states.js';
import { ownerNotices } from './012-owner-notices.js';
import { oneCommit } from './013-one-commit.js';
import { mirror } from './014-mirror.js';
import { uninstalled } from './015-uninstalled.js';
import { scansByTime } from './016-scans-by-time.js';
import { scanSearch } from './017-scan-search.js';
import { exports } from './018-exports.js';
import { reports } from './019-reports.js';
import { incidents } from './020-incidents.js';
import { muteEnds } from './021-mute-ends.js';
import { admissions } from './022-admissions.js';
import { copyChanges } from './023-copy-changes.js';
import { removedRules } from './024-removed-rules.js';
import { mixedCase } from './025-mixed-case.js';
import { scansFullPass } from './026-scans-full-pass.js';
import { alerts } from './027-alerts.js';
import { blockedQueues } from './028-blocked-queues.js';
import type { MigrationFor } from './migration.js';

export const migrations: Readonly<Record<string, MigrationFor>> = {
  '001-foundation': foundation,
  '002-relay': relay,
  '003-judging': judging,
  '004-notable': notable,
  '005-copies': copies,
  '006-fewer-pages': fewerPages,
  '007-lane-heads': laneHeads,
  '008-send-generation': sendGeneration,
  '009-undelivered-notices': undeliveredNotices,
  '010-earlier-scans': earlierScans,
  '011-post-states': postStates,
  '012-owner-notices': ownerNotices,
  '013-one-commit': oneCommit,
  '014-mirror': mirror,
  '015-uninstalled': uninstalled,
  '016-scans-by-time': scansByTime,
  '017-scan-search': scanSearch,
  '018-exports': exports,
  '019-reports': reports,
  '020-incidents': incidents,
  '021-mute-ends': muteEnds,
  '022-admissions': admissions,
  '023-copy-changes': copyChanges,
  '024-removed-rules': removedRules,
  '025-mixed-case': mixedCase,
  '026-scans-full-pass': scansFullPass,
  '027-alerts': alerts,
  '028-blocked-queues': blockedQueues,
};
