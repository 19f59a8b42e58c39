/** The public interface of places: where barcodes are, by their scans in the order of their moments. */
import type { Transaction } from 'kysely';
import { createIds } from '../database/ids.js';
import type { Schema } from '../database/schema.js';
import { type CrossedThreshold, thresholdsOf } from '../incidents/thresholds.js';
import type { Owner } from '../ownership.js';
import { addBoard, boardsOf, mostBoards, type PlaceBoard, removeBoards } from './boards.js';
import { erasePlaces, forgetPlaces } from './erase.js';
import { figuresOf, minutesOf, type PlaceFigures, type PlaceMinute } from './figures.js';
import { createPlaceFolder, type PlaceFolder, type PlaceFolderDeps } from './folder.js';
import { changeLoan, type Loan, type LoanChange, loanOf } from './lent/loan.js';
import { countsAlike, type PlaceList, type PlaceSettings, resetsAround } from './list.js';
import { type Place, readPlaces } from './place.js';
import { type PlacesPreview, previewPlaces } from './preview.js';
import { endList, resetList } from './reset.js';
import { advance, allScans, findList, listsOf, lockList, restart } from './table.js';

export type { CrossedThreshold } from '../incidents/thresholds.js';
export { type BoardContent, mostBoards, type PlaceBoard } from './boards.js';
export type { DoubleScan } from './doubles.js';
export { erasePlaceLists } from './erase.js';
export type { GateFigures, PlaceCourse, PlaceFigures, PlaceMinute } from './figures.js';
export type { Loan, LoanChange } from './lent/loan.js';
export type { OverduePost } from './lent/overdue-post.js';
export {
  longestPlaceName,
  mostCapacity,
  mostDoubleMinutes,
  mostLentMinutes,
  mostPercent,
  mostPlaceConditions,
  mostPlaceLists,
  mostThresholds,
  type PlaceList,
  type PlaceSettings,
  placeSettings,
} from './list.js';
export { createPlacesMaker } from './maker.js';
export type { Place } from './place.js';
export type { PlacesPreview } from './preview.js';
export type * from './publisher.js';

export interface PlaceListInput {
  readonly name: string;
  readonly settings: PlaceSettings;
}

export interface Places {
  lists(owner: Owner): Promise<readonly PlaceList[]>;
  create(owner: Owner, input: PlaceListInput, by: string): Promise<void>;
  /** A list that now counts other scans counts anew from its last reset. A list that was removed stays so. */
  change(id: string, input: PlaceListInput): Promise<void>;
  /** Resets a list: everybody is outside from now on. */
  reset(id: string): Promise<void>;
  remove(id: string): Promise<void>;
  preview(
    owner: Owner,
    settings: PlaceSettings,
    /** How far back the course goes, in milliseconds; undefined: since the day began. */
    span?: number,
  ): Promise<PlacesPreview>;
  figures(list: PlaceList): Promise<PlaceFigures>;
  minutes(list: PlaceList): Promise<readonly PlaceMinute[]>;
  /** The thresholds that are crossed now, newest first. */
  crossed(list: PlaceList): Promise<readonly CrossedThreshold[]>;
  boards(list: PlaceList): Promise<readonly PlaceBoard[]>;
  /** Shows a list in a channel. `there`: a board shows it already. */
  showBoard(id: string, channel: string, by: string): Promise<'shown' | 'there' | 'too_many'>;
  removeBoard(list: PlaceList, key: string): Promise<void>;
  /** The barcodes that are inside or, for lent things, out. */
  where(list: PlaceList, inside: boolean): Promise<readonly Place[]>;
  /** The loan by the post about it; undefined: the thing or its list is gone. */
  loan(owner: Owner, post: string): Promise<Loan | undefined>;
  /** Changes a loan; an outdated one stays unchanged. */
  changeLoan(owner: Owner, post: string, change: LoanChange): Promise<Loan | undefined>;
  /** The barcode's place in each list in which it moved since the last reset. */
  placesOf(owner: Owner, value: string): Promise<readonly { readonly list: PlaceList; readonly place: Place }[]>;
  /** Deletes the lists' rows of a barcode; called after its scans are deleted. */
  forget(owner: Owner, value: string): Promise<number>;
  /** Deletes the rows of all lists; called after the scans are deleted. */
  erase(owner: Owner, stopping: AbortSignal): Promise<void>;
  readonly folder: PlaceFolder;
}

const kindOf = ({ custody }: PlaceSettings) => (custody ? ('custody' as const) : ('inside' as const));

