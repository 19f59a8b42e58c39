/** *Roll call* below `/scandesk inside`: who is inside, for admins and people whom the list names, never in a channel. */
import type { ViewOutput } from '@slack/bolt';
import { z } from 'zod';
import type { PlaceList } from '../../places/index.js';
import type { ModalView } from '../block-kit/elements.js';
import { record } from '../bolt/audit.js';
import { SlackError } from '../bolt/errors.js';
import type { RequiredRole } from '../bolt/people/permissions.js';
import { loadingView } from '../bolt/problem/loading.js';
import { noticeView } from '../bolt/problem/notice.js';
import type { ActionContext, BaseContext } from '../bolt/routing/context.js';
import { action, type Listener, modal } from '../bolt/routing/listeners.js';
import { formStateIn } from '../forms/view-state.js';
import { holderNames } from '../lent/holders.js';
import { rollCallMetadata, rollCallTitle, rollCallView } from './roll-call-view.js';

export function maySeeInside(
  { settings }: Pick<PlaceList, 'settings'>,
  { userId, role }: { readonly userId: string; readonly role: RequiredRole },
): boolean {
  return role === 'admin' || settings.rollCall?.includes(userId) === true;
}

type Metadata = z.output<typeof rollCallMetadata>;

/** @throws SlackError `slack.not_allowed` */
async function page(context: Pick<BaseContext, 'deps' | 'actor' | 'client'>, metadata: Metadata): Promise<ModalView> {
  const { deps, actor, client } = context;
  const list = (await deps.places.lists(actor.owner)).find(({ id }) => id === metadata.list);
  if (!list) {
    return noticeView(rollCallTitle, 'Somebody deleted this list meanwhile.');
  }
  const role = await deps.permissions.highestRole(client, actor);
  if (!maySeeInside(list, { userId: actor.userId, role })) {
    throw new SlackError('slack.not_allowed', `${actor.userId} is not permitted by the list`, { why: 'not_admin' });
  }
  const [all, names] = await Promise.all([deps.places.where(list, true), holderNames(deps, actor.owner)]);
  const wanted = metadata.text.trim().toLowerCase();
  const nameOf = ({ holder, value }: (typeof all)[number]) => holder ?? value;
  const found = all
    .filter(({ holder = '', value }) => [holder, value].some((one) => one.toLowerCase().includes(wanted)))
    .toSorted((one, other) => nameOf(one).localeCompare(nameOf(other), undefined, { numeric: true }));
  return rollCallView({ list, found, inside: all.length, gateName: names.gate }, metadata);
}

const open = action('places.roll', {
  role: 'everyone',
  data: z.string(),
  modalTitle: rollCallTitle,
  async run(context) {
    const { actor, data: list } = context;
    await context.modal.fill(rollCallTitle, async () => {
      const view = await page(context, { channel: actor.channelId, list, text: '', page: 0 });
      await record(context, { what: 'places/roll_call', detail: { list: await nameOf(context, list) } });
      return view;
    });
  },
});

const nameOf = async ({ deps, actor }: ActionContext, id: string) =>
  (await deps.places.lists(actor.owner)).find((list) => list.id === id)?.name;

const searchIn = (view: ViewOutput) => formStateIn(view).text('places.roll.search');

/** Enter in the search field. */
const entered = action('places.roll.search', {
  role: 'everyone',
  metadata: rollCallMetadata,
  async run(context) {
    const text = searchIn(context.inside.view);
    await context.modal.fill(rollCallTitle, () => page(context, { ...context.metadata, text, page: 0 }));
  },
});

const searched = modal('places.roll', {
  role: 'everyone',
  metadata: rollCallMetadata,
  fields: ({ view }) => ({ show: loadingView(rollCallTitle, 'Searching…'), input: searchIn(view) }),
  async run(context, text: string) {
    await context.modal.show(await page(context, { ...context.metadata, text, page: 0 }));
  },
});

const turned = action(['places.roll.back', 'places.roll.more'], {
  role: 'everyone',
  data: z.string(),
  metadata: rollCallMetadata,
  async run(context) {
    await context.modal.fill(rollCallTitle, () => page(context, { ...context.metadata, page: Number(context.data) }));
  },
});

export const rollCallActions: readonly Listener[] = [open, entered, searched, turned];
