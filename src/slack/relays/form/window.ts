/** The window that creates or changes a relay, with its service picker. */
import type { Service } from '../../../codereadr/types.js';
import type { Relay } from '../../../relay/relays/types.js';
import { type Block, pickable } from '../../block-kit/elements.js';
import { richText } from '../../block-kit/text.js';
import { isChannel } from '../../bolt/channels.js';
import { savingView } from '../../bolt/problem/loading.js';
import type { ActorContext } from '../../bolt/routing/context.js';
import { modal, options } from '../../bolt/routing/listeners.js';
import { cachedRuleNames } from '../../connection/cached-names.js';
import { agreementOf } from '../../forms/form-channel.js';
import { optionsOf } from '../../forms/inputs.js';
import { type FormScope, redraws, settingsForm } from '../../forms/settings-form.js';
import { relayOf, servicesOf } from '../load-views.js';
import { previewedPosts } from '../preview.js';
import { previewBlocks } from '../settings/rules/preview-blocks.js';
import {
  anyService,
  anyServiceChoice,
  type RelayChoice,
  relayFields,
  relayForm,
  relayFormMetadata,
  relaySharedMetadata,
  serviceChoice,
  severalServices,
} from './relay-form.js';
import { overwrittenRelay, saveRelay } from './save.js';

const agreement = agreementOf('relay', 'relay.notable');

export const relayWindow = settingsForm({
  id: 'relay.form',
  title: ({ relay }) => (relay === undefined ? 'New relay' : 'Edit relay'),
  submit: ({ relay }) => (relay === undefined ? 'Create' : 'Save'),
  metadata: relayFormMetadata,
  async load(context, { relay: id }) {
    const [services, state] = await Promise.all([
      servicesOf(context),
      id === undefined ? undefined : relayOf(context, id),
    ]);
    return { services, relay: state?.relay };
  },
  facts: ({ relay }) => ({ notable: relay && relay.settings.rules.length > 0 ? relay.notable : undefined }),
  form: () => ({
    ...relayForm,
    read(state, errors) {
      const values = relayForm.read(state, errors);
      return { ...values, isAgreed: agreement.isAgreed(state, values.channel ?? '') };
    },
  }),
  source: ({ services, relay }, _, context) => (relay ? choiceOf(relay) : newChoice(context, services)),
  part: ({ relay }) => relay && overwrittenRelay(relay),
  draw: async (draft, { context, subject: { services, relay }, ...shown }) =>
    relayFields({
      services,
      relay,
      draft,
      agreement: agreement.draw(shown, draft.channel ?? ''),
      preview: await previewOf(context, relay, draft),
    }),
  check({ notable }, problem, { keys }) {
    if (notable === undefined && keys.notable === undefined) {
      problem('notable', 'Choose which scans to post.');
    }
  },
  stays: () => true,
  save: (context, values) =>
    saveRelay(context, { notable: context.metadata.notable, ...values } as RelayChoice & typeof values),
});

/** The services whose scans the relay posts, by the form's choice; none: any service. */
function serviceIdsOf(service: string, relay: Relay | undefined): readonly string[] {
  return service === severalServices ? (relay?.serviceIds ?? []) : service === anyService ? [] : [service];
}

/** What the relay would have posted by the form's choices. */
async function previewOf(
  context: FormScope,
  relay: Relay | undefined,
  { service, channel, notable }: Partial<RelayChoice>,
): Promise<Block[]> {
  if (!relay && (service === undefined || channel === undefined)) {
    return [richText('Choose a service and a channel to preview which recent scans would have been posted.')];
  }
  const before = relay ?? { owner: context.actor.owner, serviceIds: [], channel: '', notable: 'all' as const };
  const chosen = {
    ...before,
    serviceIds: service === undefined ? before.serviceIds : serviceIdsOf(service, relay),
    ...{ channel: channel ?? before.channel, notable: notable ?? before.notable },
  };
  const [{ scans, read }, nameOf] = await Promise.all([
    previewedPosts(context, chosen, relay?.settings),
    cachedRuleNames(context, relay?.settings.rules ?? []),
  ]);
  return previewBlocks(scans, { most: maxLines, nameOf, ...read });
}

const maxLines = 10;

function choiceOf({ serviceIds, channel, notable }: Relay): RelayChoice {
  const [first = anyService, ...more] = serviceIds;
  return { service: more.length > 0 ? severalServices : first, channel, notable };
}

/** The initial values for a new relay. */
function newChoice({ actor }: ActorContext, services: readonly Service[] | undefined): Partial<RelayChoice> {
  const { channelId } = actor;
  const onlyService = services === undefined || services.length === 0 ? { service: anyService } : {};
  // A relay cannot post in a direct message: a form opened in one starts without a channel.
  return { ...onlyService, ...(isChannel(channelId) ? { channel: channelId } : {}) };
}

export const relayFormListeners = [
  relayWindow.submitted,
  redraws(['relay.service', 'relay.channel', 'relay.notable'], [relayWindow]),
  // The agreement was a window of its own in older versions.
  modal('relay.shared', {
    role: 'manager',
    metadata: relaySharedMetadata,
    fields: ({ metadata: { chosen } }) => ({
      show: savingView('Shared channel'),
      input: { values: { ...chosen, isAgreed: true }, stays: true },
    }),
    run: relayWindow.save,
  }),
  /** The options of the service picker where the account has more services than a select holds. */
  options('relay.service', {
    role: 'manager',
    async offer(context) {
      const typedText = context.typed.toLowerCase();
      const services = (await servicesOf(context)) ?? [];
      const found = pickable(services).filter(({ name }) => name.toLowerCase().includes(typedText));
      return optionsOf([anyServiceChoice, ...found.map(serviceChoice)]);
    },
  }),
];
