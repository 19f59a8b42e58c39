/**
 * The modal of one relay: its status, and its settings in three groups (posts, devices, security). It
 * never shows a webhook URL. Pure.
 */
import { z } from 'zod';
import { noNames } from '../../codereadr/names.js';
import type { NameOf } from '../../codereadr/types.js';
import { countOf } from '../../english.js';
import type { RelayReport } from '../../relay/index.js';
import type { RelaySecret, RelayState } from '../../relay/relays/types.js';
import {
  actions,
  type Block,
  button,
  confirm,
  context,
  cut,
  divider,
  type ModalView,
  modalView,
  plain,
  section,
} from '../block-kit/elements.js';
import { noticeBlocks, type ViewNotice } from '../block-kit/notice.js';
import { shortName } from '../block-kit/short-text.js';
import { bold, type LinePart, momentAfter, mrkdwnMomentAfter, richText, settled } from '../block-kit/text.js';
import { encode, longest, originMetadata } from '../bolt/metadata.js';
import { appearanceData } from '../channel-posts/appearance/appearance-form.js';
import { clockText } from '../channel-posts/blocks/relay-notices.js';
import { refusedLines } from '../channel-posts/describe/describe-refusals.js';
import {
  blockedLines,
  createdLine,
  pausedLine,
  relayName,
  stateLine,
  targetLine,
} from '../channel-posts/describe/describe-relay.js';
import {
  describeResponses,
  describeRules,
  describeSecurity,
  describeValidation,
} from '../channel-posts/describe/describe-settings.js';
import { databaseNames, mirrorLines, mutedLines, undeliveredLines } from '../channel-posts/describe/describe-state.js';
import { heading } from '../forms/inputs.js';
import { reportButton } from './report-button.js';

export const relayTitle = 'Relay';

/** The data of a relay's buttons. `secret`: the id of the webhook URL that the button concerns. */
export const relayButton = z.object({ relay: z.string(), secret: z.string().optional() });

/** The most devices with wrong clocks that are named. */
const mostClocks = 5;

export interface RelayViewOptions extends ViewNotice {
  readonly channel?: string | undefined;
  /** Names of the databases that the relay validates with. */
  readonly nameOf?: NameOf;
  /** Whether the view shows rarely needed parts. */
  readonly more?: boolean;
}

function valueFor(data: z.output<typeof relayButton>): string {
  return encode(relayButton, data, longest.button);
}

export function relayView(state: RelayState, report: RelayReport, options: RelayViewOptions): ModalView {
  const { relay } = state;
  const value = valueFor({ relay: relay.id });
  const blockedBlocks = blockedLines(state);
  const blocks: Block[] = [
    ...noticeBlocks(options),
    richText([...targetLine(relay), '\n', ...stateLine(state)]),
    ...(relay.paused ? [context(pausedLine(relay))] : []),
    ...(blockedBlocks.length > 0 ? [richText(...blockedBlocks)] : []),
    ...undeliveredLines(state, report),
    ...(state.refused.length > 0 ? [richText(...refusedLines(state.refused))] : []),
    actions([
      ...tryAgainButtons(state, value),
      relay.paused
        ? button('Resume', 'relay.resume', { value, style: 'primary' })
        : button('Pause', 'relay.pause', { value }),
      button('Edit', 'relay.change', { value }),
      ...(state.dead > 0 ? [retryButton(state, value)] : []),
    ]),
    ...postedBlocks(state, report, value),
    ...deviceBlocks(state, report, value, options),
    ...securityBlocks(state, value),
    divider,
    ...(options.more ? moreBlocks(state, report) : []),
    actions([
      button('← All relays', 'relay.list'),
      ...(options.more
        ? [reportButton({ relay: relay.id }), removeButton(state, value)]
        : [button('More', 'relay.view.more', { value })]),
    ]),
  ];
  return modalView(relayTitle, blocks, {
    callback_id: 'relay.one',
    private_metadata: encode(originMetadata, { channel: options.channel }),
  });
}

/** A line of the settings, beside the button that changes what it says. It may hold outside text. */
function settingBlock(text: string, label: string, actionId: string, value: string): Block {
  return { type: 'section', text: plain(cut(settled(text), 3_000)), accessory: button(label, actionId, { value }) };
}

function postedBlocks({ relay }: RelayState, report: RelayReport, value: string): Block[] {
  const muted = mutedLines(report);
  return [
    heading('Posts'),
    settingBlock(describeRules(relay), 'Rules and alerts…', 'relay.rules', value),
    ...(muted.length > 0 ? [richText(...muted)] : []),
    actions([
      button('Post appearance…', 'posts.open', {
        value: encode(appearanceData, { channel: relay.channel }, longest.button),
      }),
    ]),
  ];
}

