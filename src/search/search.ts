/**
 * The search among the scans kept here: the mirror's and the relays', newest first, for as long as its time allows. It
 * makes no call but for names that are not cached. `searchedTo` says how far back the search came.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import type { Clock } from '../clock.js';
import type { Account } from '../codereadr/types.js';
import type { Owner } from '../ownership.js';
import { type SeenScan, seenScan } from '../scans/seen-scan.js';
import { ever } from '../scans/walk.js';
import { type FindScansDeps, findScans, walkOf } from './find-scans.js';
import { matches, type ScanQuery } from './query.js';
import { createTotals, searchTotals, unitOf } from './totals.js';
import { parseWhen } from './when.js';

export interface ScanSearchRequest {
  readonly owner: Owner;
  readonly account: Account;
  readonly query: ScanQuery;
  /** The IANA name of the time zone. */
  readonly zone: string;
  /** How many milliseconds the search may take. */
  readonly budgetMs: number;
  /** The milliseconds after which a search whose answer is full ends; unset: it counts on for `budgetMs`. */
  readonly fullMs?: number | undefined;
  /** The most scans in the answer; the totals count all. */
  readonly limit: number;
  /** The position where an earlier answer ended, from which the search goes on. */
  readonly after?: ScanPosition | undefined;
  /** An earlier answer of this search, whose span and totals go on. Without it, the query's time is resolved anew. */
  readonly before?: Pick<ScanSearchAnswer, 'span' | 'unit' | 'totals'> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A position between two scans: of the second that begins at `at`, `skip` matching scans are behind. */
export const scanPosition = z.object({ at: z.number(), skip: z.number().int() }).readonly();
export type ScanPosition = z.output<typeof scanPosition>;

/** The answer, which is also stored, so that buttons below results act on the shown scans. */
export const scanSearchAnswer = z
  .object({
    scans: z.array(seenScan).readonly(),
    totals: searchTotals,
    unit: z.enum(['hour', 'day']),
    /** The searched span of time, as words like “today” were understood when the search was made. */
    span: z.object({ from: z.number().optional(), to: z.number().optional() }).readonly(),
    /** When the search was made, which is the time of the relays' scans. */
    askedAt: z.number(),
    /** The position behind the answer's last scan; undefined: there are no more scans, as far as was searched. */
    next: scanPosition.optional(),
    /** Where a search that ran out of time stopped: all later scans were checked. Undefined: all scans were checked. */
    searchedTo: scanPosition.optional(),
    /** The copy of the account's scans that was searched; undefined: there is none, and all scans are the relays'. */
    copy: z.object({ at: z.number(), fullAt: z.number().optional(), since: z.number() }).readonly().optional(),
  })
  .readonly();
export type ScanSearchAnswer = z.output<typeof scanSearchAnswer>;

/** How many slices are counted before `fullMs` ends a search: a small workspace’s scans are mostly counted whole. */
const leastSlices = 4;

export type SearchScans = (request: ScanSearchRequest) => Promise<ScanSearchAnswer | 'no_span'>;

export function createScanSearch(deps: FindScansDeps & { readonly clock: Clock }): SearchScans {
  const { clock } = deps;

  return async ({ owner, account, query, zone, after, limit, signal, before, ...request }) => {
    const startedAt = clock.now();
    const timeSpan = before?.span ?? (query.when === undefined ? {} : parseWhen(query.when, startedAt, zone));
    if (timeSpan === undefined) {
      return 'no_span';
    }
    const spanStart = timeSpan.from ?? ever.from;
    const spanEnd = Math.min(timeSpan.to ?? ever.to, after === undefined ? ever.to : after.at + 1_000);
    const walk = walkOf(query, spanStart, spanEnd);
    const foundScans = await findScans(deps, { owner, account, walk, priority: 'person', signal });
    const unit = before?.unit ?? unitOf(Math.min(timeSpan.to ?? startedAt, startedAt) - spanStart);
    const counter = createTotals(unit, zone, before?.totals);
    const page: { at: number; scan: SeenScan }[] = [];
    let hasMore = false;
    let slices = 0;
    let skipped = 0;
    let searchedTo: number | undefined;
    for await (const { reached, scans } of foundScans.slices) {
      for (const { at, scan, searched } of scans) {
        if (!matches(query, timeSpan, searched)) {
          continue;
        }
        if (after && secondStart(at) === after.at && skipped < after.skip) {
          skipped += 1;
          continue;
        }
        counter.add(searched);
        if (page.length < limit) {
          page.push({ at, scan });
        } else {
          hasMore = true;
        }
      }
      slices += 1;
      const isFull = hasMore && slices >= leastSlices;
      const budgetMs = Math.min(request.budgetMs, (isFull ? request.fullMs : undefined) ?? request.budgetMs);
      // A second is searched whole, since the next search would begin with it again.
      if (Number.isFinite(reached) && reached < (after?.at ?? ever.to) && clock.now() - startedAt >= budgetMs) {
        searchedTo = reached;
        break;
      }
      signal?.throwIfAborted();
      // Other work gets a turn between two slices, as SQLite answers at once.
      await nextTurn();
    }
    return {
      scans: page.map(({ scan }) => scan),
      totals: counter.totals(),
      unit,
      span: timeSpan,
      askedAt: startedAt,
      next: hasMore ? positionBehind(page, after) : undefined,
      searchedTo: searchedTo === undefined ? undefined : { at: secondStart(searchedTo), skip: 0 },
      copy: foundScans.copy,
    };
  };
}

function positionBehind(page: readonly { readonly at: number }[], after: ScanPosition | undefined): ScanPosition {
  const at = secondStart(page.at(-1)?.at ?? 0);
  const before = after?.at === at ? after.skip : 0;
  return { at, skip: before + page.filter((each) => secondStart(each.at) === at).length };
}

function secondStart(at: number): number {
  return Math.floor(at / 1_000) * 1_000;
}
