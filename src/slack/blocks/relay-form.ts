/**
 * Owns the form of a relay: service, channel, which scans. The same for a new one and for changing one. Pure.
 */
import type { types } from '@slack/bolt';
import type { Service } from '../../account/types.js';
import type { Notable } from '../../relay/types.js';
import { actionIds, blockIds, callbackIds } from '../ids.js';
import { anyService, type RelayChoice } from '../relay-notes.js';
import { type Block, type Input, type ModalView, modal, type Option, option, plain } from './kit.js';
import { notableWords } from './relay-words.js';
import { bold, richText, textElement } from './text.js';
import { shortName } from './verdict.js';

/** A select holds so many; more are searched while somebody types. */
const mostOptions = 100;

export interface RelayFormOptions {
  /** Undefined: the account could not list them. */
  readonly services: readonly Service[] | undefined;
  /** Filled in: what was entered, or what the relay is set to. */
  readonly entered?: Partial<RelayChoice>;
  /** What is wrong, above the field it belongs to. */
  readonly trouble?: { readonly field: 'service' | 'channel'; readonly line: string };
  /** A relay that is there already is changed. */
  readonly changing?: boolean;
  readonly notes: string;
}

export const anyServiceOption: Option = option('Any service', anyService, 'Whichever posts to the address');

export function serviceOption(service: Service): Option {
  return option(shortName(service.name, 75), service.id);
}

export function relayFormView(options: RelayFormOptions): ModalView {
  const { entered = {}, trouble, changing } = options;
  const above = (field: 'service' | 'channel'): Block[] =>
    trouble?.field === field ? [richText([bold(`⚠️ ${trouble.line}`)])] : [];
  return modal(
    changing ? 'Change a relay' : 'New relay',
    [
      ...above('service'),
      serviceInput(options),
      ...(options.services === undefined
        ? [richText([textElement('The account could not list its services just now. Any service always works.')])]
        : []),
      ...above('channel'),
      channelInput(entered.channel),
      notableInput(entered.notable ?? 'all'),
    ],
    {
      callback_id: callbackIds.relayForm,
      submit: changing ? 'Save' : 'Create',
      private_metadata: options.notes,
    },
  );
}

function serviceInput({ services = [], entered = {} }: RelayFormOptions): Input {
  const known = services.find((service) => service.id === entered.service);
  const chosen =
    entered.service === anyService || services.length === 0 ? anyServiceOption : known && serviceOption(known);
  const field = {
    action_id: actionIds.relayService,
    placeholder: plain('Choose a service'),
    ...(chosen ? { initial_option: chosen } : {}),
  };
  const element: types.StaticSelect | types.ExternalSelect =
    services.length < mostOptions
      ? { type: 'static_select', options: [anyServiceOption, ...services.map(serviceOption)], ...field }
      : { type: 'external_select', min_query_length: 0, ...field };
  return {
    type: 'input',
    block_id: blockIds.relayService,
    label: plain('Service'),
    hint: plain('Whose scans are posted. Those of other services are taken, but not posted.'),
    element,
  };
}

function channelInput(channel: string | undefined): Input {
  return {
    type: 'input',
    block_id: blockIds.relayChannel,
    label: plain('Channel'),
    hint: plain('Scandesk joins a public channel by itself. Invite it to a private one first.'),
    element: {
      type: 'conversations_select',
      action_id: actionIds.relayChannel,
      filter: { include: ['public', 'private'], exclude_bot_users: true },
      ...(channel === undefined ? { default_to_current_conversation: true } : { initial_conversation: channel }),
    },
  };
}

function notableInput(notable: Notable): Input {
  const choices = (['all', 'invalid'] as const).map((value) => option(notableWords[value], value));
  return {
    type: 'input',
    block_id: blockIds.relayNotable,
    label: plain('Which scans are posted'),
    hint: plain('A scan that neither the service nor the device has checked counts as valid.'),
    element: {
      type: 'radio_buttons',
      action_id: actionIds.relayNotable,
      options: choices,
      initial_option: choices.find((choice) => choice.value === notable)!,
    },
  };
}
