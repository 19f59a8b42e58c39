/**
 * Owns every id by which Slack tells us what was clicked, chosen or submitted, and the typed notes a view carries.
 * Refuses secrets: what stands in a view or a button can be read by whoever sees it.
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
  /** Followed by the database's id. */
  databaseRow: 'database.row.',
  editDatabase: 'lookup.edit.database',
  /** Followed by the database's id: another database's response is another input. */
  editResponse: 'lookup.edit.response.',
  editValid: 'lookup.edit.valid.',
  /** Followed by what is listed. */
  listQuery: 'list.query.',
  /** Followed by the item's id. */
  listRow: 'list.row.',
  listTurns: 'list.turns',
  listOthers: 'list.others',
  /** Followed by what is chosen in it. */
  auditFilter: 'audit.filter.',
  auditTurns: 'audit.turns',
  relayService: 'relay.service',
  relayChannel: 'relay.channel',
  relayNotable: 'relay.notable',
} as const;

export interface Notes<T> {
  write(value: T): string;
  /** @throws SlackRoomError `slack.state` when it is not what `write` made. */
  read(text: string | undefined): T;
}

/** What a view or a button's value carries from one step to the next, as JSON of a known shape. */
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

/** Where a window was opened from, so that an outcome finds its way when the window was closed meanwhile. */
export const originNotes = notes(z.object({ channel: z.string().optional() }));

/** The databases form between two clicks. `ids`: undefined while every database is asked. */
export const databaseNotes = notes(
  z.object({ channel: z.string().optional(), ids: z.array(z.string()).max(10).optional() }),
);
export type DatabaseNotes = ReturnType<typeof databaseNotes.read>;
