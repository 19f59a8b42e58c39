/**
 * The poller that folds lists of places: those that are due are claimed, so that instances share the work, and worked on
 * until nothing is left. A list that was changed meanwhile is left for the next poll.
 */
import { sql } from 'kysely';
import type { Random } from '../clock.js';
import { claimRows, columnsOfClaim, isUnclaimed, unclaimed } from '../database/claims/claim.js';
import { createIds } from '../database/ids.js';
import { codeOf } from '../errors.js';
import type { Log } from '../log.js';
import { createPoller, type Poller } from '../poller.js';
import { claimMs, type FoldDeps, foldStep } from './fold.js';
import { type PlaceList, resetsAround } from './list.js';
import { advance, deleteEndedRuns, PlacesChanged, restart, toPlaceList } from './table.js';

export interface PlaceFolderDeps extends FoldDeps {
  readonly random: Random;
  /** Unique among all processes that ever run on this store. */
  readonly instanceId: string;
  readonly log: Log;
}

export interface PlaceFolder extends Poller {
  /** Works on all that is due; for tests. */
  poll(stopping?: AbortSignal): Promise<void>;
}

/** How late a figure may be, at most, after a scan is stored. */
const pollEveryMs = 500;
const deletedAtOnce = 500;
/** A list that fails again and again is not tried at each poll. */
const failedMs = 30_000;

export function createPlaceFolder(deps: PlaceFolderDeps): PlaceFolder {
  const { store, clock, random, log, instanceId } = deps;
  const { db } = store;
  const makeId = createIds(clock, random);
  const failedAt = new Map<string, number>();

  const due = async (now: number): Promise<readonly string[]> => {
    const { rows } = await sql<{ id: string }>`select id from place_lists where ${isUnclaimed(now)}
      and (fill_to is not null or next_reset_at <= ${now}
        or exists (select 1 from place_marks where place_marks.list_id = place_lists.id))`.execute(db);
    return rows.map(({ id }) => id).filter((id) => now - (failedAt.get(id) ?? 0) >= failedMs);
  };

  const claim = async (id: string, now: number): Promise<PlaceList | undefined> => {
    const claimed = columnsOfClaim({ worker: instanceId, until: now + claimMs });
    const [row] = await db
      .transaction()
      .execute((trx) =>
        claimRows(trx, 'place_lists', claimed, (lists) => lists.where('id', '=', id).where(isUnclaimed(now))),
      );
    return row && toPlaceList(row);
  };

  const work = async (claimed: PlaceList, stopping: AbortSignal): Promise<void> => {
    const now = clock.now();
    if (claimed.nextResetAt !== undefined && claimed.nextResetAt <= now) {
      const { last, next } = resetsAround(claimed.settings, now);
      const change = { run: makeId(), reset_at: last, next_reset_at: next };
      await db.transaction().execute((trx) => restart(trx, claimed, change));
      return;
    }
    let list = claimed;
    for (let next = await foldStep(deps, list); next && !stopping.aborted; next = await foldStep(deps, list)) {
      list = next;
    }
    await advance(db, list, unclaimed);
  };

  const poll = async (stopping: AbortSignal = new AbortController().signal): Promise<void> => {
    const found = await due(clock.now());
    for (const id of found) {
      try {
        const list = stopping.aborted ? undefined : await claim(id, clock.now());
        await (list && work(list, stopping));
        failedAt.delete(id);
      } catch (error) {
        if (!(error instanceof PlacesChanged)) {
          failedAt.set(id, clock.now());
          log.error({ list: id, err: error, code: codeOf(error) }, 'a list of places could not be folded');
        }
      }
    }
    const more = await deleteEndedRuns(db, deletedAtOnce);
    if (!stopping.aborted && (more || (found.length > 0 && (await due(clock.now())).length > 0))) {
      await poll(stopping);
    }
  };

  const poller = createPoller({
    clock,
    everyMs: pollEveryMs,
    poll,
    onFailure: (error) => log.error({ err: error, code: codeOf(error) }, 'places could not be folded'),
  });
  return { ...poller, poll };
}
