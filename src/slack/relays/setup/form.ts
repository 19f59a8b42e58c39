/**
 * The service setup form, for an existing service or a new one for direct scans. It names what will be replaced, and
 * what the account cannot restore. Pure.
 */
import { symbologies } from '../../../codereadr/operations/symbologies.js';
import type { Relay, RelaySettings } from '../../../relay/index.js';
import { varyingBlock } from '../../block-kit/block-names.js';
import {
  actions,
  type Block,
  button,
  confirm,
  divider,
  type ModalView,
  modalView,
  type Option,
  option,
  plain,
} from '../../block-kit/elements.js';
import { bold, momentAfter, person, richText, textElement } from '../../block-kit/text.js';
import { shortName } from '../../block-kit/verdict.js';
import { pickAction } from '../settings/ids.js';
import type { Chosen } from './chosen.js';
import { serviceActions, serviceCallbacks } from './ids.js';
import { serviceParts as parts, type ServiceDraft, type SetupMode } from './read-form.js';
import type { SetUp } from './record-store.js';

export interface ServiceForm {
  readonly relay: Relay;
  readonly mode: SetupMode;
  readonly chosen: Chosen;
  /** A name for a new service. */
  readonly name: string;
  readonly notes: string;
  readonly setUps: readonly SetUp[];
  readonly setUpValue: (id: string) => string;
  readonly trouble?: string | undefined;
  readonly done?: string | undefined;
  /** What was entered before a redraw. */
  readonly wanted?: ServiceDraft | undefined;
}

export function serviceFormView(form: ServiceForm): ModalView {
  const blocks: Block[] = [
    ...(form.done ? [richText([textElement(`✅ ${form.done}`)])] : []),
    ...(form.trouble ? [richText([bold(`⚠️ ${form.trouble}`)])] : []),
    ...setUpBlocks(form),
    modeInput(form.mode),
    ...(form.mode === 'there' ? thereBlocks(form) : directBlocks(form)),
    symbologiesInput(form),
    richText([
      textElement(
        'Afterwards Scandesk sends a test scan: it appears in the channel, marked as a test, and no rule or count takes notice of it.',
      ),
    ]),
  ];
  return modalView('Set up a service', blocks, {
    callback_id: serviceCallbacks.form,
    submit: 'Set it up',
    private_metadata: form.notes,
  });
}

/** Earlier setups, each with a button to undo it. */
function setUpBlocks({ setUps, setUpValue }: ServiceForm): Block[] {
  const shown = setUps.slice(0, 5);
  return shown.length === 0
    ? []
    : [
        ...shown.flatMap((setUp): Block[] => [
          richText([
            bold(shortName(setUp.serviceName)),
            textElement(setUp.kind === 'made' ? ' was made by ' : ' was set up by '),
            person(setUp.by),
            momentAfter(', ', setUp.at),
          ]),
          actions([undoButton(setUp, setUpValue(setUp.id))]),
        ]),
        divider,
      ];
}

export function undoButton(setUp: SetUp, value: string) {
  const name = shortName(setUp.serviceName);
  const sure =
    setUp.kind === 'made'
      ? confirm(
          'Delete that service?',
          `The service ${name}, which was made for this relay, is deleted from the account. Devices that use it can no longer scan with it.`,
          'Delete it',
        )
      : confirm(
          'Undo this?',
          setUp.before === undefined && setUp.beforeLost === undefined
            ? `${name} sends its scans nowhere again, as before.`
            : `${name} sends its scans to ${setUp.beforeShown ?? 'where it did'} again.`,
          'Undo it',
          'Leave it',
        );
  return button(setUp.kind === 'made' ? 'Delete that service…' : 'Undo…', serviceActions.undo, {
    value,
    confirm: sure,
  });
}

const modes: readonly Option[] = [
  option('An existing service', 'there', 'Its scans come here through the account'),
  option('A new service for direct scans', 'direct', 'Devices post here themselves; the account keeps nothing'),
];

function modeInput(mode: SetupMode): Block {
  return {
    type: 'input',
    // Fields belong to a mode: a mode that Slack kept would have the other mode's fields.
    block_id: varyingBlock(parts.mode, mode),
    dispatch_action: true,
    label: plain('Which service'),
    element: {
      type: 'radio_buttons',
      action_id: serviceActions.redraw,
      options: [...modes],
      initial_option: modes.find(({ value }) => value === mode) ?? modes[0]!,
    },
  };
}

function thereBlocks(form: ServiceForm): Block[] {
  const { chosen } = form;
  return [
    {
      type: 'input',
      block_id: varyingBlock(parts.service, chosen.kind === 'none' ? null : chosen.service.id),
      dispatch_action: true,
      label: plain('Service'),
      element: {
        type: 'external_select',
        action_id: serviceActions.pick,
        min_query_length: 0,
        placeholder: plain('Find the service'),
        ...(chosen.kind === 'none'
          ? {}
          : { initial_option: option(shortName(chosen.service.name, 75), chosen.service.id) }),
      },
    },
    ...replacedBlocks(form),
    ...(chosen.kind !== 'none' && chosen.service.validationMethod !== 'postback' ? ownKindBlocks(form) : []),
  ];
}

