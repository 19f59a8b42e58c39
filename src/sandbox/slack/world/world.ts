/**
 * The workspace's data in SQLite: teams, people, channels, messages, installs, files and published Homes. Slack's rules
 * and permissions are enforced by the callers.
 */
import { createHash } from 'node:crypto';
import type { Clock, Random } from '../../../clock.js';
import { transaction } from '../../sqlite.js';
import type { GuideStep } from '../api.js';
import { createStamps, newId } from '../ids.js';
import { addSeeds } from './add-seeds.js';
import type { Database } from './database.js';
import {
  type ChannelRecord,
  channelRecord,
  type FileRecord,
  type GroupRecord,
  type InstallRecord,
  type MessageRecord,
  type Organisation,
  type PersonRecord,
  type TeamRecord,
} from './records.js';
import { groups, type TeamSeed } from './seed.js';

interface Edge {
  readonly ts: string;
  readonly inclusive: boolean;
}

export interface HistoryQuery {
  readonly after?: Edge;
  readonly before?: Edge;
  readonly limit: number;
  /** The end of the range from which messages are counted to the limit. */
  readonly from: 'newest' | 'oldest';
  /** The thread whose parent and replies are read, instead of the channel's top-level messages. */
  readonly thread?: string;
}

export type World = ReturnType<typeof createWorld>;

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

const parseField = <T>(row: unknown, field = 'profile'): T => JSON.parse((row as Record<string, string>)[field]!) as T;

/** The condition that leaves replies in their threads, unless the channel shows them too. */
const broadcastOrTop = "(thread_ts IS NULL OR json_extract(body, '$.subtype') = 'thread_broadcast')";

