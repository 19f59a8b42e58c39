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
import { shortName } from '../../block-kit/short-text.js';
import { bold, momentAfter, person, richText, textElement } from '../../block-kit/text.js';
import { pickAction } from '../settings/ids.js';
import type { Chosen } from './chosen-service.js';
import { serviceActions, serviceCallbacks } from './ids.js';
import { serviceParts as parts, type ServiceDraft, type SetupMode } from './read-form.js';
import type { SetUp } from './record-store.js';

export interface ServiceForm {
  readonly relay: Relay;
  readonly mode: SetupMode;
  readonly chosen: Chosen;
  /** A name for a new service. */
  readonly name: string;
  readonly metadata: string;
  readonly setUps: readonly SetUp[];
  readonly setUpValue: (id: string) => string;
  readonly problem?: string | undefined;
  readonly done?: string | undefined;
  /** What was entered before a rerender. */
  readonly entered?: ServiceDraft | undefined;
}

export function serviceFormView(form: ServiceForm): ModalView {
  const blocks: Block[] = [
    ...(form.done ? [richText([textElement(`✅ ${form.done}`)])] : []),
    ...(form.problem ? [richText([bold(`⚠️ ${form.problem}`)])] : []),
    ...setUpBlocks(form),
    modeInput(form.mode),
    ...(form.mode === 'there' ? thereBlocks(form) : directBlocks(form)),
    symbologiesInput(form),
    richText([
      textElement(
        'Then Scandesk sends a test scan. It appears in the channel marked as a test; rules and counts ignore it.',
      ),
    ]),
  ];
  return modalView('Set up a service', blocks, {
    callback_id: serviceCallbacks.form,
    submit: 'Set up',
    private_metadata: form.metadata,
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
            textElement(setUp.kind === 'made' ? ' was created by ' : ' was set up by '),
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
  const confirmation =
    setUp.kind === 'made'
      ? confirm(
          'Delete this service?',
          `The service ${name}, created for this relay, is deleted from the account. Devices can no longer scan with it.`,
          'Delete',
        )
      : confirm(
          'Undo this setup?',
          setUp.before === undefined && setUp.beforeLost === undefined
            ? `${name} will have no postback URL again.`
            : `${name} will post to ${setUp.beforeShown ?? 'its previous URL'} again.`,
          'Undo',
          'Cancel',
        );
  return button(setUp.kind === 'made' ? 'Delete service…' : 'Undo…', serviceActions.undo, {
    value,
    confirm: confirmation,
  });
}

const modes: readonly Option[] = [
  option('Existing service', 'there', 'Its scans reach Scandesk through the account'),
  option('New service for direct scans', 'direct', 'Devices post to Scandesk; the account stores nothing'),
];

function modeInput(mode: SetupMode): Block {
  return {
    type: 'input',
    // Fields belong to a mode: a mode that Slack kept would have the other mode's fields.
    block_id: varyingBlock(parts.mode, mode),
    dispatch_action: true,
    label: plain('Service type'),
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
        placeholder: plain('Find a service'),
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
    case 'unknown':
      return [
        richText([
          bold('⚠️ The account did not report this service’s postback URL in time.'),
          textElement(
            '\nChoose the service again, or submit this form to check again. You see the URL before it is replaced.',
          ),
        ]),
      ];
    case 'known':
      switch (chosen.sends) {
        case 'nowhere':
          return [richText([textElement('This service has no postback URL yet.')])];
        case 'here':
          return [
            richText([
              textElement('This service already posts to this relay. It gets a new webhook URL and a test scan.'),
            ]),
          ];
        case 'elsewhere':
          return [
            richText([
              bold('This replaces its postback URL: '),
              textElement(`it posts to ${chosen.to ?? 'another URL'} now. After setup, its scans appear in `),
              { type: 'channel', channel_id: relay.channel },
              textElement(' instead. You can undo this.'),
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
  option('The service’s response', 'service', 'The relay only listens (receiver only)'),
  option('The relay’s response', 'relay', 'Devices wait for it'),
];
const postChoices: readonly Option[] = [
  option('Online scans, in real time', 'real_time'),
  option('Scans that are uploaded later', 'uploaded'),
];

/** A service that validates scans itself. */
function ownKindBlocks({ relay, entered }: ServiceForm): Block[] {
  const own = entered?.own;
  const listens = listensOnly(relay.settings);
  const answers = (own?.receiverOnly ?? listens) ? 'service' : 'relay';
  const posts = postChoices.filter(({ value }) => (value === 'uploaded' ? own?.uploaded : own?.realTime) ?? true);
  return [
    {
      type: 'input',
      block_id: parts.answers,
      label: plain('Which response do devices show?'),
      hint: plain(
        listens
          ? 'This service validates scans itself; this relay does not.'
          : 'Both this service and this relay validate scans.',
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
      label: plain('Scans to send'),
      element: {
        type: 'checkboxes',
        action_id: serviceActions.field,
        options: [...postChoices],
        ...(posts.length > 0 ? { initial_options: posts } : {}),
      },
    },
  ];
}

function directBlocks({ name: defaultName, entered }: ServiceForm): Block[] {
  const name = entered?.name ?? defaultName;
  const users = entered?.users ?? [];
  const pages = option('Add device pages for recent scans and barcode lookup', 'yes');
  return [
    richText([
      textElement(
        'An existing service can’t be switched to direct scans, so Scandesk creates a new one. Its scans are stored only here, not in the account.',
      ),
    ]),
    {
      type: 'input',
      block_id: parts.name,
      label: plain('Name'),
      hint: plain('Shown on devices.'),
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
      label: plain('Users with access'),
      hint: plain('Users of the account who can use this service. You can add more later.'),
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
      label: plain('Device pages'),
      element: {
        type: 'checkboxes',
        action_id: serviceActions.field,
        options: [pages],
        ...((entered?.pages ?? true) ? { initial_options: [pages] } : {}),
      },
    },
  ];
}

function symbologiesInput({ mode, entered }: ServiceForm): Block {
  const options = symbologies.map(([value, name]) => option(name, value));
  const initial = options.filter(({ value = '' }) => entered?.symbologies.includes(value));
  return {
    type: 'input',
    block_id: parts.symbologies,
    optional: true,
    label: plain('Barcode types'),
    hint: plain(
      mode === 'there'
        ? 'The account resets this setting with every change and does not report it. If you limited the types, choose them again. Leave blank for the account’s default.'
        : 'Leave blank for the account’s default.',
    ),
    element: {
      type: 'multi_static_select',
      action_id: serviceActions.field,
      placeholder: plain('Default'),
      options,
      ...(initial.length > 0 ? { initial_options: initial } : {}),
    },
  };
}
