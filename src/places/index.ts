/** The public interface of places: where barcodes are, by their scans in the order of their moments. */
import type { Transaction } from 'kysely';
import { createIds } from '../database/ids.js';
import type { Schema } from '../database/schema.js';
import { remindDaily, remindNow } from '../incidents/overdue.js';
import { thresholdsOf } from '../incidents/thresholds.js';
import type { Owner } from '../ownership.js';
import { addBoard, type BoardOutcome, boardsOf, redrawBoards, removeBoards } from './boards.js';
import { erasePlaces, forgetPlaces } from './erase.js';
import { figuresOf, minutesOf } from './figures.js';
import { createPlaceFolder, type PlaceFolderDeps } from './folder.js';
import { changeLoan, type Loan, type LoanChange, loanOf } from './lent/loan.js';
import { quietTo } from './lent/overdue.js';
import { beginningOf, beginningWith, countsAlike, type PlaceList, type PlaceSettings } from './list.js';
import { allScans, findList, listsOf, lockList, updateList } from './list-rows.js';
import { type Place, readPlaces } from './place.js';
import { previewPlaces } from './preview.js';
import { countAnew, endList, resetList } from './reset.js';

export type { CrossedThreshold } from '../incidents/thresholds.js';
export { type BoardContent, mostBoards, type PlaceBoard } from './boards.js';
export type { DoubleScan } from './doubles.js';
export { erasePlaceLists } from './erase.js';
export type { GateFigures, PlaceCourse, PlaceFigures, PlaceMinute } from './figures.js';
export type { Loan, LoanChange } from './lent/loan.js';
export type { OverduePost } from './lent/overdue-post.js';
export {
  isCounting,
  longestPlaceName,
  mostCapacity,
  mostLentMinutes,
  mostPercent,
  mostPlaceLists,
  mostThresholds,
  type PlaceList,
  type PlaceSettings,
  placeSettings,
} from './list.js';
export * from './maker.js';
export type { Place } from './place.js';
export type { PlacesPreview } from './preview.js';

export interface PlaceListInput {
  readonly name: string;
  readonly settings: PlaceSettings;
}

const kindOf = ({ custody }: PlaceSettings) => (custody ? ('custody' as const) : ('inside' as const));

