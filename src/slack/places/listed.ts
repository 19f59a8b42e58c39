/** The lists of a workspace with their figures. */
import type { Owner } from '../../ownership.js';
import type { SlackDeps } from '../bolt/routing/deps.js';
import type { ListedPlaces } from './views.js';

export async function listedPlaces(
  { places }: Pick<SlackDeps, 'places'>,
  owner: Owner,
): Promise<readonly ListedPlaces[]> {
  const lists = await places.lists(owner);
  return await Promise.all(lists.map(async (list) => ({ list, figures: await places.figures(list) })));
}
