/** The listeners of a list's preview, by which a list is turned on or saved. A change writes an audit entry. */
import { z } from 'zod';
import { isCounting, mostPlaceLists, type PlaceSettings } from '../../places/index.js';
import type { ModalView } from '../block-kit/elements.js';
import { record } from '../bolt/audit.js';
import { enterChannel } from '../bolt/channels.js';
import { encode } from '../bolt/metadata.js';
import { savingView } from '../bolt/problem/loading.js';
import type { ActorContext, BaseContext } from '../bolt/routing/context.js';
import { type Listener, modal, opener } from '../bolt/routing/listeners.js';
import { accountOf } from '../connection/account.js';
import { listModal } from './actions.js';
import { channelOf, type EnteredList, enteredRecords, previewMetadata } from './entered-list.js';
import { gateNames } from './gates.js';
import { findList, listGone } from './listed.js';
import { placesPreviewView, previewedSpan } from './views.js';

const spanChosen = opener('places.span', {
  role: 'manager',
  data: z.string(),
  metadata: previewMetadata,
  modalTitle: 'Preview',
  view: (context) => previewModal(context, context.metadata, context.data),
});

const dayMs = 24 * 3_600_000;
export const previewGone = 'This preview was too old. Nothing was saved: enter the list again.';

/** The values of the form that a preview follows; undefined: the preview is too old. */
export async function enteredIn(
  { deps, actor }: ActorContext,
  { entered, name, settings }: z.output<typeof previewMetadata>,
): Promise<EnteredList | undefined> {
  if (entered !== undefined) {
    return await enteredRecords.find(deps, actor.owner, entered);
  }
  return name === undefined || settings === undefined ? undefined : { name, settings };
}

export async function previewModal(
  context: ActorContext,
  metadata: z.output<typeof previewMetadata>,
  chosenSpan?: string,
): Promise<ModalView> {
  const { deps, actor } = context;
  const input = await enteredIn(context, metadata);
  if (!input) {
    return listModal(context, { problem: previewGone });
  }
  const settings = await withDevices(context, input.settings);
  const list = metadata.list === undefined ? undefined : await findList(context, metadata.list);
  const span = previewedSpan(settings, chosenSpan, list);
  const preview = await deps.places.preview(actor.owner, settings, {
    list,
    ...(span === 'today' ? {} : { span: Number(span) * dayMs }),
  });
  const nameOf = await gateNames(deps, actor.owner);
  const gates = [...new Set(preview.gates.map(nameOf))];
  const previewOptions = { span, list, gates, private_metadata: encode(previewMetadata, metadata) };
  return placesPreviewView(preview, { ...metadata, ...input }, previewOptions);
}

/** Settings with the other ids of their devices: the account's scans name a device by another id than relays do. */
async function withDevices({ deps, actor }: ActorContext, settings: PlaceSettings): Promise<PlaceSettings> {
  const chosenUdids = [...settings.in, ...settings.out].flatMap((one) =>
    one.kind === 'from' && one.what === 'device' ? one.ids : [],
  );
  if (chosenUdids.length === 0) {
    return settings;
  }
  const devices = await (await accountOf(deps, actor.owner)).names.devices();
  const ids = devices.filter(({ udid }) => chosenUdids.includes(udid)).map(({ udid, id }) => [udid, id] as const);
  return { ...settings, devices: Object.fromEntries(ids) };
}

const previewSaved = modal('places.save', {
  role: 'manager',
  metadata: previewMetadata,
  fields: ({ metadata: { list } }) => ({
    show: savingView(list === undefined ? 'New list' : 'Edit list'),
    input: undefined,
  }),
  run: async (context) => {
    const { deps, actor, metadata } = context;
    const { list } = metadata;
    const [lists, entered] = await Promise.all([deps.places.lists(actor.owner), enteredIn(context, metadata)]);
    const listAgain = (problem: string) => listModal(context, { problem });
    if (!entered) {
      await context.modal.show(await listAgain(previewGone));
      return;
    }
    const { name } = entered;
    if (list === undefined ? lists.length >= mostPlaceLists : !lists.some(({ id }) => id === list)) {
      await context.modal.show(
        await listAgain(list === undefined ? `A workspace has at most ${mostPlaceLists} lists.` : listGone),
      );
      return;
    }
    const input = { name, settings: await withDevices(context, entered.settings) };
    const channel = channelOf(input.settings);
    if (metadata.shared && channel !== undefined) {
      await enterChannel(context.client, channel, { sharedIsFine: true });
    }
    const made = list === undefined ? await deps.places.create(actor.owner, input, actor.userId) : undefined;
    await (list !== undefined && deps.places.change(list, input));
    await record(context, { what: made ? 'places/create' : 'places/change', detail: { list: name } });
    const saved = 'Saved. Scans are being counted.';
    const done = (await isCountedSoon(context, made ?? list)) ? saved : `${saved} ${laterText}`;
    const lost = made && entered.board !== undefined ? await showNew(context, made, entered.board) : undefined;
    await context.modal.showOutcome(
      await listModal(context, lost === undefined ? { done } : { problem: `${done} ${lost}` }),
    );
  },
});

/** How long the figures of a list are waited for: most lists are counted by then, and their boards begin right. */
const countedWithinMs = 3_000;
const lookEveryMs = 100;
const laterText = 'That takes a while: open this again for the figures. Boards follow by themselves.';

async function isCountedSoon(context: ActorContext, id: string | undefined): Promise<boolean> {
  const { clock } = context.deps;
  for (const until = clock.now() + countedWithinMs; clock.now() < until; await clock.sleep(lookEveryMs)) {
    const list = id === undefined ? undefined : await findList(context, id);
    if (!list || !isCounting(list, clock.now())) {
      return true;
    }
  }
  return false;
}

/** Shows a new list in a channel. Resolves to why it could not. */
async function showNew(context: ActorContext & Pick<BaseContext, 'client'>, list: string, channel: string) {
  const { client, deps, actor } = context;
  const entered = await enterChannel(client, channel);
  if (!entered.ok) {
    return entered.shared
      ? 'Its channel is shared with another organization: show it there from the list.'
      : entered.line;
  }
  await deps.places.showBoard(list, channel, actor.userId);
  return undefined;
}

export const previewActions: readonly Listener[] = [spanChosen, previewSaved];
