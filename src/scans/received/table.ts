/**
 * Reads of stored scans. They are stored unchanged as received; `relay/commit/` writes them together with their posts.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import type { ReceivedScansTable, Schema } from '../../database/schema.js';
import { readJson } from '../../database/stored-json.js';
import type { Owner } from '../../ownership.js';
import { findOwner } from '../owners.js';

/** What separates several answers in one. */
export const answerSeparator = '|^|';

export interface ScanAnswer {
  readonly questionId: string;
  readonly question?: string;
  /** One answer, or several with the separator between them. */
  readonly answer: string;
}

export interface ScanProperty {
  readonly name: string;
  readonly value: string;
}

/** The variables of one submit, as they came and in their order. */
export type Submit = readonly (readonly [name: string, value: string])[];

/** Summary of the earlier scans of a barcode at a relay. `at`: milliseconds. */
const earlierShape = z
  .object({
    /** Number of earlier scans; `atLeast`: or more. */
    scans: z.number(),
    atLeast: z.boolean().optional(),
    /** The oldest accepted scan that is stored; `first`: there was none before it. */
    accepted: z
      .object({
        at: z.number(),
        first: z.boolean(),
        sid: z.string().optional(),
        userid: z.string().optional(),
        udid: z.string().optional(),
      })
      .readonly()
      .optional(),
    /** None was accepted. */
    never: z.boolean().optional(),
    /** Of pruned scans. */
    lastAcceptedAt: z.number().optional(),
  })
  .readonly();

export type EarlierScans = z.output<typeof earlierShape>;

export interface ScanRecord {
  readonly id: string;
  readonly relayId: string;
  readonly owner: Owner;
  readonly receivedAt: number;
  /** The barcode. */
  readonly tid: string;
  readonly sid?: string;
  readonly userid?: string;
  readonly udid?: string;
  readonly scanid?: string;
  /** The account's own result, if it validated the scan: `1`, `0`, `-1`. */
  readonly givenStatus?: string;
  readonly givenText?: string;
  /** `YYYY-MM-DD HH:mm:ss`, UTC. */
  readonly scannedAtUtc?: string;
  /** What the device was answered. */
  readonly valid: boolean;
  readonly text: string;
  /** Result code; undefined for scans from before there were any. */
  readonly finding?: string;
  /** Received well after it was made. */
  readonly late?: boolean;
  /** When it was made, if it counts at that moment rather than when it came. */
  readonly madeAt?: number;
  /** Why it could not be validated as set: a stable code. */
  readonly why?: string;
  /** JSON: the rest of the device's answer, for a repeat. */
  readonly reply?: string;
  readonly answers: readonly ScanAnswer[];
  readonly properties: readonly ScanProperty[];
  /** There where it was refused, or was posted again. */
  readonly earlier?: EarlierScans;
}

export interface ScanStore {
  /** For delivery. */
  find(id: string): Promise<ScanRecord | undefined>;
  /** A relay's latest scans, newest first. */
  ofRelay(owner: Owner, relayId: string, limit: number, before?: string): Promise<readonly ScanRecord[]>;
  /**
   * A relay's scans of one device, newest first, at most `limit`, test scans left out. No index leads to them, as its
   * pages would cost every scan more than the scan: the relay's latest scans are read. `isAll`: none is older than those.
   */
  ofDevice(
    owner: Owner,
    relayId: string,
    udid: string,
    limit: number,
  ): Promise<{ readonly scans: readonly ScanRecord[]; readonly isAll: boolean }>;
}

/** Of a relay's latest scans, when those of one device are looked for. */
export const mostSearched = 20_000;
const searchedAtOnce = 500;

export function createScanStore(db: Kysely<Schema>): ScanStore {
  return {
    async find(id) {
      const row = await db
        .selectFrom('received_scans')
        .innerJoin('owners', 'owners.id', 'received_scans.owner')
        .selectAll('received_scans')
        .select(['installation', 'team'])
        .where('received_scans.id', '=', id)
        .executeTakeFirst();
      return row && toScan(row, row);
    },

    async ofRelay(owner, relayId, limit, before) {
      const number = await findOwner(db, owner);
      // By relay alone: given the owner too, SQLite picks an index that begins with it and sorts all the owner's scans.
      const rows = await db
        .selectFrom('received_scans')
        .selectAll()
        .where('relay_id', '=', relayId)
        .$if(before !== undefined, (query) => query.where('id', '<', before as string))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.filter((row) => row.owner === number).map((row) => toScan(row, owner));
    },

    async ofDevice(owner, relayId, udid, limit) {
      const ids: string[] = [];
      let last: string | undefined;
      let isAll = false;
      for (let read = 0; read < mostSearched && ids.length < limit && !isAll; read += searchedAtOnce) {
        const slice = await db
          .selectFrom('received_scans')
          .select(['id', 'udid', 'test'])
          .where('relay_id', '=', relayId)
          .$if(last !== undefined, (query) => query.where('id', '<', last as string))
          .orderBy('id', 'desc')
          .limit(searchedAtOnce)
          .execute();
        ids.push(...slice.flatMap((row) => (row.udid === udid && row.test === 0 ? row.id : [])));
        last = slice.at(-1)?.id;
        isAll = slice.length < searchedAtOnce;
        await nextTurn();
      }
      if (ids.length === 0) {
        return { scans: [], isAll };
      }
      const number = await findOwner(db, owner);
      const rows = await db
        .selectFrom('received_scans')
        .selectAll()
        .where('id', 'in', ids.slice(0, limit))
        .orderBy('id', 'desc')
        .execute();
      return { scans: rows.filter((row) => row.owner === number).map((row) => toScan(row, owner)), isAll };
    },
  };
}

const answersShape = z.array(z.object({ questionId: z.string(), question: z.string().optional(), answer: z.string() }));
const propertiesShape = z.array(z.object({ name: z.string(), value: z.string() }));

export function toScan(row: Selectable<ReceivedScansTable>, { installation, team }: Owner): ScanRecord {
  return {
    id: row.id,
    relayId: row.relay_id,
    owner: { installation, team },
    receivedAt: row.received_at,
    tid: row.tid,
    ...present('sid', row.sid),
    ...present('userid', row.userid),
    ...present('udid', row.udid),
    ...present('scanid', row.scanid),
    ...present('givenStatus', row.given_status),
    ...present('givenText', row.given_text),
    ...present('scannedAtUtc', row.scanned_at_utc),
    valid: row.valid === 1,
    text: row.answer_text,
    ...present('finding', row.finding),
    ...(row.late === 1 ? { late: true } : {}),
    ...(row.made_at === null ? {} : { madeAt: row.made_at }),
    ...present('why', row.why),
    ...present('reply', row.reply),
    answers: readJson(answersShape, row.answers, 'scan'),
    properties: readJson(propertiesShape, row.properties, 'scan'),
    ...(row.earlier === null ? {} : { earlier: readJson(earlierShape, row.earlier, 'scan') }),
  };
}

function present<Name extends string>(name: Name, value: string | null): { [name in Name]?: string } {
  return value === null ? {} : ({ [name]: value } as { [name in Name]: string });
}

/** By the account, or by a device with its own database: -1 means that neither could. */
export function isValidated({ givenStatus }: Pick<ScanRecord, 'givenStatus'>): boolean {
  return givenStatus === '1' || givenStatus === '0';
}

/** Milliseconds of `YYYY-MM-DD HH:mm:ss` in UTC; undefined for anything else. */
export function utcMoment(text: string | undefined): number | undefined {
  const found = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})$/.exec(text ?? '');
  const at = found ? Date.parse(`${found[1]}T${found[2]}Z`) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
