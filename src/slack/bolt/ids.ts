/**
 * Ids of actions, views and blocks, and typed metadata of views and buttons.
 * Metadata holds no secrets: everyone who sees the view can read it.
 */
import { z } from 'zod';
import { SlackError } from './errors.js';

/** Buttons, menus and pickers: `action_id`. */
export const actionIds = {
  connectOpen: 'connect.open',
  connectReplace: 'connect.replace',
  connectDatabases: 'connect.databases',
  connectKey: 'connect.key',
  databaseMove: 'connect.database.move',
  databaseAdd: 'connect.database.add',
  databaseAll: 'connect.database.all',
  disconnectOpen: 'disconnect.open',
  statusOpen: 'status.open',
  accessOpen: 'access.open',
  accessUsers: 'access.users',
  accessGroups: 'access.groups',
  lookupShare: 'lookup.share',
  lookupShareAgreed: 'lookup.share.agreed',
  lookupScans: 'lookup.scans',
  lookupAgain: 'lookup.again',
  lookupNewer: 'lookup.newer',
  lookupOlder: 'lookup.older',
  lookupChange: 'lookup.change',
  lookupAdd: 'lookup.add',
  lookupUndo: 'lookup.undo',
  editDatabase: 'lookup.edit.database',
  editResponse: 'lookup.edit.response',
  editValid: 'lookup.edit.valid',
  madeShare: 'made.share',
  madeShareAgreed: 'made.share.agreed',
  madeChange: 'made.change',
  listMenu: 'list.menu',
  listMore: 'list.more',
  listBefore: 'list.before',
  listAfter: 'list.after',
  listBack: 'list.back',
  listNames: 'list.names',
  listBeside: 'list.beside',
  listBesideToo: 'list.beside.too',
  listQuery: 'list.query',
  auditOlder: 'audit.older',
  auditNewest: 'audit.newest',
  auditPerson: 'audit.person',
  auditAnybody: 'audit.anybody',
  auditSection: 'audit.section',
  relayNew: 'relay.new',
  relayManage: 'relay.manage',
  relayChange: 'relay.change',
  relayBefore: 'relay.before',
  relayAfter: 'relay.after',
  relayPause: 'relay.pause',
  relayResume: 'relay.resume',
  relayRotate: 'relay.rotate',
  relayEndSecret: 'relay.end_secret',
  relayReplay: 'relay.replay',
  relayRemove: 'relay.remove',
  relayList: 'relay.list',
  relayService: 'relay.service',
  relayChannel: 'relay.channel',
  relayNotable: 'relay.notable',
} as const;

/** Modals and shortcuts: `callback_id`. */
export const callbackIds = {
  loading: 'loading',
  problem: 'problem',
  connect: 'connect',
  connection: 'connection',
  databases: 'connect.databases',
  disconnect: 'disconnect',
  access: 'access',
  notice: 'notice',
  lookupScans: 'lookup.scans',
  lookupEdit: 'lookup.edit',
  list: 'list',
  listMore: 'list.more',
  audit: 'audit',
  relayList: 'relay.list',
  relayOne: 'relay.one',
  relayForm: 'relay.form',
  relayShared: 'relay.shared',
  relayUrl: 'relay.url',
} as const;

/** Blocks whose state is read or whose errors are shown: `block_id`. */
export const blockIds = {
  key: 'key',
  users: 'users',
  groups: 'groups',
  databaseAdd: 'database.add',
  /** The database's id follows. */
  databaseRow: 'database.row.',
  editDatabase: 'lookup.edit.database',
  /** The database's id follows: another database's response is another input. */
  editResponse: 'lookup.edit.response.',
  editValid: 'lookup.edit.valid.',
  /** The kind of list follows. */
  listQuery: 'list.query.',
  /** The item's id follows. */
  listRow: 'list.row.',
  listTurns: 'list.turns',
  listOthers: 'list.others',
  /** The filter's values follow. */
  auditFilter: 'audit.filter.',
  auditTurns: 'audit.turns',
  relayService: 'relay.service',
  relayChannel: 'relay.channel',
  relayNotable: 'relay.notable',
} as const;

export interface Notes<T> {
  write(value: T): string;
  /** @throws SlackError `slack.state` for text that `write` did not make */
  read(text: string | undefined): T;
}

/** Metadata of a view or a button's value: JSON checked by a schema. */
export function notes<S extends z.ZodType>(schema: S, longest = 3000): Notes<z.output<S>> {
  return {
    write: (value) => {
      const text = JSON.stringify(value);
      if (text.length > longest) {
        throw new SlackError('slack.state', `notes of ${text.length} characters do not fit ${longest}`);
      }
      return text;
    },
    read: (text) => {
      const parsed = schema.safeParse(json(text));
      if (!parsed.success) {
        throw new SlackError('slack.state', 'notes in a view or button are not of the expected shape', {
          cause: parsed.error,
        });
      }
      return parsed.data;
    },
  };
}

function json(text: string | undefined): unknown {
  try {
    return text ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** The channel a modal was opened from: the outcome is posted there if the modal was closed. */
export const originNotes = notes(z.object({ channel: z.string().optional() }));

/** The databases form between clicks. `ids`: undefined while every database is searched. */
export const databaseNotes = notes(
  z.object({ channel: z.string().optional(), ids: z.array(z.string()).max(10).optional() }),
);
export type DatabaseNotes = ReturnType<typeof databaseNotes.read>;
