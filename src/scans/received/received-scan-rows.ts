/** Reads of stored scans, which are as received; `relay/commit/` writes them together with their posts. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { chunksOf } from '../../database/chunks.js';
import { present } from '../../database/present.js';
import type { ReceivedScansTable, Schema } from '../../database/schema.js';
import { readJson } from '../../database/stored-json.js';
import type { Owner } from '../../ownership.js';
import { findOwner } from '../owners.js';
import type { ReadRow } from './columns.js';

/** The text between several answers in one (docs/account-api.md#scan-to-url). */
export const answerSeparator = '|^|';

/** `answer`: one answer, or several with the separator between them. */
const answersShape = z
  .array(z.object({ questionId: z.string(), question: z.string().optional(), answer: z.string() }).readonly())
  .readonly();
const propertiesShape = z.array(z.object({ name: z.string(), value: z.string() }).readonly()).readonly();

/** The variables of one submit, unchanged and in their order. */
export type Submit = readonly (readonly [name: string, value: string])[];

/** Summary of the earlier scans of a barcode at a relay. `at`: milliseconds. */
const earlierShape = z
  .object({
    /** The number of earlier scans; `atLeast`: there may be more. */
    scans: z.number(),
    atLeast: z.boolean().optional(),
    /** The oldest stored scan that was admitted; `first`: none was admitted before it. */
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
    /** Whether no earlier scan was admitted. */
    never: z.boolean().optional(),
    /** When the last of the pruned scans was admitted. */
    lastAcceptedAt: z.number().optional(),
  })
  .readonly();

export type EarlierScans = z.output<typeof earlierShape>;

/**
 * What a scan was when it came. `receipt`: its relay accepts everything and limits nothing. `refusal`, `admission`: the
 * relay, or whoever gave the result, found it not valid or valid. `unchecked`: it was let in without a check.
 */
export const scanKinds = ['receipt', 'refusal', 'admission', 'unchecked'] as const;
export type ScanKind = (typeof scanKinds)[number];

export interface ScanRecord {
  readonly id: string;
  readonly relayId: string;
  readonly owner: Owner;
  readonly receivedAt: number;
  /** The barcode, as received. */
  readonly tid: string;
  readonly sid?: string;
  readonly userid?: string;
  readonly udid?: string;
  readonly scanid?: string;
  /** The account's own result, if it validated the scan: `1`, `0`, `-1`. */
  readonly givenStatus?: string;
  readonly givenText?: string;
  /** The time by the device's clock: `YYYY-MM-DD HH:mm:ss`, UTC. */
  readonly scannedAtUtc?: string;
  /** The result that the device got. */
  readonly valid: boolean;
  readonly text: string;
  /** The result code; undefined for scans from before result codes were stored. */
  readonly finding?: string;
  /** Undefined for scans from before kinds were stored. */
  readonly kind?: ScanKind;
  /** Whether the scan was received well after it was made. */
  readonly late?: boolean;
  /** When the scan was made, if it counts at that moment rather than at its arrival. */
  readonly madeAt?: number;
  /** A stable code: why the scan could not be validated as the settings say. */
  readonly why?: string;
  /** The rest of the device's answer as JSON, for a repeat. */
  readonly reply?: string;
  readonly answers: z.output<typeof answersShape>;
  readonly properties: z.output<typeof propertiesShape>;
  /** The summary of earlier scans, for a scan that is not valid or was posted again. */
  readonly earlier?: EarlierScans;
}

export const mostSearched = 50_000;
const searchedAtOnce = 1_000;
const readAtOnce = 100;