function deviceBlocks(
  { relay }: RelayState,
  report: RelayReport,
  value: string,
  { nameOf = noNames }: RelayViewOptions,
): Block[] {
  const databaseName = databaseNames(relay, report, nameOf);
  const responses = describeResponses(relay.settings) || 'default';
  const copies = mirrorLines(relay, report, databaseName);
  const clocks = report.wrongClocks
    .slice(0, mostClocks)
    .map(({ udid, offsetMs }) => [
      bold(`⚠️ ${clockText(udid, nameOf('device', udid), offsetMs)}. `),
      'Its scans count at corrected times. Set its clock.',
    ]);
  return [
    heading('Devices'),
    ...(clocks.length > 0 ? [richText(...clocks)] : []),
    settingBlock(
      `Validation: ${describeValidation(relay.settings, databaseName)}`,
      'Validation…',
      'relay.judging',
      value,
    ),
    ...(copies.length > 0 ? [richText(...copies)] : []),
    settingBlock(`Responses: ${responses}`, 'Responses…', 'relay.answers', value),
    actions([
      button('Device pages…', 'relay.pages.open', { value }),
      button('Set up a service…', 'relay.service.open', { value }),
    ]),
  ];
}

function securityBlocks({ relay, secrets }: RelayState, value: string): Block[] {
  const isOne = secrets.length === 1;
  const newestFirst = secrets.toSorted((one, other) => other.createdAt - one.createdAt);
  return [
    heading('Security'),
    settingBlock(`Access: ${describeSecurity(relay.settings)}`, 'Security…', 'relay.security', value),
    ...(isOne ? [] : [richText([bold(`${secrets.length} webhook URLs`)])]),
    ...(isOne ? [] : newestFirst.map((secret, index) => urlBlock(secret, index, relay.id))),
    actions([rotateButton(value)]),
  ];
}

function moreBlocks({ relay, secrets }: RelayState, { revokedSecrets }: RelayReport): Block[] {
  const revoked = ({ createdAt, revokedAt }: RelayReport['revokedSecrets'][number]) => [
    momentAfter('Webhook URL revoked ', revokedAt),
    momentAfter(', created ', createdAt),
  ];
  const [onlySecret] = secrets.length === 1 ? secrets : [];
  const used = onlySecret ? [[bold('Webhook URL: '), ...usedElements(onlySecret)]] : [];
  return [richText(createdLine(relay), ...used, ...revokedSecrets.map(revoked))];
}

function usedElements({ createdAt, lastUsedAt }: RelaySecret): LinePart[] {
  return [
    momentAfter('created ', createdAt),
    ...(lastUsedAt === undefined ? [', never used'] : [momentAfter(', last used ', lastUsedAt)]),
  ];
}

/** A webhook URL of the relay. The block holds only Scandesk's own text and Slack's dates, nothing from outside. */
function urlBlock(secret: RelaySecret, index: number, relay: string): Block {
  const usage = secret.lastUsedAt === undefined ? 'never used' : mrkdwnMomentAfter('last used ', secret.lastUsedAt);
  const confirmation = confirm(
    'Revoke this webhook URL?',
    `Scans sent to it will be refused. ${index === 0 ? 'This is the newest URL; the older ones keep working.' : 'Make sure that your services use the newest URL first.'}`,
    'Revoke',
  );
  return section(`${index === 0 ? 'Newest' : 'Older'}: ${mrkdwnMomentAfter('created ', secret.createdAt)}, ${usage}`, {
    accessory: button('Revoke', 'relay.end_secret', {
      value: valueFor({ relay, secret: secret.id }),
      confirm: confirmation,
      accessibility_label: `Revoke ${index === 0 ? 'the newest' : 'an older'} webhook URL`,
    }),
  });
}

function rotateButton(value: string) {
  return button('New webhook URL', 'relay.rotate', {
    value,
    confirm: confirm(
      'Create a new webhook URL?',
      'It is shown only once. The current one keeps working until you revoke it, so no scans are lost.',
      'Create',
      'Cancel',
      false,
    ),
  });
}

/** *Try again*, where a channel is blocked. A paused relay posts nothing: its *Resume* also tries the channels. */
export function tryAgainButtons({ relay, blocked }: RelayState, value: string) {
  return blocked.length > 0 && !relay.paused
    ? [button('Try again', 'relay.try_again', { value, style: 'primary' })]
    : [];
}

export function retryButton({ dead }: Pick<RelayState, 'dead'>, value: string) {
  return button(`Retry ${countOf(dead, 'post')}`, 'relay.replay', {
    value,
    confirm: confirm(
      'Retry delivery?',
      `${countOf(dead, 'post')} could not be delivered. Scandesk tries again, in order.`,
      'Retry',
      'Cancel',
      false,
    ),
  });
}

function removeButton({ relay, scans, pending, dead }: RelayState, value: string) {
  const unposted = pending + dead;
  return button('Delete', 'relay.remove', {
    value,
    style: 'danger',
    confirm: confirm(
      'Delete this relay?',
      [
        `The relay for ${shortName(relayName(relay))} is deleted. Scans sent to its webhook URL will be refused.`,
        unposted > 0 ? `${countOf(unposted, 'undelivered post')} will be dropped.` : '',
        scans > 0 ? `Lookups still show the ${countOf(scans, 'scan')} it received.` : '',
      ]
        .filter(Boolean)
        .join(' '),
      'Delete',
    ),
  });
}