export function createWorld(deps: {
  database: Database;
  clock: Clock;
  random: Random;
  seeds: readonly TeamSeed[];
  botName: string;
  organisation?: Organisation | undefined;
}) {
  const { database, clock, random } = deps;
  addSeeds(database, deps.seeds, deps.botName);
  const lastMessage = database.prepare('SELECT max(ts) AS ts FROM messages').get() as { ts: string | null };
  const stamp = createStamps(clock, lastMessage.ts ?? undefined);
  const allRows = <T>(sql: string, ...values: string[]): T[] =>
    database
      .prepare(sql)
      .all(...values)
      .map((row) => parseField<T>(row));
  const runSql = (sql: string, ...values: (string | number | null | Uint8Array)[]): void => {
    database.prepare(sql).run(...values);
  };
  const firstRow = <T>(sql: string, ...values: string[]): T | undefined => allRows<T>(sql, ...values)[0];

  /** The id under which an installation is stored. */
  const holderOf = (team: string): string => deps.organisation?.id ?? team;

  const saveChannel = (channel: ChannelRecord): void => {
    runSql(
      `INSERT INTO channels (id, team, position, profile)
         VALUES (?, ?, (SELECT count(*) FROM channels), ?)
         ON CONFLICT (id) DO UPDATE SET profile = excluded.profile`,
      channel.id,
      channel.team,
      JSON.stringify(channel),
    );
  };
  const addMember = (channel: string, person: string): void => {
    runSql('INSERT OR IGNORE INTO members (channel, person) VALUES (?, ?)', channel, person);
  };
  const message = (channel: string, ts: string): MessageRecord | undefined =>
    firstRow('SELECT body AS profile FROM messages WHERE channel = ? AND ts = ?', channel, ts);

  return {
    stamp,
    close: () => database.close(),

    teams: () => allRows<TeamRecord>('SELECT profile FROM teams ORDER BY position'),
    team: (id: string) => firstRow<TeamRecord>('SELECT profile FROM teams WHERE id = ?', id),
    people: (team: string) => allRows<PersonRecord>('SELECT profile FROM people WHERE team = ? ORDER BY rowid', team),
    person: (id: string) => firstRow<PersonRecord>('SELECT profile FROM people WHERE id = ?', id),
    savePerson(person: PersonRecord): void {
      runSql('UPDATE people SET profile = ? WHERE id = ?', JSON.stringify(person), person.id);
    },
    groups: (team: string): readonly GroupRecord[] => groups.filter((group) => group.team === team),

    channels: (team: string) =>
      allRows<ChannelRecord>('SELECT profile FROM channels WHERE team = ? ORDER BY position', team),
    channel: (id: string) => firstRow<ChannelRecord>('SELECT profile FROM channels WHERE id = ?', id),
    saveChannel,
    members: (channel: string) =>
      database
        .prepare('SELECT person FROM members WHERE channel = ? ORDER BY person')
        .all(channel)
        .map((row) => (row as { person: string }).person),
    isMember: (channel: string, person: string) =>
      database.prepare('SELECT 1 FROM members WHERE channel = ? AND person = ?').get(channel, person) !== undefined,
    addMember,
    removeMember(channel: string, person: string): void {
      runSql('DELETE FROM members WHERE channel = ? AND person = ?', channel, person);
    },
    /** The app's direct message channel with a person, created at first use. */
    directChannel(team: TeamRecord, person: string): ChannelRecord {
      const knownChannel = firstRow<ChannelRecord>(
        "SELECT profile FROM channels WHERE team = ? AND json_extract(profile, '$.im_with') = ?",
        team.id,
        person,
      );
      if (knownChannel) {
        return knownChannel;
      }
      const newChannel = channelRecord({
        id: newId(random, 'D'),
        team: team.id,
        name: '',
        creator: team.bot_user,
        created: Math.floor(clock.now() / 1000),
        is_private: true,
        is_im: true,
        im_with: person,
      });
      transaction(database, () => {
        saveChannel(newChannel);
        addMember(newChannel.id, person);
        addMember(newChannel.id, team.bot_user);
      });
      return newChannel;
    },

    /** Inserts a message, or replaces the one with the same channel and ts. */
    saveMessage(record: MessageRecord): void {
      runSql(
        `INSERT INTO messages (channel, ts, thread_ts, ephemeral_for, body) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (channel, ts) DO UPDATE SET body = excluded.body`,
        record.channel,
        record.ts,
        record.thread_ts ?? null,
        record.ephemeral_for ?? null,
        JSON.stringify(record),
      );
    },
    message,
    deleteMessage(channel: string, ts: string): void {
      runSql('DELETE FROM messages WHERE channel = ? AND ts = ?', channel, ts);
    },
    /** The message behind a client_msg_id, even if it has been deleted. */
    clientMsgId: (team: string, id: string) =>
      database.prepare('SELECT channel, ts FROM client_msg_ids WHERE team = ? AND id = ?').get(team, id) as
        | { readonly channel: string; readonly ts: string }
        | undefined,
    saveClientMsgId(team: string, id: string, { channel, ts }: MessageRecord): void {
      runSql('INSERT INTO client_msg_ids (team, id, channel, ts) VALUES (?, ?, ?, ?)', team, id, channel, ts);
    },
    /**
     * The newest `limit` messages that `person` sees in a channel, oldest first, with replies and the person's
     * ephemeral messages.
     */
    messagesFor(channel: string, person: string, limit: number): MessageRecord[] {
      const rows = database
        .prepare(
          `SELECT body AS profile FROM messages
             WHERE channel = ? AND (ephemeral_for IS NULL OR ephemeral_for = ?) ORDER BY ts DESC LIMIT ?`,
        )
        .all(channel, person, limit);
      return rows.map((row) => parseField<MessageRecord>(row)).reverse();
    },
    /** What the app's messages and Homes since a moment show that the workspace has done. */
    done(team: string, since: number): GuideStep[] {
      const isIn = (sql: string, ...values: string[]) =>
        database.prepare(`${sql} LIMIT 1`).get(...values) !== undefined;
      const homeShows = 'SELECT 1 FROM homes JOIN people ON id = person WHERE team = ? AND view LIKE ?';
      const messageShows = `SELECT 1 FROM messages JOIN channels ON channels.id = channel
        WHERE team = ? AND ts > ? AND body LIKE ? AND body NOT LIKE ?`;
      const ts = String(since / 1000);
      // A card that was shared has no button for it any more.
      const hasLookup = ['%"action_id":"lookup.share"%', '%Shared by <@%'].some((one) =>
        isIn(messageShows, team, ts, one, ''),
      );
      const hasScan = isIn(messageShows, team, ts, '%"event_type":"scandesk_scan"%', '%SCANDESK-TEST-%');
      // Only the Home of a workspace with an account has a field for barcodes, and only an account's answer is a card.
      const isConnected = hasLookup || isIn(homeShows, team, '%"action_id":"home.lookup"%');
      return [
        ...(isConnected ? (['connect'] as const) : []),
        ...(hasLookup ? (['lookup'] as const) : []),
        ...(hasScan ? (['scan'] as const) : []),
      ];
    },
    /** Messages in the order of `from`; ephemeral ones are never among them. */
    history(channel: string, { after, before, limit, from, thread }: HistoryQuery): MessageRecord[] {
      const threadCondition = thread === undefined ? broadcastOrTop : '(thread_ts = ? OR ts = ?)';
      const rows = database
        .prepare(
          `SELECT body AS profile FROM messages WHERE channel = ? AND ephemeral_for IS NULL AND ${threadCondition}
             AND ts ${after?.inclusive ? '>=' : '>'} ? AND ts ${before?.inclusive ? '<=' : '<'} ?
             ORDER BY ts ${from === 'newest' ? 'DESC' : 'ASC'} LIMIT ?`,
        )
        .all(channel, ...(thread === undefined ? [] : [thread, thread]), after?.ts ?? '', before?.ts ?? '~', limit);
      return rows.map((row) => parseField<MessageRecord>(row));
    },
    replyCount: (channel: string, ts: string) =>
      (
        database
          .prepare(
            'SELECT count(*) AS n FROM messages WHERE channel = ? AND thread_ts = ? AND ts <> ? AND ephemeral_for IS NULL',
          )
          .get(channel, ts, ts) as { n: number }
      ).n,

    install(token: string, team: string, scopes: readonly string[]): void {
      runSql(
        `INSERT INTO installs (token_hash, team, scopes, state, installed_at) VALUES (?, ?, ?, 'live', ?)
           ON CONFLICT (token_hash) DO UPDATE SET state = 'live', scopes = excluded.scopes, installed_at = excluded.installed_at`,
        hashToken(token),
        holderOf(team),
        JSON.stringify(scopes),
        clock.now(),
      );
    },
    installByToken: (token: string) => findInstall(database, 'token_hash = ?', hashToken(token)),
    installOf: (team: string) => findInstall(database, "team = ? AND state = 'live'", holderOf(team)),
    setInstallState(team: string, state: InstallRecord['state']): void {
      runSql("UPDATE installs SET state = ? WHERE team = ? AND state = 'live'", state, holderOf(team));
    },
    setScopes(token: string, scopes: readonly string[]): void {
      runSql('UPDATE installs SET scopes = ? WHERE token_hash = ?', JSON.stringify(scopes), hashToken(token));
    },

    saveFile(file: FileRecord, content?: Buffer): void {
      runSql(
        `INSERT INTO files (id, team, profile, content) VALUES (?, ?, ?, ?)
           ON CONFLICT (id) DO UPDATE SET profile = excluded.profile${content ? ', content = excluded.content' : ''}`,
        file.id,
        file.team,
        JSON.stringify(file),
        content ?? Buffer.alloc(0),
      );
    },
    file: (id: string) => firstRow<FileRecord>('SELECT profile FROM files WHERE id = ?', id),
    fileContent(id: string): Buffer {
      const row = database.prepare('SELECT content FROM files WHERE id = ?').get(id) as { content: Uint8Array };
      return Buffer.from(row.content);
    },

    saveHome(person: string, view: unknown): void {
      runSql(
        'INSERT INTO homes (person, view) VALUES (?, ?) ON CONFLICT (person) DO UPDATE SET view = excluded.view',
        person,
        JSON.stringify(view),
      );
    },
    home: <T>(person: string) => firstRow<T>('SELECT view AS profile FROM homes WHERE person = ?', person),
    /** Removes a team's published Homes. */
    clearHomes(team: string): void {
      runSql('DELETE FROM homes WHERE person IN (SELECT id FROM people WHERE team = ?)', team);
    },
  };
}

function findInstall(database: Database, where: string, value: string): InstallRecord | undefined {
  const row = database.prepare(`SELECT * FROM installs WHERE ${where} ORDER BY installed_at DESC`).get(value) as
    | (Omit<InstallRecord, 'scopes'> & { scopes: string })
    | undefined;
  return row && { ...row, scopes: JSON.parse(row.scopes) as string[] };
}
