/**
 * The poller that folds lists of places: due lists are claimed, so that instances share the work, and folded until no
 * mark is left; then overdue things are handled. The work on a list that was changed meanwhile begins again.
 */
import { sql } from 'kysely';
import type { Random } from '../clock.js';
import { claimRows, columnsOfClaim, isUnclaimed, unclaimed } from '../database/claims/claim.js';
import { createIds } from '../database/ids.js';
import { codeOf } from '../errors.js';
import { createPoller } from '../poller.js';
import { lastMark } from '../scans/marks.js';
import { planThresholds } from './alerts.js';
import { planBoards } from './boards.js';
import { claimMs, type FoldDeps, foldMarked, isMarking, markStored } from './fold.js';
import { createOverdue, type OverdueDeps, openSilently } from './lent/overdue.js';
import { createReturns } from './lent/returns.js';
import { beginningWith, type PlaceList } from './list.js';
import { deleteEndedRuns, PlacesChanged, toPlaceList, updateList } from './list-rows.js';
import { resetList } from './reset.js';

export interface PlaceFolderDeps extends FoldDeps, Omit<OverdueDeps, 'makeId' | 'store'> {
  readonly random: Random;
  /** The id of this process, unique among all that ever run on this store. */
  readonly instanceId: string;
}

/** How often lists are polled: about how long a stored scan waits until it is folded. */
const pollEveryMs = 500;
const deletedAtOnce = 500;
/** How long a list that failed is left alone, so that it is not tried at each poll. */
const failedMs = 30_000;

export function createPlaceFolder(deps: PlaceFolderDeps) {
  const { store, clock, random, log, instanceId, onPosts } = deps;
  const { db } = store;
  const makeId = createIds(clock, random);
  const failedAt = new Map<string, number>();
  const overdue = createOverdue({ ...deps, makeId });
  const returns = createReturns(deps);

  /** The due lists, also those whose claim ran out or was ended by somebody's change: their work was not finished. */
  const dueLists = async (now: number): Promise<readonly string[]> => {
    const { rows } = await sql<{ id: string }>`select id from place_lists where ${isUnclaimed(now)}
      and (fill_to is not null or next_reset_at <= ${now} or claimed_by is not null
        or exists (select 1 from place_marks where place_marks.list_id = place_lists.id)
        or exists (select 1 from place_boards where place_boards.list_id = place_lists.id
          and place_boards.due_at <= ${now} and place_boards.lost_at is null))`.execute(db);
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

  const foldList = async (claimedList: PlaceList, stopping: AbortSignal): Promise<void> => {
    const now = clock.now();
    const beginning = beginningWith(claimedList.settings, now, claimedList);
    if (beginning.reset_at !== claimedList.resetAt) {
      const change = { ...beginning, run: makeId() };
      await db.transaction().execute((trx) => resetList(trx, claimedList, change, now));
      return;
    }
    let list = claimedList;
    while (isMarking(list) && !stopping.aborted) {
      list = await markStored(deps, list, list.fillTo ?? 0);
    }
    // Scans stored by now are folded before the figures are shown, so that nobody sees the count of a part of them.
    const lastMarked = await lastMark(db, list.id);
    let isChanged = lastMarked === undefined;
    for (let markedUpTo = lastMarked; markedUpTo !== undefined && !stopping.aborted; ) {
      const folded = await foldMarked(deps, list, markedUpTo);
      list = folded?.list ?? list;
      isChanged ||= folded?.isChanged === true;
      markedUpTo = folded && markedUpTo;
      if (folded?.hasPosts) onPosts();
    }
    const isDone = !stopping.aborted;
    if (isDone && list.fillTo !== undefined) {
      list = await finishCounting(list);
      isChanged = true;
    }
    list = isDone ? await showList(list, isChanged) : list;
    const { next_reset_at } = beginning;
    await updateList(db, list, { next_reset_at, ...(isDone ? unclaimed : { claimed_until: now }) });
  };

  /** Ends the counting of a list: what was overdue before it counted anew is not posted. */
  const finishCounting = (list: PlaceList): Promise<PlaceList> =>
    db.transaction().execute(async (trx) => {
      const counted = await updateList(trx, list, { fill_to: null, quiet_to: null });
      const { quietTo: to } = list;
      await (to !== undefined && openSilently(trx, counted, { to, now: clock.now(), makeId }));
      return counted;
    });

  /** Updates boards and alerts by the figures as they are known now. */
  const showList = async (list: PlaceList, isChanged: boolean): Promise<PlaceList> => {
    const now = clock.now();
    const [writeBoards, writeThresholds] = await Promise.all([
      planBoards(db, list, { isChanged, now }),
      planThresholds(db, list, { makeKey: makeId, now }),
    ]);
    if (!writeBoards && !writeThresholds) {
      return list;
    }
    const shown = await db.transaction().execute(async (trx) => {
      const next = await updateList(trx, list, { claimed_until: now + claimMs });
      await writeThresholds?.(trx);
      await writeBoards?.(trx);
      return next;
    });
    onPosts();
    return shown;
  };

  const workOn = async (id: string, stopping: AbortSignal): Promise<void> => {
    try {
      const list = stopping.aborted ? undefined : await claim(id, clock.now());
      await (list && foldList(list, stopping));
      failedAt.delete(id);
    } catch (error) {
      if (!(error instanceof PlacesChanged)) {
        failedAt.set(id, clock.now());
        log.error({ list: id, err: error, code: codeOf(error) }, 'a list of places could not be folded');
      }
    }
  };

  /** Folds all due lists, then handles overdue things, and those that people wait for. */
  const poll = async (stopping: AbortSignal = new AbortController().signal): Promise<void> => {
    await fold(stopping);
    await overdue.check();
    await returns.check();
  };

  const fold = async (stopping: AbortSignal): Promise<void> => {
    for (let hasMore = true; hasMore && !stopping.aborted; ) {
      const found = await dueLists(clock.now());
      for (const id of found) {
        await workOn(id, stopping);
      }
      hasMore = (await deleteEndedRuns(db, deletedAtOnce)) || found.length > 0;
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
