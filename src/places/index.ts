/** The public interface of places: where barcodes are, by their scans in the order of their moments. */
import type { Transaction } from 'kysely';
import { createIds } from '../database/ids.js';
import type { Schema } from '../database/schema.js';
import type { Owner } from '../ownership.js';
import { erasePlaces, forgetPlaces } from './erase.js';
import { figuresOf, type Place, type PlaceFigures, placeOf } from './figures.js';
import { createPlaceFolder, type PlaceFolder, type PlaceFolderDeps } from './folder.js';
import { countsAlike, type PlaceList, type PlaceSettings, resetsAround } from './list.js';
import { type PlacesPreview, previewPlaces } from './preview.js';
import { advance, allScans, listsOf, lockList, removeList, restart } from './table.js';

export { erasePlaceLists } from './erase.js';
export type { GateFigures, Place, PlaceFigures } from './figures.js';
export {
  longestPlaceName,
  mostPlaceConditions,
  mostPlaceLists,
  type PlaceList,
  type PlaceSettings,
  placeSettings,
} from './list.js';
export type { PlacesPreview } from './preview.js';

export interface PlaceListInput {
  readonly name: string;
  readonly settings: PlaceSettings;
}

export interface Places {
  lists(owner: Owner): Promise<readonly PlaceList[]>;
  create(owner: Owner, input: PlaceListInput, by: string): Promise<void>;
  /** A list that now counts other scans counts anew from its last reset. A list that was removed stays so. */
  change(id: string, input: PlaceListInput): Promise<void>;
  /** Everybody is outside from now on. */
  reset(id: string): Promise<void>;
  remove(id: string): Promise<void>;
  preview(
    owner: Owner,
    settings: PlaceSettings,
    /** How far back, in milliseconds; undefined: since the day began. */
    span?: number,
  ): Promise<PlacesPreview>;
  figures(list: PlaceList): Promise<PlaceFigures>;
  /** Of each list in which the barcode moved since the last reset. */
  placesOf(owner: Owner, value: string): Promise<readonly { readonly list: PlaceList; readonly place: Place }[]>;
  /** Deletes what lists keep of a barcode; after its scans. */
  forget(owner: Owner, value: string): Promise<number>;
  /** Deletes what lists keep; after the scans. */
  erase(owner: Owner, stopping: AbortSignal): Promise<void>;
  readonly folder: PlaceFolder;
}

export function createPlaces(deps: PlaceFolderDeps): Places {
  const { store, clock, random } = deps;
  const { db } = store;
  const makeId = createIds(clock, random);
  const folder = createPlaceFolder(deps);
  const begins = (settings: PlaceSettings) => {
    const { last, next } = resetsAround(settings, clock.now());
    return { reset_at: last, next_reset_at: next };
  };

  const changing = async (id: string, change: (trx: Transaction<Schema>, list: PlaceList) => Promise<unknown>) => {
    await db.transaction().execute(async (trx) => {
      const list = await lockList(trx, id);
      await (list && change(trx, list));
    });
    folder.wake();
  };

  return {
    lists: (owner) => listsOf(db, owner),

    async create({ installation, team }, { name, settings }, by) {
      await db
        .insertInto('place_lists')
        .values({
          ...{ id: makeId(), installation, team, kind: 'inside', name, settings: JSON.stringify(settings) },
          ...{ run: makeId(), ...begins(settings), fill_to: allScans, created_by: by, created_at: clock.now() },
        })
        .execute();
      folder.wake();
    },

    async change(id, { name, settings }) {
      await changing(id, async (trx, list) => {
        const change = { name, settings: JSON.stringify(settings), next_reset_at: begins(settings).next_reset_at };
        await (countsAlike(list.settings, settings)
          ? advance(trx, list, change)
          : restart(trx, list, { ...change, run: makeId() }));
      });
    },

    reset: (id) => changing(id, (trx, list) => restart(trx, list, { run: makeId(), reset_at: clock.now() })),
    remove: (id) => changing(id, removeList),
    preview: (owner, settings, span) => {
      const now = clock.now();
      const from = span === undefined ? resetsAround(settings, now).last : now - span;
      return previewPlaces(deps, owner, settings, { from, to: now + 1 });
    },
    figures: (list) => figuresOf(db, list, clock.now()),

    async placesOf(owner, value) {
      const lists = await listsOf(db, owner);
      const found = await Promise.all(lists.map(async (list) => ({ list, place: await placeOf(db, list, value) })));
      return found.flatMap(({ list, place }) => (place ? { list, place } : []));
    },

    forget: (owner, value) => forgetPlaces(db, owner, value),
    erase: (owner, stopping) => erasePlaces(db, makeId, owner, stopping),
    folder,
  };
}