export function createScanStore(db: Kysely<Schema>) {
  return {
    /** One scan by its id, for the delivery of posts. */
    async find(id: string): Promise<ScanRecord | undefined> {
      const row = await db
        .selectFrom('received_scans')
        .innerJoin('owners', 'owners.id', 'received_scans.owner')
        .selectAll('received_scans')
        .select(['installation', 'team'])
        .where('received_scans.id', '=', id)
        .executeTakeFirst();
      return row && toScan(row, row);
    },

    /**
     * A relay's latest scans, or those of one of its devices, the last received first; test scans are left out. No index
     * leads to them, as its pages would cost every scan more than its row: the owner's `mostSearched` latest are read.
     * @param wanted.since the moment from which scans are wanted
     * @returns `isAll`: whether the search reached the relay's oldest scan since `since`; `limit` may leave out some
     */
    async ofRelay(
      owner: Owner,
      relayId: string,
      {
        limit,
        udid,
        since = 0,
      }: { readonly limit: number; readonly udid?: string; readonly since?: number | undefined },
    ) {
      const number = await findOwner(db, owner);
      const ids: string[] = [];
      let lastRow: { readonly at: number; readonly id: string } | undefined;
      let isAll = number === undefined;
      for (let readCount = 0; readCount < mostSearched && ids.length < limit && !isAll; readCount += searchedAtOnce) {
        const slice: Pick<ReceivedScansTable, 'id' | 'at' | 'relay_id' | 'udid' | 'test'>[] = await db
          .selectFrom('received_scans')
          .select(['id', 'at', 'relay_id', 'udid', 'test'])
          .where('owner', '=', number ?? 0)
          .where('at', '>=', since)
          .$if(lastRow !== undefined, (query) => query.where(sql<boolean>`(at, id) < (${lastRow?.at}, ${lastRow?.id})`))
          .orderBy('at', 'desc')
          .orderBy('id', 'desc')
          .limit(searchedAtOnce)
          .execute();
        const isWanted = (row: (typeof slice)[number]) =>
          row.relay_id === relayId && row.test === 0 && (udid === undefined || row.udid === udid);
        ids.push(...slice.flatMap((row) => (isWanted(row) ? row.id : [])));
        lastRow = slice.at(-1);
        isAll = slice.length < searchedAtOnce;
        await nextTurn();
      }
      const scans: ScanRecord[] = [];
      for (const chunk of chunksOf(ids.slice(0, limit).sort().reverse(), readAtOnce)) {
        const rows = await db
          .selectFrom('received_scans')
          .selectAll()
          .where('id', 'in', chunk)
          .orderBy('id', 'desc')
          .execute();
        scans.push(...rows.map((row) => toScan(row, owner)));
        await nextTurn();
      }
      return { scans, isAll };
    },
  };
}

export function toScan(row: ReadRow, { installation, team }: Owner): ScanRecord {
  return {
    id: row.id,
    relayId: row.relay_id,
    owner: { installation, team },
    receivedAt: row.received_at,
    tid: row.tid,
    ...present({
      sid: row.sid,
      userid: row.userid,
      udid: row.udid,
      scanid: row.scanid,
      givenStatus: row.given_status,
      givenText: row.given_text,
      scannedAtUtc: row.scanned_at_utc,
      finding: row.finding,
      kind: row.kind as ScanKind | null,
      madeAt: row.made_at,
      why: row.why,
      reply: row.reply,
    }),
    valid: row.valid === 1,
    text: row.answer_text,
    ...(row.late === 1 ? { late: true } : {}),
    answers: readJson(answersShape, row.answers, 'scan'),
    properties: readJson(propertiesShape, row.properties, 'scan'),
    ...(row.earlier === null ? {} : { earlier: readJson(earlierShape, row.earlier, 'scan') }),
  };
}

/** Whether the account, or a device with its own database, validated the scan: -1 means that neither could. */
export function isValidated({ givenStatus }: Pick<ScanRecord, 'givenStatus'>): boolean {
  return givenStatus === '1' || givenStatus === '0';
}

/** The milliseconds of `YYYY-MM-DD HH:mm:ss` in UTC; undefined for any other text. */
export function utcMoment(text: string | undefined): number | undefined {
  if (text !== lastRead.text) {
    lastRead = { text, at: readUtc(text) };
  }
  return lastRead.at;
}

/** The last parsed time is cached: a scan's moment is needed several times, and scans of one second come together. */
let lastRead: { readonly text: string | undefined; readonly at: number | undefined } = {
  text: undefined,
  at: undefined,
};

function readUtc(text: string | undefined): number | undefined {
  const found = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})$/.exec(text ?? '');
  const at = found ? Date.parse(`${found[1]}T${found[2]}Z`) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
