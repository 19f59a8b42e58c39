/**
 * Store of reports. Work on one is claimed, so that one instance does it; a write under a claim that was lost, or of a
 * report that somebody changed meanwhile, changes nothing.
 */
import type { Kysely, Selectable, UpdateObject } from 'kysely';
import { type Claim, claimRows, columnsOfClaim, isUnclaimed, unclaimed } from '../database/claims/claim.js';
import { isDue, never } from '../database/claims/due-rows.js';
import { equal } from '../database/equal.js';
import { present } from '../database/present.js';
import type { ReportsTable, Schema } from '../database/schema.js';
import type { Owner } from '../ownership.js';
import { enqueueOnce, type NewPost } from '../posts/outbox/enqueue.js';
import type { OutboxPost } from '../posts/outbox/post.js';
import { findPost } from '../posts/outbox/single-posts.js';
import { withdrawPosts } from '../posts/outbox/source-posts.js';
import type { EraseHook } from '../workspaces/types.js';
import {
  type Report,
  type ReportDay,
  type ReportFields,
  type ReportPause,
  type ReportSubject,
  reportSubject,
} from './report.js';

/** A report that this process works on. */
export interface ClaimedReport extends Report {
  readonly claim: Claim;
  /** Set while the report's post is in the outbox: the time for which the post was due. */
  readonly attemptAt?: number;
  /** The reason for which the report pauses once its post is delivered: the post says what is missing. */
  readonly pausing?: ReportPause;
  readonly failures: number;
}

/** The changes of a report's row; absent columns stay. */
export type ReportChange = Partial<
  Pick<Selectable<ReportsTable>, 'due_at' | 'next_at' | 'attempt_at' | 'failures' | 'last_code' | 'missed'> &
    Pick<Selectable<ReportsTable>, 'posted_at' | 'paused_at' | 'paused_why' | 'notice'>
>;

/** The key of the report's post for its due time. */
export function keyOf({ id, dueAt }: Pick<Report, 'id' | 'dueAt'>): string {
  return `report.${id}.${dueAt}`;
}

const withdrawn = 'report.changed';
/** The longest wait for a daily report, where a clock change makes its day an hour longer. */
const longestWaitMs = 26 * 3_600_000;

