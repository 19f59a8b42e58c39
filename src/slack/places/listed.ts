/** The lists that count who is inside, with their figures; and one list by its id. */
import type { Owner } from '../../ownership.js';
import type { PlaceFigures, PlaceList } from '../../places/index.js';
import type { ActorContext } from '../bolt/routing/context.js';
import type { SlackDeps } from '../bolt/routing/deps.js';
import { isLentList } from '../lent/things.js';

export interface ListedPlaces {
  readonly list: PlaceList;
  readonly figures: PlaceFigures;
}

export async function listedPlaces(
  { places }: Pick<SlackDeps, 'places'>,
  owner: Owner,
): Promise<readonly ListedPlaces[]> {
  const lists = (await places.lists(owner)).filter((list) => !isLentList(list));
  return await Promise.all(lists.map(async (list) => ({ list, figures: await places.figures(list) })));
}

export const findList = async ({ deps, actor }: ActorContext, id: string) =>
  (await deps.places.lists(actor.owner)).find((list) => list.id === id);

export const listGone = 'Somebody deleted this list meanwhile.';
