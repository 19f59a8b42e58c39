/** *Roll call* below `/scandesk inside`: who is inside, for admins and people whom the list names, never in a channel. */
import type { ViewOutput } from '@slack/bolt';
import { z } from 'zod';
import { compareNames } from '../../english.js';
import type { InsidePlace } from '../../exports/index.js';
import { isCounting, type PlaceList, type Places } from '../../places/index.js';
import type { ModalView } from '../block-kit/elements.js';
import { record } from '../bolt/audit.js';
import { SlackError } from '../bolt/errors.js';
import type { RequiredRole } from '../bolt/people/permissions.js';
import { loadingView } from '../bolt/problem/loading.js';
import { noticeView } from '../bolt/problem/notice.js';
import type { BaseContext } from '../bolt/routing/context.js';
import { type Listener, modal, opener } from '../bolt/routing/listeners.js';
import { formStateIn } from '../forms/view-state.js';
import { type HolderDeps, holderNames } from '../lent/holders.js';
import { findList, listGone } from './listed.js';
import { rollCallMetadata, rollCallTitle, rollCallView } from './roll-call-view.js';

export function maySeeInside(
  { settings }: Pick<PlaceList, 'settings'>,
  { userId, role }: { readonly userId: string; readonly role: RequiredRole },
): boolean {
  return role === 'admin' || isNamed({ settings }, userId);
}

function isNamed({ settings }: Pick<PlaceList, 'settings'>, userId: string): boolean {
  return settings.rollCall?.includes(userId) === true;
}

/** The people inside, in the order of their names or barcodes. */
export async function rollCall(
  deps: HolderDeps & { readonly places: Pick<Places, 'bySide'> },
  list: PlaceList,
): Promise<readonly InsidePlace[]> {
  const [all, names] = await Promise.all([deps.places.bySide(list, true), holderNames(deps, list.owner)]);
  const nameOf = ({ place: { holder, value } }: InsidePlace) => holder ?? value;
  return all
    .map((place) => ({ place, gate: names.gate(place.gate) }))
    .toSorted((one, other) => compareNames(nameOf(one), nameOf(other)));
}

type Context = Pick<BaseContext, 'deps' | 'actor' | 'client'>;

/** The list of a roll call; undefined where somebody deleted it. @throws SlackError `slack.not_allowed` */
export async function rollCallList({ deps, actor, client }: Context, id: string): Promise<PlaceList | undefined> {
  const role = await deps.permissions.highestRole(client, actor);
  const list = await findList({ deps, actor }, id);
  if (list && !maySeeInside(list, { userId: actor.userId, role })) {
    throw new SlackError('slack.not_allowed', `${actor.userId} is not permitted by the list`, { why: 'not_admin' });
  }
  return list;
}

type Metadata = z.output<typeof rollCallMetadata>;

/** The roll call's view. @throws SlackError `slack.not_allowed` */
async function rollCallPage(context: Context, metadata: Metadata): Promise<ModalView> {
  const list = await rollCallList(context, metadata.list);
  if (!list) {
    return noticeView(rollCallTitle, listGone);
  }
  const all = await rollCall(context.deps, list);
  const searchText = metadata.text.trim().toLowerCase();
  const found = all.filter(({ place: { holder = '', value } }) =>
    [holder, value].some((one) => one.toLowerCase().includes(searchText)),
  );
  const counting = isCounting(list, context.deps.clock.now());
  const facts = { found, inside: all.length, isNamed: isNamed(list, context.actor.userId), counting };
  return rollCallView(list, facts, metadata);
}

const openRollCall = opener('places.roll', {
  role: 'everyone',
  data: z.string(),
  modalTitle: rollCallTitle,
  async view(context) {
    const { actor, data: list } = context;
    const view = await rollCallPage(context, { channel: actor.channelId, list, text: '', page: 0 });
    await record(context, { what: 'places/roll_call', detail: { list: (await findList(context, list))?.name } });
    return view;
  },
});

const searchIn = (view: ViewOutput) => formStateIn(view).text('places.roll.search');

/** Searches on Enter in the search field. */
const searchEntered = opener('places.roll.search', {
  role: 'everyone',
  metadata: rollCallMetadata,
  modalTitle: rollCallTitle,
  view: (context) => rollCallPage(context, { ...context.metadata, text: searchIn(context.inside.view), page: 0 }),
});

const searchSubmitted = modal('places.roll', {
  role: 'everyone',
  metadata: rollCallMetadata,
  fields: ({ view }) => ({ show: loadingView(rollCallTitle, 'Searching…'), input: searchIn(view) }),
  async run(context, text: string) {
    await context.modal.show(await rollCallPage(context, { ...context.metadata, text, page: 0 }));
  },
});

const turned = opener(['places.roll.back', 'places.roll.more'], {
  role: 'everyone',
  data: z.string(),
  metadata: rollCallMetadata,
  modalTitle: rollCallTitle,
  view: (context) => rollCallPage(context, { ...context.metadata, page: Number(context.data) }),
});

export const rollCallActions: readonly Listener[] = [openRollCall, searchEntered, searchSubmitted, turned];