export function createReportStore(db: Kysely<Schema>) {
  const ofOwner = ({ installation, team }: Owner, id: string) => ({ installation, team, id });
  const whileClaimed = ({ id, claim }: ClaimedReport, set: UpdateObject<Schema, 'reports'>, trx: Kysely<Schema> = db) =>
    trx
      .updateTable('reports')
      .set(set)
      .where(equal({ id, claimed_by: claim.worker }))
      .executeTakeFirst()
      .then(({ numUpdatedRows }) => numUpdatedRows > 0n);

  /** Changes the report and takes it from the worker that holds it, which can then store nothing more. */
  const changeReport = (
    owner: Owner,
    id: string,
    at: number,
    set: UpdateObject<Schema, 'reports'>,
    unlessPaused = false,
  ): Promise<boolean> =>
    db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('reports')
        .set({ ...unclaimed, attempt_at: null, failures: 0, last_code: null, ...set })
        .where(equal(ofOwner(owner, id)))
        .$if(unlessPaused, (query) => query.where('paused_at', 'is', null))
        .executeTakeFirst();
      await withdrawPosts(trx, { owner, source: { kind: 'report', id } }, withdrawn, at);
      return numUpdatedRows > 0n;
    });

  return {
    async insert(report: Report): Promise<void> {
      await db
        .insertInto('reports')
        .values({
          id: report.id,
          installation: report.owner.installation,
          team: report.owner.team,
          ...columnsOf(report),
          created_by: report.createdBy,
          created_at: report.createdAt,
          paused_at: null,
          paused_why: null,
          due_at: report.dueAt,
          next_at: report.dueAt,
          ...unclaimed,
          attempt_at: null,
          failures: 0,
          last_code: null,
          missed: 0,
          posted_at: null,
          notice: 0,
        } as Selectable<ReportsTable>)
        .execute();
    },

    async list({ installation, team }: Owner): Promise<readonly Report[]> {
      const rows = await db
        .selectFrom('reports')
        .selectAll()
        .where(equal({ installation, team }))
        .orderBy('id')
        .execute();
      return rows.map(toReport);
    },

    async find(owner: Owner, id: string): Promise<Report | undefined> {
      const row = await db
        .selectFrom('reports')
        .selectAll()
        .where(equal(ofOwner(owner, id)))
        .executeTakeFirst();
      return row && toReport(row);
    },

    /**
     * Changes a report, and begins its schedule anew. False: there is no such report. This method, `pause`, `remove` and
     * `pauseFor` withdraw a post that waits.
     */
    update: (owner: Owner, id: string, fields: Partial<ReportFields>, dueAt: number, at: number): Promise<boolean> =>
      changeReport(owner, id, at, {
        ...columnsOf(fields),
        due_at: dueAt,
        next_at: dueAt,
        paused_at: null,
        paused_why: null,
        missed: 0,
        notice: 0,
      }),

    pause: (owner: Owner, id: string, at: number): Promise<boolean> =>
      changeReport(owner, id, at, { paused_at: at, paused_why: 'person', next_at: never, notice: 0 }),

    remove: (owner: Owner, id: string, at: number): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom('reports')
          .where(equal(ofOwner(owner, id)))
          .executeTakeFirst();
        await withdrawPosts(trx, { owner, source: { kind: 'report', id } }, withdrawn, at);
        return numDeletedRows > 0n;
      }),

    /** Pauses a report whose post Slack refuses in the channel, unless the report is paused already. */
    pauseFor: (
      { owner, source: { id } }: Pick<OutboxPost, 'owner' | 'source'>,
      pause: { readonly at: number; readonly why: ReportPause; readonly code: string; readonly noticeDue: boolean },
    ): Promise<boolean> => {
      const { at, why, code, noticeDue } = pause;
      const set = { paused_at: at, paused_why: why, last_code: code, notice: noticeDue ? 1 : 0, next_at: never };
      return changeReport(owner, id, at, set, true);
    },

    /** Puts the report’s due post into the outbox, and ends the claim. False: the claim is lost. */
    enqueue: (report: ClaimedReport, post: NewPost, pausing: ReportPause | undefined): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const begun = { attempt_at: post.at, next_at: 0, paused_why: pausing ?? null, failures: 0 };
        if (!(await whileClaimed(report, { ...begun, ...unclaimed }, trx))) {
          return false;
        }
        // A post is added once: after the clock was set back, a due time may come twice.
        await enqueueOnce(trx, post);
        return true;
      }),

    /** The report's current post; undefined: the post was erased. */
    postOf: (report: ClaimedReport): Promise<OutboxPost | undefined> => findPost(db, keyOf(report)),

    /** Paused reports whose makers were not notified yet. */
    async withNoticeDue(): Promise<readonly Report[]> {
      const rows = await db
        .selectFrom('reports')
        .selectAll()
        .where('notice', '=', 1)
        .where('paused_at', 'is not', null)
        .execute();
      return rows.map(toReport);
    },

    async noticeSent({ id, paused }: Report): Promise<void> {
      await db
        .updateTable('reports')
        .set({ notice: 0 })
        .where(equal({ id, paused_at: paused?.at ?? null }))
        .execute();
    },

    /** Claims due reports, at most `limit`. */
    async claim(claim: Claim, now: number, limit: number): Promise<readonly ClaimedReport[]> {
      // The query takes no lock: mostly no report is due.
      const due = await db
        .selectFrom('reports')
        .select('id')
        .where(isDue('next_at', now, longestWaitMs))
        .limit(1)
        .executeTakeFirst();
      if (!due) {
        return [];
      }
      const rows = await db.transaction().execute((trx) =>
        claimRows(trx, 'reports', columnsOfClaim(claim), (reports) =>
          reports
            .where(isDue('next_at', now, longestWaitMs))
            .where(isUnclaimed(now))
            .orderBy('next_at')
            .limit(limit),
        ),
      );
      return rows.map((row) => ({
        ...toReport(row),
        claim,
        failures: row.failures,
        ...present({ attemptAt: row.attempt_at, pausing: row.paused_why as ReportPause | null }),
      }));
    },

    /** Renews the claim; false: it is lost. */
    renew: (report: ClaimedReport, until: number): Promise<boolean> => whileClaimed(report, { claimed_until: until }),

    /** Changes a claimed report. False: the claim is lost, and nothing was changed. `keepsClaim`: the claim stays. */
    change: (report: ClaimedReport, change: ReportChange, keepsClaim: boolean = false): Promise<boolean> =>
      whileClaimed(report, { ...(keepsClaim ? {} : unclaimed), ...change }),
  };
}

export type ReportStore = ReturnType<typeof createReportStore>;

/** The hook for the transaction that erases an installation, or one of its teams: no token is left to post with. */
export const eraseReports: EraseHook = async (installation, trx, team) => {
  await trx.deleteFrom('reports').where(equal({ installation, team })).execute();
};

/** The columns of fields; Kysely leaves out undefined ones. */
function columnsOf({ subject, channel, hour, minute, zone, day }: Partial<ReportFields>) {
  return { subject: subject && JSON.stringify(subject), channel, hour, minute, zone, day };
}

function toReport(row: Selectable<ReportsTable>): Report {
  return {
    id: row.id,
    owner: { installation: row.installation, team: row.team },
    subject: readSubject(row.subject),
    channel: row.channel,
    hour: row.hour,
    minute: row.minute,
    zone: row.zone,
    day: row.day as ReportDay,
    createdBy: row.created_by,
    createdAt: row.created_at,
    dueAt: row.due_at,
    missed: row.missed,
    ...(row.paused_at === null ? {} : { paused: { at: row.paused_at, why: row.paused_why as ReportPause } }),
    ...present({ postedAt: row.posted_at, lastCode: row.last_code }),
  };
}

/** The stored subject; one that cannot be parsed counts as a relay that is gone, so that somebody chooses anew. */
function readSubject(text: string): ReportSubject {
  try {
    return reportSubject.parse(JSON.parse(text));
  } catch {
    return { relay: '' };
  }
}
