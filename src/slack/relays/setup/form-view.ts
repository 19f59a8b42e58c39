/**
 * The modal of the service setup, for an existing service or a new one for direct scans. It names the URL that will be
 * replaced, and the settings that the account cannot restore. Pure.
 */
import { z } from 'zod';
import type { Service } from '../../../codereadr/types.js';
import type { Relay } from '../../../relay/index.js';
import { actions, type Block, button, confirm, divider, type ModalView, modalView } from '../../block-kit/elements.js';
import { noticeBlocks, type ViewNotice } from '../../block-kit/notice.js';
import { shortName } from '../../block-kit/short-text.js';
import { bold, channelElement, momentAfter, person, richText } from '../../block-kit/text.js';
import { encode, longest, origin } from '../../bolt/metadata.js';
import { optionsOf } from '../../forms/inputs.js';
import { serviceChoice } from '../form/relay-form.js';
import { type SetupDraft, setupForm, typesReset } from './form.js';
import type { SetUp } from './record-store.js';

/**
 * The form's metadata. `address`: the sealed path of a new webhook URL. `named`: the mark of the URL that the form says
 * will be replaced. `defaults`: the id of a service that validates itself, while the form shows its defaults. `since`:
 * `connectedAt` of the connection with which the form was drawn.
 */
export const setupMetadata = z.object({
  ...origin,
  relay: z.string(),
  address: z.string().optional(),
  named: z.string().optional(),
  defaults: z.string().optional(),
  since: z.number().optional(),
});
export type SetupMetadata = z.output<typeof setupMetadata>;

/** The data of *Undo…* and *Delete service…*: the relay, and the id of the setup to undo. */
export const undoData = z.object({ relay: z.string(), id: z.string() });

export type ChosenService =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'known';
      readonly service: Service;
      readonly sends: 'nowhere' | 'here' | 'elsewhere';
      /** Where the service sends its scans now, as text. */
      readonly to?: string | undefined;
    }
  /** The account did not report the service in time, or not at all: its postback URL is not known. */
  | { readonly kind: 'unknown'; readonly service: Service };

export interface SetupViewOptions extends Pick<ViewNotice, 'done' | 'problem'> {
  readonly relay: Relay;
  /** The form's content, for the service that is drawn. */
  readonly draft: SetupDraft;
  readonly chosen: ChosenService;
  readonly metadata: string;
  readonly setUps: readonly SetUp[];
}

export function setupView(options: SetupViewOptions): ModalView {
  const { relay, chosen, done, problem } = options;
  const { draw } = setupForm;
  const [id] = optionsOf(chosen.kind === 'none' ? [] : [serviceChoice(chosen.service)]);
  const draft = { ...options.draft, id };
  const blocks: Block[] = [
    ...noticeBlocks({ done, problem }),
    ...setUpBlocks(options),
    ...draw(draft, 'mode', 'id'),
    ...(draft.mode === 'direct' ? [directNote] : replacedBlocks(chosen, relay)),
    ...draw(draft, 'name', 'users'),
    ...(draft.open
      ? [...(validatesItself(chosen) ? draw(draft, 'answers', 'posts') : []), ...draw(draft, 'pages', 'symbologies')]
      : defaultBlocks(draft, chosen)),
    richText(
      'Then Scandesk sends a test scan. It appears in the channel marked as a test; rules and counts ignore it.',
    ),
  ];
  return modalView('Set up a service', blocks, {
    callback_id: 'relay.service.form',
    submit: 'Set up',
    private_metadata: options.metadata,
  });
}

const directNote = richText(
  'An existing service can’t be switched to direct scans, so Scandesk creates a new one. Its scans are stored only here, not in the account.',
);

export function validatesItself(chosen: ChosenService): boolean {
  return chosen.kind !== 'none' && chosen.service.validationMethod !== 'postback';
}

function defaultBlocks({ mode, answers }: SetupDraft, chosenService: ChosenService): Block[] {
  const line = (label: string, text: string) => [bold(`${label}: `), text];
  const isDirect = mode === 'direct';
  return [
    richText(
      ...(isDirect ? [line('Device pages', 'recent scans and barcode lookup')] : []),
      ...(validatesItself(chosenService)
        ? [
            line('Devices show', answers === 'service' ? 'the service’s response' : 'the relay’s response'),
            line('Scans to send', 'online scans in real time, and those that are uploaded later'),
          ]
        : []),
      line('Barcode types', `the account’s default${isDirect ? '' : `. ${typesReset}`}`),
    ),
    actions([button('Change', 'relay.service.change')]),
  ];
}

/** The five newest earlier setups, each with a button to undo it. */
function setUpBlocks({ setUps, relay }: SetupViewOptions): Block[] {
  const shownSetUps = setUps.slice(0, 5);
  return shownSetUps.length === 0
    ? []
    : [
        ...shownSetUps.flatMap((setUp): Block[] => [
          richText([
            bold(shortName(setUp.serviceName)),
            setUp.kind === 'made' ? ' was created by ' : ' was set up by ',
            person(setUp.by),
            momentAfter(', ', setUp.at),
          ]),
          actions([undoButton(setUp, relay.id)]),
        ]),
        divider,
      ];
}

export function undoButton(setUp: SetUp, relay: string) {
  const serviceName = shortName(setUp.serviceName);
  const confirmation =
    setUp.kind === 'made'
      ? confirm(
          'Delete this service?',
          `The service ${serviceName}, created for this relay, is deleted from the account. Devices can no longer scan with it.`,
          'Delete',
        )
      : confirm(
          'Undo this setup?',
          setUp.before === undefined && setUp.beforeLost === undefined
            ? `${serviceName} will have no postback URL again.`
            : `${serviceName} will post to ${setUp.beforeShown ?? 'its previous URL'} again.`,
          'Undo',
          'Cancel',
        );
  return button(setUp.kind === 'made' ? 'Delete service…' : 'Undo…', 'relay.service.undo', {
    value: encode(undoData, { relay, id: setUp.id }, longest.button),
    confirm: confirmation,
  });
}

function replacedBlocks(chosenService: ChosenService, relay: Relay): Block[] {
  switch (chosenService.kind) {
    case 'none':
      return [];
    case 'unknown':
      return [
        richText([
          bold('⚠️ The account did not report this service’s postback URL in time.'),
          '\nChoose the service again, or submit this form to check again. You see the URL before it is replaced.',
        ]),
      ];
    case 'known':
      switch (chosenService.sends) {
        case 'nowhere':
          return [richText('This service has no postback URL yet.')];
        case 'here':
          return [richText('This service already posts to this relay. It gets a new webhook URL and a test scan.')];
        case 'elsewhere':
          return [
            richText([
              bold('This replaces its postback URL: '),
              `it posts to ${chosenService.to ?? 'another URL'} now. After setup, its scans appear in `,
              channelElement(relay.channel),
              ' instead. You can undo this.',
            ]),
          ];
      }
  }
}
