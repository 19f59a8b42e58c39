/** Owns the window of one relay: how it fares, and everything that can be done with it. Pure. Never shows an address. */
import type { RelaySecret, RelayState } from '../../relay/types.js';
import { actionIds, callbackIds } from '../ids.js';
import { actions, type Block, button, confirm, context, divider, type ModalView, modal } from './kit.js';
import { madeLine, relayLine, relayName, stateLine } from './relay-words.js';
import { bold, momentElement, richText, textElement } from './text.js';
import { countOf, shortName } from './verdict.js';

export const relayTitle = 'Relay';

export interface RelayOneOptions {
  /** What its buttons carry; `secret`: the address they speak of. */
  readonly value: (secret?: string) => string;
  readonly notes: string;
  /** What has just been done. */
  readonly done?: string;
}

export function relayOneView(state: RelayState, options: RelayOneOptions): ModalView {
  const { relay, secrets } = state;
  const blocks: Block[] = [
    ...(options.done ? [richText([textElement(`✅ ${options.done}`)])] : []),
    richText([...relayLine(relay), textElement('\n'), ...stateLine(state), textElement('\n'), ...madeLine(relay)]),
    ...(relay.paused ? [context('While it is paused, scans are still taken and answered; their posts wait.')] : []),
    actions([
      relay.paused
        ? button('Resume', actionIds.relayResume, { value: options.value(), style: 'primary' })
        : button('Pause', actionIds.relayPause, { value: options.value() }),
      button('Change', actionIds.relayChange, { value: options.value() }),
      ...(state.aside > 0 ? [replayButton(state, options)] : []),
      removeButton(state, options),
    ]),
    divider,
    richText([bold(secrets.length === 1 ? 'Its address' : `Its ${secrets.length} addresses`)]),
    ...newestFirst(secrets).flatMap((secret, index) => secretBlocks(secret, index, secrets.length, options)),
    actions([rotateButton(options)]),
    divider,
    actions([button('← All relays', actionIds.relayList)]),
  ];
  return modal(relayTitle, blocks, { callback_id: callbackIds.relayOne, private_metadata: options.notes });
}

function newestFirst(secrets: readonly RelaySecret[]): RelaySecret[] {
  return [...secrets].sort((a, b) => b.createdAt - a.createdAt);
}

function secretBlocks(secret: RelaySecret, index: number, count: number, options: RelayOneOptions): Block[] {
  const line = richText([
    ...(count > 1 ? [bold(index === 0 ? 'The newest: ' : 'Older: ')] : []),
    textElement('made '),
    momentElement(secret.createdAt),
    textElement(', '),
    ...(secret.lastUsedAt === undefined
      ? [textElement('never used')]
      : [textElement('last used '), momentElement(secret.lastUsedAt)]),
  ]);
  if (count === 1) {
    return [line];
  }
  const sure = confirm(
    'End this address?',
    `Scans sent to it are refused from now on. ${index === 0 ? 'This is the newest one: the older ones stay.' : 'Enter the newest one at the service first.'}`,
    'End it',
  );
  return [
    line,
    actions([
      button('End this address', actionIds.relayEndSecret, {
        value: options.value(secret.id),
        confirm: sure,
      }),
    ]),
  ];
}

function rotateButton(options: RelayOneOptions) {
  return button('New address', actionIds.relayRotate, {
    value: options.value(),
    confirm: confirm(
      'Make a new address?',
      'It is shown once. The old one goes on working until you end it, so no scan is lost meanwhile.',
      'Make one',
      'Cancel',
      false,
    ),
  });
}

function replayButton({ aside }: RelayState, options: RelayOneOptions) {
  return button(`Post the ${aside} set aside`, actionIds.relayReplay, {
    value: options.value(),
    confirm: confirm(
      'Post them again?',
      `${countOf(aside, 'post')} could not be delivered and ${aside === 1 ? 'was' : 'were'} set aside. They are tried once more, in order.`,
      'Post them',
      'Not now',
      false,
    ),
  });
}

function removeButton({ relay, scans, waiting, aside }: RelayState, options: RelayOneOptions) {
  const unposted = waiting + aside;
  return button('Remove', actionIds.relayRemove, {
    value: options.value(),
    style: 'danger',
    confirm: confirm(
      'Remove this relay?',
      [
        `The relay of ${shortName(relayName(relay))} goes, and its address with it: scans sent there are refused.`,
        unposted > 0 ? `${countOf(unposted, 'post')} of it will not be posted any more.` : '',
        `The ${countOf(scans, 'scan')} it took stay in lookups.`,
      ]
        .filter(Boolean)
        .join(' '),
      'Remove it',
    ),
  });
}