function replacedBlocks({ chosen, relay }: ServiceForm): Block[] {
  switch (chosen.kind) {
    case 'none':
      return [];
    case 'untold':
      return [
        richText([
          bold('⚠️ The account did not say in time where this service sends its scans now.'),
          textElement('\nChoose it again, or send this form: it is asked again, and you see the answer first.'),
        ]),
      ];
    case 'known':
      switch (chosen.sends) {
        case 'nowhere':
          return [richText([textElement('It sends its scans nowhere yet.')])];
        case 'here':
          return [
            richText([
              textElement('It sends its scans to this relay already. It gets a new address of it, and a test scan.'),
            ]),
          ];
        case 'elsewhere':
          return [
            richText([
              bold('This is replaced: '),
              textElement(`it sends its scans to ${chosen.to ?? 'another address'} now. That ends, and they come to `),
              { type: 'channel', channel_id: relay.channel },
              textElement(' instead. It can be undone.'),
            ]),
          ];
      }
  }
}

/** A relay without validation, questions or responses has nothing to return to a device. */
export function listensOnly({ judging, duplicates, hours, atMost, questions, answers }: RelaySettings): boolean {
  return (
    judging.kind === 'accept' &&
    !duplicates &&
    !hours &&
    !atMost &&
    questions.length === 0 &&
    Object.keys(answers).length === 0
  );
}

const answerChoices: readonly Option[] = [
  option('The service’s own', 'service', 'The relay only listens (receiver only)'),
  option('This relay’s', 'relay', 'The device waits for it'),
];
const postChoices: readonly Option[] = [
  option('Scans made online, at once', 'real_time'),
  option('Scans uploaded later', 'uploaded'),
];

/** A service that validates scans itself. */
function ownKindBlocks({ relay, wanted }: ServiceForm): Block[] {
  const own = wanted?.own;
  const listens = listensOnly(relay.settings);
  const answers = (own?.receiverOnly ?? listens) ? 'service' : 'relay';
  const posts = postChoices.filter(({ value }) => (value === 'uploaded' ? own?.uploaded : own?.realTime) ?? true);
  return [
    {
      type: 'input',
      block_id: parts.answers,
      label: plain('Whose answer does the device show?'),
      hint: plain(
        listens
          ? 'This service judges its scans itself, and this relay judges nothing.'
          : 'This service judges its scans itself; so does this relay.',
      ),
      element: {
        type: 'radio_buttons',
        action_id: serviceActions.field,
        options: [...answerChoices],
        initial_option: answerChoices.find(({ value }) => value === answers) ?? answerChoices[0]!,
      },
    },
    {
      type: 'input',
      block_id: parts.posts,
      label: plain('Which scans it sends'),
      element: {
        type: 'checkboxes',
        action_id: serviceActions.field,
        options: [...postChoices],
        ...(posts.length > 0 ? { initial_options: posts } : {}),
      },
    },
  ];
}

function directBlocks({ name: usual, wanted }: ServiceForm): Block[] {
  const name = wanted?.name ?? usual;
  const users = wanted?.users ?? [];
  const pages = option('Give devices a page of their last scans, and one to look barcodes up', 'yes');
  return [
    richText([
      textElement(
        'An existing service cannot be switched to direct scans, so a new one is made. Its scans are kept here only, not in the account.',
      ),
    ]),
    {
      type: 'input',
      block_id: parts.name,
      label: plain('Name'),
      hint: plain('What people see on their devices.'),
      element: {
        type: 'plain_text_input',
        action_id: serviceActions.field,
        ...(name === '' ? {} : { initial_value: name }),
      },
    },
    {
      type: 'input',
      block_id: parts.users,
      optional: true,
      label: plain('Who may use it'),
      hint: plain('Users of the account. More can be added later.'),
      element: {
        type: 'multi_external_select',
        action_id: pickAction('user'),
        min_query_length: 0,
        max_selected_items: 100,
        placeholder: plain('Find users'),
        ...(users.length > 0 ? { initial_options: [...users] } : {}),
      },
    },
    {
      type: 'input',
      block_id: parts.pages,
      optional: true,
      label: plain('Pages'),
      element: {
        type: 'checkboxes',
        action_id: serviceActions.field,
        options: [pages],
        ...((wanted?.pages ?? true) ? { initial_options: [pages] } : {}),
      },
    },
  ];
}

function symbologiesInput({ mode, wanted }: ServiceForm): Block {
  const options = symbologies.map(([value, name]) => option(name, value));
  const initial = options.filter(({ value = '' }) => wanted?.symbologies.includes(value));
  return {
    type: 'input',
    block_id: parts.symbologies,
    optional: true,
    label: plain('Kinds of barcode its camera reads'),
    hint: plain(
      mode === 'there'
        ? 'The account forgets this setting with every change, and does not tell it beforehand. Nothing chosen: back to the account’s default. If you had limited them, choose them again.'
        : 'Nothing chosen: the account’s default.',
    ),
    element: {
      type: 'multi_static_select',
      action_id: serviceActions.field,
      placeholder: plain('The default'),
      options,
      ...(initial.length > 0 ? { initial_options: initial } : {}),
    },
  };
}
