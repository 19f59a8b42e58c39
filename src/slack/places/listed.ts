/** The lists that count who is inside, with their figures. */
import type { Owner } from '../../ownership.js';
import type { SlackDeps } from '../bolt/routing/deps.js';
import { isLentList } from '../lent/things.js';
import type { ListedPlaces } from './views.js';

export async function listedPlaces(
  { places }: Pick<SlackDeps, 'places'>,
  owner: Owner,
): Promise<readonly ListedPlaces[]> {
  const lists = (await places.lists(owner)).filter((list) => !isLentList(list));
  return await Promise.all(lists.map(async (list) => ({ list, figures: await places.figures(list) })));
}
