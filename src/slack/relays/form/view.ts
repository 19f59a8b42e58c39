/**
 * The form that creates or changes a relay: service, channel, which scans to post, and a preview; and the confirmation
 * before posting in a shared channel. It leaves out what rules decide. Pure.
 */

import type { types } from '@slack/bolt';
import type { Service } from '../../../codereadr/types.js';
import { countOf, plural } from '../../../english.js';
import type { Notable, Relay } from '../../../relay/relays/types.js';
import { varyingBlock } from '../../block-kit/block-names.js';
import {
  type Block,
  divider,
  type Input,
  type ModalView,
  modalView,
  type Option,
  option,
  pickable,
  plain,
} from '../../block-kit/elements.js';
import { shortName } from '../../block-kit/short-text.js';
import { bold, richText, textElement } from '../../block-kit/text.js';
import { channelElement, notableLabels } from '../../channel-posts/describe/describe-relay.js';
import { anyService, type RelayChoice, severalServices } from '../metadata.js';

/** A select's limit of options; with more, the picker searches while somebody types. */
const mostOptions = 100;

export interface RelayFormOptions {
  /** Undefined if the account could not list them. */
  readonly services: readonly Service[] | undefined;
  /** Initial values: what was entered, or the relay's settings. */
  readonly entered?: Partial<RelayChoice>;
  /** An error, above its field. */
  readonly problem?: { readonly field: 'service' | 'channel'; readonly line: string };
  /** The relay being changed; none for a new one. */
  readonly relay?: Relay | undefined;
  readonly metadata: string;
  /** What the form as it is would have posted. */
  readonly preview: readonly Block[];
}

export const anyServiceOption: Option = option(
  'Any service',
  anyService,
  'Every service that posts to the webhook URL',
);

export function serviceOption(service: Service): Option {
  return option(shortName(service.name, 75), service.id);
}

export function relayFormView(options: RelayFormOptions): ModalView {
  const { entered = {}, problem, relay, preview } = options;
  const rules = relay?.settings.rules.length ?? 0;
  const above = (field: 'service' | 'channel'): Block[] =>
    problem?.field === field ? [richText([bold(`⚠️ ${problem.line}`)])] : [];
  return modalView(
    relay ? 'Edit relay' : 'New relay',
    [
      ...above('service'),
      serviceInput(options),
      ...(options.services === undefined
        ? [richText([textElement('The account’s services could not be listed. You can still choose “Any service”.')])]
        : []),
      ...above('channel'),
      channelInput(entered.channel, rules > 0),
      rules > 0 ? rulesLine(rules) : notableInput(entered.notable ?? 'all'),
      divider,
      ...preview,
    ],
    {
      callback_id: 'relay.form',
      submit: relay ? 'Save' : 'Create',
      private_metadata: options.metadata,
    },
  );
}

/** With rules, the rules decide what is posted and where. */
function rulesLine(rules: number): Block {
  return richText([
    textElement(
      `Its ${countOf(rules, 'rule')} ${plural(rules, 'decides', 'decide')} which scans are posted, and where.`,
    ),
  ]);
}

function severalOption({ serviceName }: Relay): Option {
  return option(shortName(serviceName, 75), severalServices, 'The current services');
}

function serviceInput({ services = [], entered = {}, relay }: RelayFormOptions): Input {
  const several = relay && relay.serviceIds.length > 1 ? [severalOption(relay)] : [];
  const known = services.find((service) => service.id === entered.service);
  const chosen =
    entered.service === severalServices
      ? several[0]
      : entered.service === anyService || services.length === 0
        ? anyServiceOption
        : known && serviceOption(known);
  const field = {
    action_id: 'relay.service',
    placeholder: plain('Choose a service'),
    ...(chosen ? { initial_option: chosen } : {}),
  };
  const element: types.StaticSelect | types.ExternalSelect =
    services.length + several.length < mostOptions
      ? {
          type: 'static_select',
          options: [...several, anyServiceOption, ...pickable(services).map(serviceOption)],
          ...field,
        }
      : { type: 'external_select', min_query_length: 0, ...field };
  return {
    type: 'input',
    block_id: varyingBlock('relay.service', 'options' in element ? element.options : element.type),
    dispatch_action: true,
    label: plain('Service'),
    hint: plain('Only scans from this service are posted. Scans from other services are received but not posted.'),
    element,
  };
}

function channelInput(channel: string | undefined, hasRules: boolean): Input {
  const joining = 'Scandesk joins public channels by itself. Invite it to a private channel first.';
  return {
    type: 'input',
    block_id: 'relay.channel',
    dispatch_action: true,
    label: plain('Channel'),
    hint: plain(hasRules ? `For test scans, and the default for new rules. ${joining}` : joining),
    element: {
      type: 'conversations_select',
      action_id: 'relay.channel',
      filter: { include: ['public', 'private'], exclude_bot_users: true },
      ...(channel === undefined ? { default_to_current_conversation: true } : { initial_conversation: channel }),
    },
  };
}

function notableInput(notable: Notable): Input {
  const choices = (['all', 'invalid'] as const).map((value) => option(notableLabels[value], value));
  return {
    type: 'input',
    block_id: 'relay.notable',
    dispatch_action: true,
    label: plain('Scans to post'),
    hint: plain('Scans that neither the service nor the device validated count as valid.'),
    element: {
      type: 'radio_buttons',
      action_id: 'relay.notable',
      options: choices,
      initial_option: choices.find((choice) => choice.value === notable)!,
    },
  };
}

/** Confirms posting where people from another organization can read. */
export function relaySharedView(channel: string, metadata: string): ModalView {
  return modalView(
    'Shared channel',
    [
      richText([
        channelElement(channel),
        bold(' is shared with another organization.'),
        textElement('\nPeople there can read every scan that is posted: barcode, answers and names.'),
      ]),
    ],
    { callback_id: 'relay.shared', submit: 'Post anyway', close: 'Cancel', private_metadata: metadata },
  );
}
