/** The window that creates or changes a list: its form, then its preview, from which *Change* leads back. */
import { resourceName } from '../../codereadr/names.js';
import type { PlaceList, PlaceSettings } from '../../places/index.js';
import { option } from '../block-kit/elements.js';
import { settled } from '../block-kit/text.js';
import { enterChannel } from '../bolt/channels.js';
import { savingView } from '../bolt/problem/loading.js';
import { type Listener, opener } from '../bolt/routing/listeners.js';
import { accountOf } from '../connection/account.js';
import { FormProblem, type FormScope, redraws, settingsForm } from '../forms/settings-form.js';
import { newListData } from '../lent/out-message.js';
import { listModal } from './actions.js';
import { channelOf, enteredRecords, readPlaces } from './entered-list.js';
import { placesFields, placesForm, placesMetadata } from './form.js';
import type { FormSource } from './kind-fields.js';
import { findList, listGone } from './listed.js';
import { previewModal } from './preview.js';
import { placesData } from './views.js';

/** What the form of a list overwrites. */
export const overwrittenList = (list: PlaceList | undefined) => list && [list.name, list.settings];

export const listWindow = settingsForm({
  id: 'places.form',
  title: ({ list }) => (list === undefined ? 'New list' : 'Edit list'),
  submit: () => 'Preview',
  saving: savingView('Preview', 'Reading past scans…'),
  metadata: placesMetadata,
  async load(context, { list: id, entered }) {
    const { deps, actor } = context;
    const [list, before, nameOf] = await Promise.all([
      id === undefined ? undefined : findList(context, id),
      entered === undefined ? undefined : enteredRecords.find(deps, actor.owner, entered),
      namesIn(context),
    ]);
    return { list, before, nameOf, zone: context.person.zone ?? 'Etc/UTC' };
  },
  facts: ({ list, zone }) => ({ zone: list?.settings.zone ?? zone }),
  form: ({ zone }) => ({ ...placesForm, read: (state, errors) => readPlaces(state, errors, zone) }),
  source: ({ list, before, nameOf, zone }, { kind }) => ({
    list: before ?? list,
    board: before?.board,
    nameOf,
    zone,
    kind,
  }),
  part: ({ list }) => overwrittenList(list),
  draw: (draft, { keys, subject: { nameOf, zone }, seenBlocks: seen }) =>
    placesFields(draft, {
      ...{ more: keys.more === true, isNew: keys.list === undefined, seen },
      blank: placesForm.draft({ nameOf, zone }),
    }),
  stays: () => true,
  async save(context, { settings: read, ...entered }) {
    const { deps, actor, client, metadata } = context;
    const list = metadata.list === undefined ? undefined : await findList(context, metadata.list);
    const settings = withStored(read, list);
    const channel = channelOf(settings);
    const found = channel === undefined ? undefined : await enterChannel(client, channel);
    if (found && !found.ok && !found.shared) {
      throw new FormProblem(found.line, settings.custody ? 'channel' : 'alerts');
    }
    const record = await enteredRecords.save(deps, actor.owner, { ...entered, settings });
    const shared = found && !found.ok;
    await context.modal.show(await previewModal(context, { ...metadata, shared, entered: record }));
    return undefined;
  },
});

/** The names of the account's services, devices and questions, as options. */
async function namesIn({ deps, actor }: FormScope): Promise<FormSource['nameOf']> {
  const { names } = await accountOf(deps, actor.owner);
  const [services = [], devices = [], questions = []] = await Promise.all([
    names.cached('services'),
    names.cached('devices'),
    names.cached('questions'),
  ]);
  return (kind, wanted) => {
    const found =
      kind === 'device'
        ? devices.find((one) => one.udid === wanted)
        : (kind === 'service' ? services : questions).find((one) => one.id === wanted);
    return found && option(settled(resourceName(found)), wanted);
  };
}

/** Settings with what no form shows, as it is stored: due times of some services. */
function withStored(settings: PlaceSettings, list: PlaceList | undefined): PlaceSettings {
  const { custody } = settings;
  const before = list?.settings.custody?.due;
  return custody?.due?.by === 'time' && before?.by === 'time'
    ? { ...settings, custody: { ...custody, due: { ...custody.due, services: before.services } } }
    : settings;
}

export const windowListeners: readonly Listener[] = [
  opener('places.new', {
    role: 'manager',
    data: newListData.optional(),
    modalTitle: 'New list',
    view: (context) => listWindow.open(context, { kind: context.data?.kind }),
  }),
  opener('places.edit', {
    role: 'manager',
    data: placesData,
    modalTitle: 'Edit list',
    async view(context) {
      const list = await findList(context, context.data);
      return list ? listWindow.open(context, { list: list.id }) : listModal(context, { problem: listGone });
    },
  }),
  redraws(['places.redraw', 'places.more'], [listWindow]),
  listWindow.submitted,
];