export function createPlaces(deps: PlaceFolderDeps) {
  const { store, clock, random, onPosts } = deps;
  const { db } = store;
  const makeId = createIds(clock, random);
  const folder = createPlaceFolder(deps);

  /** Places of the list's present day: the run may still be of the last one. */
  const ofDay = async (list: PlaceList, query: Parameters<typeof readPlaces>[2]) => {
    const since = beginningOf(list, clock.now());
    return (await readPlaces(db, list, query)).filter(({ at }) => at >= since);
  };

  const changeLocked = async <T>(id: string, change: (trx: Transaction<Schema>, list: PlaceList) => Promise<T>) => {
    const changed = await db.transaction().execute(async (trx) => {
      const list = await lockList(trx, id);
      return list && change(trx, list);
    });
    folder.wake();
    onPosts();
    return changed;
  };

  /** Settings by which double admissions, and reminders before a thing is due, are posted from now on, or as before. */
  const withSince = (settings: PlaceSettings, before?: PlaceSettings): PlaceSettings => {
    const { alerts, custody } = settings;
    const [now, soonBefore] = [clock.now(), before?.custody?.before];
    const since = before?.alerts?.doubles?.since ?? now;
    const isSame = soonBefore?.minutes === custody?.before?.minutes;
    const soon = custody?.before && { ...custody.before, since: (isSame ? soonBefore?.since : undefined) ?? now };
    return {
      ...settings,
      ...(alerts?.doubles ? { alerts: { ...alerts, doubles: { ...alerts.doubles, since } } } : {}),
      ...(custody ? { custody: { ...custody, before: soon } } : {}),
    };
  };

  const columnsOf = (name: string, settings: PlaceSettings) => {
    const { minutes } = settings.custody?.before ?? {};
    const before_ms = minutes === undefined ? null : minutes * 60_000;
    return { name, settings: JSON.stringify(settings), kind: kindOf(settings), before_ms };
  };

  return {
    lists: (owner: Owner) => listsOf(db, owner),

    /** Creates a list; resolves to its id. */
    async create(
      { installation, team }: Owner,
      { name, settings: givenSettings }: PlaceListInput,
      by: string,
    ): Promise<string> {
      const id = makeId();
      const settings = withSince(givenSettings);
      await db
        .insertInto('place_lists')
        .values({
          id,
          installation,
          team,
          ...columnsOf(name, settings),
          run: makeId(),
          ...beginningWith(settings, clock.now()),
          fill_to: allScans,
          created_by: by,
          quiet_to: clock.now(),
          created_at: clock.now(),
        })
        .execute();
      folder.wake();
      return id;
    },

    /** Changes a list, if it still exists; one that now counts other scans counts anew from its last reset. */
    async change(id: string, { name, settings: newSettings }: PlaceListInput): Promise<void> {
      await changeLocked(id, async (trx, list) => {
        const now = clock.now();
        const beginning = beginningWith(newSettings, now, list);
        const goesOn = countsAlike(list.settings, newSettings) && beginning.reset_at === list.resetAt;
        const settings = withSince(newSettings, goesOn ? list.settings : undefined);
        const change = { ...columnsOf(name, settings), ...beginning };
        const isDaily = settings.custody?.daily === true;
        await (isDaily !== (list.settings.custody?.daily === true) && remindDaily(trx, id, isDaily, now));
        if (goesOn) {
          await updateList(trx, list, change);
        } else {
          await countAnew(trx, list, { ...change, run: makeId(), quiet_to: await quietTo(trx, list, now) }, { now });
          // A board shows who is inside: a list of lent things has none.
          await (settings.custody && removeBoards(trx, id, now));
        }
      });
    },

    /** Resets a list: from now on everybody is outside, or nothing is lent. */
    async reset(id: string): Promise<void> {
      const now = clock.now();
      await changeLocked(id, (trx, list) =>
        resetList(trx, list, { run: makeId(), reset_at: now, cleared_at: now }, now),
      );
    },

    remove: (id: string) => changeLocked(id, (trx, list) => endList(trx, list, clock.now())),
    boards: ({ id }: PlaceList) => boardsOf(db, id),

    async showBoard(id: string, channel: string, by: string): Promise<BoardOutcome> {
      const board = { key: makeId(), channel, by };
      return (await changeLocked(id, (trx, list) => addBoard(trx, list, board, clock.now()))) ?? 'there';
    },

    async removeBoard({ id }: PlaceList, key: string): Promise<void> {
      await changeLocked(id, (trx) => removeBoards(trx, id, clock.now(), (board) => board.key === key));
    },

    /** Updates the boards' messages once another account, or none, is connected: the account names their gates. */
    async redrawBoards(owner: Owner): Promise<void> {
      for (const { id } of await listsOf(db, owner)) {
        await changeLocked(id, (trx) => redrawBoards(trx, id, clock.now()));
      }
    },

    /**
     * What a list would count with these settings. @param list the list whose settings they are to be
     * @param span how far back scans are counted, in milliseconds; undefined: as far as the list would count
     */
    preview(
      owner: Owner,
      settings: PlaceSettings,
      { span, list }: { readonly span?: number | undefined; readonly list?: PlaceList | undefined } = {},
    ) {
      const now = clock.now();
      const from = span === undefined ? beginningWith(settings, now, list).reset_at : now - span;
      return previewPlaces(deps, owner, settings, { from, to: now + 1 });
    },

    figures: (list: PlaceList) => figuresOf(db, list, clock.now()),
    minutes: (list: PlaceList) => minutesOf(db, list),
    /** The thresholds that are crossed now, newest first. */
    crossed: async ({ id, run }: PlaceList) => (await thresholdsOf(db, id, run)).filter(({ ended }) => !ended),

    /** The barcode's place in each list in which it moved since the last reset. */
    async placesOf(
      owner: Owner,
      value: string,
    ): Promise<readonly { readonly list: PlaceList; readonly place: Place }[]> {
      const lists = await listsOf(db, owner);
      const found = await Promise.all(lists.map(async (list) => ({ list, found: await ofDay(list, { value }) })));
      return found.flatMap(({ list, found: [place] }) => (place ? { list, place } : []));
    },

    /** The places of all barcodes that are inside, or of all that are outside, as lent things that are out. */
    bySide: (list: PlaceList, inside: boolean) => ofDay(list, { inside }),
    /** The loan of an overdue thing, by the key of the post about it; undefined: the thing or its list is gone. */
    loan: (owner: Owner, post: string): Promise<Loan | undefined> =>
      loanOf(db, { owner, postKey: post, now: clock.now() }, findList),
    /** Changes a loan, unless it has changed since the post (`isCurrent`). */
    async changeLoan(owner: Owner, post: string, change: LoanChange): Promise<Loan | undefined> {
      const loan = await changeLoan({ db, clock }, owner, post, change);
      folder.wake();
      return loan;
    },

    /** Reminds the holders of overdue things now. @returns of how many: others were reminded of within the last hour */
    remindNow: async ({ id }: PlaceList, things: readonly Pick<Place, 'key' | 'barcode'>[]): Promise<number> =>
      (await changeLocked(id, (trx) => remindNow(trx, id, things, clock.now()))) ?? 0,
    /** The place of a barcode by its keys. */
    place: async (list: PlaceList, name: Pick<Place, 'key' | 'barcode'>) => (await readPlaces(db, list, name))[0],

    /** Deletes the lists' rows of a barcode; called after its scans are deleted. */
    forget: (owner: Owner, value: string) => forgetPlaces(db, owner, value),
    /** Empties the owner's lists, which stay; called after the scans are deleted. */
    erase: (owner: Owner, stopping: AbortSignal) => erasePlaces(db, makeId, owner, { now: clock.now(), stopping }),
    folder,
  };
}

export type Places = ReturnType<typeof createPlaces>;
