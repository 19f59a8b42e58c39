/** The listeners of a list's form, from its button to its preview. */
import type { z } from 'zod';
import { resourceName } from '../../codereadr/names.js';
import type { PlaceList } from '../../places/index.js';
import { type ModalView, option } from '../block-kit/elements.js';
import { settled } from '../block-kit/text.js';
import { enterChannel } from '../bolt/channels.js';
import { savingView } from '../bolt/problem/loading.js';
import type { ActorContext, BaseContext } from '../bolt/routing/context.js';
import { action, type Listener, modal, opener } from '../bolt/routing/listeners.js';
import { accountOf } from '../connection/account.js';
import { formStateIn } from '../forms/view-state.js';
import { newListData } from '../lent/out-message.js';
import { listModal } from './actions.js';
import { channelOf, type EnteredList, enteredRecords, previewMetadata, readPlaces } from './entered-list.js';
import { placesForm, placesFormView, placesMetadata } from './form.js';
import type { FormSource } from './kind-fields.js';
import { findList, listGone } from './listed.js';
import { enteredIn, previewGone, previewModal } from './preview-actions.js';
import { placesData } from './views.js';

type FormMetadata = z.output<typeof placesMetadata>;

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
  { list: id, more, kind }: Pick<FormMetadata, 'list' | 'more'> & Pick<FormSource, 'kind'> = {},
  entered?: EnteredList & { readonly problem?: string },
): Promise<ModalView> {
  const source = await sourceOf(context, id, entered);
  const metadata = { channel: context.actor.channelId, list: id, more, zone: source?.zone };
  return source
    ? placesFormView(placesForm.draft({ ...source, kind }), metadata, entered?.problem)
    : listModal(context, { problem: listGone });
}

const newList = opener('places.new', {
  role: 'manager',
  data: newListData.optional(),
  modalTitle: 'New list',
  view: (context) => formModal(context, context.data),
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
      const draft = placesForm.entered(formStateIn(deps.rerenders.remembered(inside.view)), placesForm.draft(source));
      return placesFormView(draft, metadata);
    });
  },
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
    const channel = channelOf(input.settings);
    const enteredChannel = channel === undefined ? undefined : await enterChannel(context.client, channel);
    if (enteredChannel && !enteredChannel.ok && !enteredChannel.shared) {
      await context.modal.show(await formModal(context, context.metadata, { ...input, problem: enteredChannel.line }));
      return;
    }
    await context.modal.show(
      await previewModal(context, {
        channel: context.actor.channelId,
        list,
        more,
        zone,
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

export const formActions: readonly Listener[] = [newList, edit, redraw, formSubmitted, backToForm];
