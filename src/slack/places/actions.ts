/** The listeners of the modals of lists. Each change writes an audit entry and shows the lists anew. */
import { z } from 'zod';
import { resourceName } from '../../codereadr/names.js';
import { isCounting, mostPlaceLists, type PlaceList, type PlaceSettings } from '../../places/index.js';
import { type ModalView, option } from '../block-kit/elements.js';
import type { ViewNotice } from '../block-kit/notice.js';
import { settled } from '../block-kit/text.js';
import { record } from '../bolt/audit.js';
import { enterChannel } from '../bolt/channels.js';
import { encode } from '../bolt/metadata.js';
import { savingView } from '../bolt/problem/loading.js';
import type { ActionContext, ActorContext, BaseContext } from '../bolt/routing/context.js';
import { action, type Listener, modal, opener } from '../bolt/routing/listeners.js';
import { accountOf } from '../connection/account.js';
import { formStateIn } from '../forms/view-state.js';
import { isLentList } from '../lent/things.js';
import {
  type EnteredList,
  enteredRecords,
  placesForm,
  placesFormView,
  placesMetadata,
  previewMetadata,
  readPlaces,
} from './form.js';
import { gateNames } from './gates.js';
import type { FormSource } from './kind-fields.js';
import { findList, listedPlaces, listGone } from './listed.js';
import { placesData, placesListView, placesPreviewView, placesTitle, previewedSpan } from './views.js';

type FormMetadata = z.output<typeof placesMetadata>;

export async function listModal({ deps, actor }: ActorContext, notice: ViewNotice = {}): Promise<ModalView> {
  const lent = (await deps.places.lists(actor.owner)).filter(isLentList);
  const [counted, out] = await Promise.all([
    listedPlaces(deps, actor.owner),
    Promise.all(
      lent.map(async (list) => {
        const [out, now] = [await deps.places.bySide(list, false), deps.clock.now()];
        const overdue = out.filter(({ dueAt = now }) => dueAt < now).length;
        return { list, out: out.length, overdue, counting: isCounting(list, now) };
      }),
    ),
  ]);
  return placesListView([...counted, ...out], { ...notice, channel: actor.channelId });
}

/** The source of the form's values. `enteredList`: the values entered in it. Undefined: the list to change is gone. */
async function sourceOf(
  context: ActorContext & Pick<BaseContext, 'person'>,
  id: string | undefined,
  enteredList?: EnteredList,
): Promise<FormSource | undefined> {
  const { deps, actor, person } = context;
  const list = id === undefined ? undefined : await findList(context, id);
  if (id !== undefined && !list) {
    return undefined;
  }
  const { names } = await accountOf(deps, actor.owner);
  const [services = [], devices = [], questions = []] = await Promise.all([
    names.cached('services'),
    names.cached('devices'),
    names.cached('questions'),
  ]);
  const nameOf: FormSource['nameOf'] = (kind, wanted) => {
    const found =
      kind === 'device'
        ? devices.find((one) => one.udid === wanted)
        : (kind === 'service' ? services : questions).find((one) => one.id === wanted);
    return found && option(settled(resourceName(found)), wanted);
  };
  return { list: enteredList ?? list, board: enteredList?.board, zone: person.zone ?? 'Etc/UTC', nameOf };
}

/** The form. `entered`: its entered values, and why it is shown again. */
async function formModal(
  context: ActorContext & Pick<BaseContext, 'person'>,
  { list: id, more }: Pick<FormMetadata, 'list' | 'more'> = {},
  entered?: EnteredList & { readonly problem?: string },
): Promise<ModalView> {
  const source = await sourceOf(context, id, entered);
  const metadata = { channel: context.actor.channelId, list: id, more, zone: source?.zone };
  return source
    ? placesFormView(placesForm.draft(source), metadata, entered?.problem)
    : listModal(context, { problem: listGone });
}

/** A listener that makes a change; `change` resolves to the notice about it. */
function changeAction(id: string, change: (context: ActionContext<string>) => Promise<string>): Listener {
  return opener(id, {
    role: 'manager',
    data: placesData,
    modalTitle: placesTitle,
    isOutcome: true,
    view: async (context) =>
      (await findList(context, context.data))
        ? listModal(context, { done: await change(context) })
        : listModal(context, { problem: listGone }),
  });
}

const openLists = opener('places.lists', {
  role: 'manager',
  modalTitle: placesTitle,
  view: (context) => listModal(context),
});

const newList = opener('places.new', {
  role: 'manager',
  modalTitle: 'New list',
  view: (context) => formModal(context),
});

const edit = opener('places.edit', {
  role: 'manager',
  data: placesData,
  modalTitle: 'Edit list',
  view: (context) => formModal(context, { list: context.data }),
});

