/** Where a barcode is by the workspace's lists, for its card. */
import { ownerNames } from '../../codereadr/names.js';
import { codeOf } from '../../errors.js';
import type { Owner } from '../../ownership.js';
import type { Place } from '../../places/index.js';
import type { SlackDeps } from '../bolt/routing/deps.js';

export interface BarcodePlace extends Pick<Place, 'inside' | 'at'> {
  readonly list: string;
  /** Undefined: its scan names no device. */
  readonly gate: string | undefined;
}

type Deps = Pick<SlackDeps, 'store' | 'accounts' | 'clock' | 'log'> & Partial<Pick<SlackDeps, 'places'>>;

/** Never rejects: the card is worth showing without. */
export async function barcodePlaces(deps: Deps, owner: Owner, value: string): Promise<readonly BarcodePlace[]> {
  try {
    const found = (await deps.places?.placesOf(owner, value)) ?? [];
    if (found.length === 0) {
      return [];
    }
    const nameOf = await ownerNames(deps, owner, (names) => names.findNames(['devices']));
    return found.map(({ list, place: { inside, at, gate } }) => ({
      ...{ list: list.name, inside, at },
      gate: gate === '' ? undefined : (nameOf('device', gate) ?? gate),
    }));
  } catch (error) {
    deps.log.warn({ err: error, code: codeOf(error) }, 'a card is shown without the places of its barcode');
    return [];
  }
}
