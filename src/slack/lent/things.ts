/** What is lent, as one person may see it: their own, and what others have where the list or their role allows it. */
import { compareNames } from '../../english.js';
import type { Owner } from '../../ownership.js';
import type { Place, PlaceList } from '../../places/index.js';
import type { RequiredRole } from '../bolt/people/permissions.js';
import type { SlackDeps } from '../bolt/routing/deps.js';
import { type HolderDeps, type HolderNames, holderNames } from './holders.js';

export interface LentThing {
  readonly list: PlaceList;
  readonly place: Place;
  /** The holder's name; undefined where the scan names nobody. */
  readonly holder: string | undefined;
  readonly isMine: boolean;
  readonly isOverdue: boolean;
}

export interface LentViewer {
  readonly owner: Owner;
  readonly userId: string;
  readonly role: RequiredRole;
}

export type LentDeps = HolderDeps & Pick<SlackDeps, 'places' | 'clock'>;

export const isLentList = ({ settings }: Pick<PlaceList, 'settings'>) => settings.custody !== undefined;

/** Whether the viewer may see who has the thing. */
export function seesHolder(
  { settings }: Pick<PlaceList, 'settings'>,
  place: Place,
  { userId, role }: Pick<LentViewer, 'userId' | 'role'>,
  names: HolderNames,
): boolean {
  return settings.custody?.others === 'everyone' || role !== 'everyone' || names.member(place)?.id === userId;
}

/** Lent things by holder, holders of overdue ones first. `text`: part of a barcode, a name or the list's name. */
export async function lentThings(
  deps: LentDeps,
  viewer: LentViewer,
  { text = '', lists }: { readonly text?: string; readonly lists?: readonly PlaceList[] } = {},
): Promise<readonly LentThing[]> {
  const lent = (lists ?? (await deps.places.lists(viewer.owner))).filter(isLentList);
  if (lent.length === 0) {
    return [];
  }
  const [names, loans] = await Promise.all([
    holderNames(deps, viewer.owner),
    Promise.all(lent.map(async (list) => (await deps.places.bySide(list, false)).map((place) => ({ list, place })))),
  ]);
  const now = deps.clock.now();
  const searchText = text.trim().toLowerCase();
  const things = loans
    .flat()
    .filter(({ list, place }) => seesHolder(list, place, viewer, names))
    .map(({ list, place }) => ({
      ...{ list, place, holder: names.holder(place) },
      isMine: names.member(place)?.id === viewer.userId,
      isOverdue: (place.dueAt ?? now) < now,
    }))
    .filter(({ list, place, holder = '' }) =>
      [place.value, holder, list.name].some((one) => one.toLowerCase().includes(searchText)),
    );
  return byHolder(things);
}

const noDueTime = Number.MAX_SAFE_INTEGER;
const dueOf = ({ place }: LentThing) => place.dueAt ?? noDueTime;

function byHolder(things: readonly LentThing[]): readonly LentThing[] {
  const first = new Map<string | undefined, number>();
  for (const thing of things.filter(({ isOverdue }) => isOverdue)) {
    first.set(thing.holder, Math.min(first.get(thing.holder) ?? noDueTime, dueOf(thing)));
  }
  const urgency = ({ holder }: LentThing) => first.get(holder) ?? noDueTime;
  return things.toSorted(
    (one, other) =>
      urgency(one) - urgency(other) ||
      compareNames(one.holder ?? '\uffff', other.holder ?? '\uffff') ||
      dueOf(one) - dueOf(other) ||
      one.place.at - other.place.at,
  );
}