const redraw = action(['places.redraw', 'places.more'], {
  role: 'manager',
  metadata: placesMetadata,
  async run(context) {
    const { deps, inside, action: pressed } = context;
    const metadata = { ...context.metadata, ...(pressed.action_id === 'places.more' ? { more: true } : {}) };
    await deps.rerenders.draw(context, async () => {
      const source = await sourceOf(context, metadata.list);
      const draft = placesForm.entered(formStateIn(inside.view), placesForm.draft(source));
      return placesFormView(draft, metadata);
    });
  },
});

const reset = changeAction('places.reset', async (context) => {
  const list = await findList(context, context.data);
  await context.deps.places.reset(context.data);
  await record(context, { what: 'places/reset', detail: { list: list?.name } });
  return list?.settings.custody
    ? 'Reset. Nothing counts as lent from now on.'
    : 'Reset. Everyone counts as outside from now on.';
});

const deleteList = changeAction('places.delete', async (context) => {
  const list = await findList(context, context.data);
  await context.deps.places.remove(context.data);
  await record(context, { what: 'places/delete', detail: { list: list?.name } });
  return 'List deleted.';
});

const formSubmitted = modal('places.form', {
  role: 'manager',
  metadata: placesMetadata,
  fields({ view, metadata }) {
    const read = readPlaces(formStateIn(view), metadata.zone);
    return 'errors' in read ? read : { show: savingView('Preview', 'Reading past scans…'), input: read };
  },
  run: async (context, entered) => {
    const { list, more, zone } = context.metadata;
    const input = withStored(entered, list === undefined ? undefined : await findList(context, list));
    const { alerts, custody } = input.settings;
    const channel = (custody ?? alerts)?.channel;
    const enteredChannel = channel === undefined ? undefined : await enterChannel(context.client, channel);
    if (enteredChannel && !enteredChannel.ok && !enteredChannel.shared) {
      await context.modal.show(await formModal(context, context.metadata, { ...input, problem: enteredChannel.line }));
      return;
    }
    await context.modal.show(
      await previewModal(context, {
        ...{ channel: context.actor.channelId, list, more, zone },
        shared: enteredChannel && !enteredChannel.ok,
        entered: await enteredRecords.save(context.deps, context.actor.owner, input),
      }),
    );
  },
});

/** Values that no form shows stay as they are stored: due times of some services. */
function withStored(input: EnteredList, list: PlaceList | undefined): EnteredList {
  const [due, before] = [input.settings.custody?.due, list?.settings.custody?.due];
  return due?.by === 'time' && before?.by === 'time'
    ? {
        ...input,
        settings: {
          ...input.settings,
          custody: { ...input.settings.custody!, due: { ...due, services: before.services } },
        },
      }
    : input;
}

/** Shows the form again, as it was entered. */
const backToForm = opener('places.back', {
  role: 'manager',
  metadata: previewMetadata,
  modalTitle: 'New list',
  async view(context) {
    const entered = await enteredIn(context, context.metadata);
    return entered ? formModal(context, context.metadata, entered) : listModal(context, { problem: previewGone });
  },
});

const spanChosen = opener('places.span', {
  role: 'manager',
  data: z.string(),
  metadata: previewMetadata,
  modalTitle: 'Preview',
  view: (context) => previewModal(context, context.metadata, context.data),
});

const dayMs = 24 * 3_600_000;
const previewGone = 'This preview was too old. Nothing was saved: enter the list again.';

/** The values of the form that a preview follows; undefined: the preview is too old. */
async function enteredIn(
  { deps, actor }: ActorContext,
  { entered, name, settings }: z.output<typeof previewMetadata>,
): Promise<EnteredList | undefined> {
  if (entered !== undefined) {
    return await enteredRecords.find(deps, actor.owner, entered);
  }
  return name === undefined || settings === undefined ? undefined : { name, settings };
}

async function previewModal(
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
    const { alerts, custody } = input.settings;
    const channel = (custody ?? alerts)?.channel;
    if (metadata.shared && channel !== undefined) {
      await enterChannel(context.client, channel, { sharedIsFine: true });
    }
    const made = list === undefined ? await deps.places.create(actor.owner, input, actor.userId) : undefined;
    await (list !== undefined && deps.places.change(list, input));
    await record(context, { what: made ? 'places/create' : 'places/change', detail: { list: name } });
    const done = 'Saved. Scans are being counted.';
    const lost = made && entered.board !== undefined ? await showNew(context, made, entered.board) : undefined;
    await context.modal.showOutcome(
      await listModal(context, lost === undefined ? { done } : { problem: `${done} ${lost}` }),
    );
  },
});

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

export const placesActions: readonly Listener[] = [
  ...[openLists, newList, edit, redraw, reset, deleteList, spanChosen, backToForm],
  ...[formSubmitted, previewSaved],
];
