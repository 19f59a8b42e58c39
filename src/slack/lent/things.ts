/** What is lent, as one person may see it: their own, and what others have where the list or their role allows it. */
import { compareNames } from '../../english.js';
import type { Owner } from '../../ownership.js';
import { isCounting, type Place, type PlaceList } from '../../places/index.js';
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
  /** When the thing was looked up. */
  readonly asOf: number;
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

/** A list of lent things, and what is out, whoever has it. `counting`: things may be missing. */
export interface LentList {
  readonly list: PlaceList;
  readonly out: readonly Place[];
  readonly counting: boolean;
}

export async function lentLists({ places, clock }: Pick<LentDeps, 'places' | 'clock'>, owner: Owner) {
  const lists = (await places.lists(owner)).filter(isLentList);
  return await Promise.all(
    lists.map(async (list): Promise<LentList> => {
      return { list, out: await places.bySide(list, false), counting: isCounting(list, clock.now()) };
    }),
  );
}

export const isOverdue = ({ dueAt }: Place, now: number): boolean => dueAt !== undefined && dueAt < now;

export interface LentThings {
  /** The things that the viewer may see, by list and holder, those with something overdue first. */
  readonly things: readonly LentThing[];
  /** All lists of the kind “Who has it” in the workspace. */
  readonly lists: readonly LentList[];
  /** Whether scans are still being counted, so that things may be missing. */
  readonly counting: boolean;
}

/** What is lent. `text`: part of a barcode, a thing's name, a holder's or a list's. */
export async function lentThings(deps: LentDeps, viewer: LentViewer, text = ''): Promise<LentThings> {
  const loans = await lentLists(deps, viewer.owner);
  if (loans.length === 0) {
    return { things: [], lists: [], counting: false };
  }
  const names = await holderNames(deps, viewer.owner);
  const now = deps.clock.now();
  const searchText = text.trim().toLowerCase();
  const things = loans
    .flatMap(({ list, out }) => out.map((place) => ({ list, place })))
    .filter(({ list, place }) => seesHolder(list, place, viewer, names))
    .map(({ list, place }) => ({
      list,
      place,
      holder: names.holder(place),
      isMine: names.member(place)?.id === viewer.userId,
      isOverdue: isOverdue(place, now),
      asOf: now,
    }))
    .filter(({ list, place, holder = '' }) =>
      [place.value, place.response ?? '', holder, list.name].some((one) => one.toLowerCase().includes(searchText)),
    );
  const sorted = byHolder(things);
  const order = [...new Set(sorted.map(({ list }) => list))];
  return {
    things: sorted.toSorted((one, other) => order.indexOf(one.list) - order.indexOf(other.list)),
    lists: loans,
    counting: loans.some(({ counting }) => counting),
  };
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
