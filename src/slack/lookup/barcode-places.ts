/** Where a barcode is by the workspace's lists, for its card. */
import { codeOf } from '../../errors.js';
import type { Place, PlaceList } from '../../places/index.js';
import type { SlackDeps } from '../bolt/routing/deps.js';
import { holderNames } from '../lent/holders.js';
import { type LentViewer, seesHolder } from '../lent/things.js';

export interface BarcodePlace {
  readonly list: PlaceList;
  readonly place: Place;
  /** Undefined: its scan names no device. */
  readonly gate: string | undefined;
  /** The holder; undefined: the scan names nobody, or the reader may not see it. */
  readonly holder: string | undefined;
}

type Deps = Pick<SlackDeps, 'store' | 'accounts' | 'clock' | 'log'> & Partial<Pick<SlackDeps, 'places'>>;

/** Never rejects: the card is worth showing without. */
export async function barcodePlaces(deps: Deps, viewer: LentViewer, value: string): Promise<readonly BarcodePlace[]> {
  try {
    const places = (await deps.places?.placesOf(viewer.owner, value)) ?? [];
    if (places.length === 0) {
      return [];
    }
    const names = await holderNames(deps, viewer.owner);
    return places.map(({ list, place }) => ({
      ...{ list, place, gate: names.gate(place.gate) },
      holder: seesHolder(list, place, viewer, names) ? names.holder(place) : undefined,
    }));
  } catch (error) {
    deps.log.warn({ err: error, code: codeOf(error) }, 'a card is shown without the places of its barcode');
    return [];
  }
}