export function createPlaces(deps: PlaceFolderDeps): Places {
  const { store, clock, random, onPosts } = deps;
  const { db } = store;
  const makeId = createIds(clock, random);
  const folder = createPlaceFolder(deps);
  const resetTimes = (settings: PlaceSettings) => {
    const { last, next } = resetsAround(settings, clock.now());
    return { reset_at: last, next_reset_at: next };
  };

  const changeLocked = async (id: string, change: (trx: Transaction<Schema>, list: PlaceList) => Promise<unknown>) => {
    await db.transaction().execute(async (trx) => {
      const list = await lockList(trx, id);
      await (list && change(trx, list));
    });
    folder.wake();
    onPosts();
  };

  /** Settings by which double admissions are posted from now on. */
  const tellingSince = (settings: PlaceSettings, before?: PlaceSettings): PlaceSettings => {
    const { alerts } = settings;
    const since = before?.alerts?.doubles?.since ?? clock.now();
    return alerts?.doubles ? { ...settings, alerts: { ...alerts, doubles: { ...alerts.doubles, since } } } : settings;
  };

  return {
    lists: (owner) => listsOf(db, owner),

    async create({ installation, team }, { name, settings: given }, by) {
      const settings = tellingSince(given);
      await db
        .insertInto('place_lists')
        .values({
          ...{ id: makeId(), installation, team, kind: kindOf(settings), name, settings: JSON.stringify(settings) },
          ...{ run: makeId(), ...resetTimes(settings), fill_to: allScans, created_by: by, created_at: clock.now() },
        })
        .execute();
      folder.wake();
    },

    async change(id, { name, settings: newSettings }) {
      await changeLocked(id, async (trx, list) => {
        const settings = tellingSince(newSettings, list.settings);
        const { reset_at, next_reset_at } = resetTimes(settings);
        const [kind, before] = [kindOf(settings), kindOf(list.settings)];
        const reset = kind === before ? {} : { reset_at };
        const change = { name, settings: JSON.stringify(settings), kind, next_reset_at, ...reset };
        await (countsAlike(list.settings, settings)
          ? advance(trx, list, change)
          : restart(trx, list, { ...change, run: makeId() }));
      });
    },

    async reset(id) {
      const now = clock.now();
      await changeLocked(id, (trx, list) => resetList(trx, list, { run: makeId(), reset_at: now }, now));
    },

    remove: (id) => changeLocked(id, (trx, list) => endList(trx, list, clock.now())),
    boards: ({ id }) => boardsOf(db, id),

    async showBoard(id, channel, by) {
      let outcome: 'shown' | 'there' | 'too_many' = 'there';
      await changeLocked(id, async (trx, list) => {
        const boards = await boardsOf(trx, id);
        const isFull = boards.length >= mostBoards && !boards.some((board) => board.channel === channel);
        const isShown = !isFull && (await addBoard(trx, list, { key: makeId(), channel, by, now: clock.now() }));
        outcome = isFull ? 'too_many' : isShown ? 'shown' : 'there';
      });
      return outcome;
    },

    async removeBoard({ id }, key) {
      await changeLocked(id, async (trx) => {
        const isOfList = (await boardsOf(trx, id)).some((board) => board.key === key);
        await (isOfList && removeBoards(trx, [key], clock.now()));
      });
    },
    preview: (owner, settings, span) => {
      const now = clock.now();
      const from = span === undefined ? resetsAround(settings, now).last : now - span;
      return previewPlaces(deps, owner, settings, { from, to: now + 1 });
    },
    figures: (list) => figuresOf(db, list, clock.now()),
    minutes: (list) => minutesOf(db, list),
    crossed: async ({ id, run }) => (await thresholdsOf(db, id, run)).filter(({ ended }) => !ended),

    async placesOf(owner, value) {
      const lists = await listsOf(db, owner);
      const found = await Promise.all(
        lists.map(async (list) => ({ list, found: await readPlaces(db, list, { value }) })),
      );
      return found.flatMap(({ list, found: [place] }) => (place ? { list, place } : []));
    },

    where: (list, inside) => readPlaces(db, list, { inside }),
    loan: (owner, post) => loanOf(db, owner, post, (id) => findList(db, id)),
    async changeLoan(owner, post, change) {
      const loan = await changeLoan({ db, clock }, owner, post, change);
      folder.wake();
      return loan;
    },
    forget: (owner, value) => forgetPlaces(db, owner, value),
    erase: (owner, stopping) => erasePlaces(db, makeId, owner, stopping),
    folder,
  };
}
