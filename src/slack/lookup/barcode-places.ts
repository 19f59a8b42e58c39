/** The places of a barcode in the workspace's lists, for its card. */
import { codeOf } from '../../errors.js';
import type { Place, PlaceList } from '../../places/index.js';
import type { SlackDeps } from '../bolt/routing/deps.js';
import { holderNames } from '../lent/holders.js';
import { type LentViewer, seesHolder } from '../lent/things.js';

export interface BarcodePlace {
  readonly list: PlaceList;
  readonly place: Place;
  /** The name of the device; undefined where the scan names none. */
  readonly gate: string | undefined;
  /** The holder; undefined where the scan names nobody, or the reader may not see them. */
  readonly holder: string | undefined;
}

type Deps = Pick<SlackDeps, 'store' | 'accounts' | 'clock' | 'log'> & Partial<Pick<SlackDeps, 'places'>>;

/** The barcode's places; none where they cannot be read: the card is worth showing without them. Never rejects. */
export async function barcodePlaces(deps: Deps, viewer: LentViewer, value: string): Promise<readonly BarcodePlace[]> {
  try {
    const places = (await deps.places?.placesOf(viewer.owner, value)) ?? [];
    if (places.length === 0) {
      return [];
    }
    const names = await holderNames(deps, viewer.owner);
    return places.map(({ list, place }) => ({
      list,
      place,
      gate: names.gate(place.gate),
      holder: seesHolder(list, place, viewer, names) ? names.holder(place) : undefined,
    }));
  } catch (error) {
    deps.log.warn({ err: error, code: codeOf(error) }, 'a card is shown without the places of its barcode');
    return [];
  }
}
