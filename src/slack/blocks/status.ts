/**
 * Owns how the connection is told: in the answer to `/scandesk status`, in its window, and in App Home. Pure.
 */
import type { ConnectionFacts } from '../connection.js';
import { callbackIds } from '../ids.js';
import { type Block, type Message, type ModalView, message, modal, type RichTextElement } from './kit.js';
import { problemOf } from './problem.js';
import { bold, code, momentElement, person, richText, textElement } from './text.js';

export function statusMessage(facts: ConnectionFacts): Message {
  return message(
    facts.connection ? 'Scandesk is connected to a scanning account' : 'No scanning account is connected yet',
    statusBlocks(facts),
  );
}

export function statusView(facts: ConnectionFacts): ModalView {
  return modal('Status', statusBlocks(facts), { callback_id: callbackIds.notice });
}

export function statusBlocks(facts: ConnectionFacts): Block[] {
  const { connection, trouble } = facts;
  if (!connection) {
    return [richText([bold('No scanning account is connected yet.')], howToConnect), ...relayBlocks(facts)];
  }
  const keyRefused = trouble?.code === 'account.key_refused';
  return [
    richText(
      [
        sign(keyRefused ? 'warning' : 'white_check_mark'),
        textElement(' '),
        bold(keyRefused ? 'Connected, but the key is refused' : 'Connected'),
        textElement(' by '),
        person(connection.connectedBy),
        textElement(', '),
        momentElement(connection.connectedAt, '{date_long_pretty} at {time}'),
      ],
      ...(trouble ? [[textElement(`${problemOf(trouble).what} `), ...problemOf(trouble).todo]] : []),
    ),
    richText(line('Lookups ask', databasesAsked(facts)), line('Calls left', callsLeft(facts))),
    ...relayBlocks(facts),
  ];
}

const howToConnect: readonly RichTextElement[] = [
  textElement('A workspace admin connects one with '),
  code('/scandesk connect'),
  textElement('; it takes an API key and half a minute.'),
];

function sign(name: string): RichTextElement {
  return { type: 'emoji', name };
}

function line(label: string, elements: readonly RichTextElement[]): RichTextElement[] {
  return [bold(`${label}: `), ...elements];
}

function databasesAsked({ chosen, databaseCount }: ConnectionFacts): RichTextElement[] {
  if (chosen === undefined) {
    if (databaseCount === undefined) {
      return [textElement('every database, ten at most')];
    }
    const asked = Math.min(databaseCount, 10);
    return [
      textElement(
        databaseCount > asked
          ? `the first ten of ${databaseCount} databases`
          : `${databaseCount === 1 ? 'the one database' : `all ${databaseCount} databases`} there ${databaseCount === 1 ? 'is' : 'are'}`,
      ),
    ];
  }
  const names = chosen.map(({ id, name }) => name ?? `database ${id}`).join(', ');
  const more = databaseCount === undefined ? 0 : databaseCount - chosen.length;
  return [textElement(`${names}${more > 0 ? ` (${more} more not asked)` : ''}`)];
}

function callsLeft({ callsLeft: counters }: ConnectionFacts): RichTextElement[] {
  if (!counters || (counters.minute.left === undefined && counters.day.left === undefined)) {
    return [textElement('not known yet')];
  }
  const { minute, day } = counters;
  return [
    textElement(`${counted(minute)} this minute, ${counted(day)} today`),
    ...(minute.left === 0
      ? [textElement('; new ones at '), momentElement(minute.resetsAt, '{time_secs}')]
      : day.left === 0
        ? [textElement('; new ones at '), momentElement(day.resetsAt)]
        : []),
  ];
}

function counted({ left, limit }: { readonly left: number | undefined; readonly limit: number | undefined }): string {
  if (left === undefined) return 'not known';
  if (left === Number.POSITIVE_INFINITY) return 'unlimited';
  const figure = (number: number) => number.toLocaleString('en-US');
  return limit === undefined || limit === Number.POSITIVE_INFINITY
    ? figure(left)
    : `${figure(left)} of ${figure(limit)}`;
}

function relayBlocks({ relays }: ConnectionFacts): Block[] {
  if (relays.total === 0) {
    return [];
  }
  const parts = [
    `${relays.total} ${relays.total === 1 ? 'relay' : 'relays'}`,
    relays.paused > 0 ? `${relays.paused} paused` : '',
    relays.waiting > 0 ? `${relays.waiting} ${relays.waiting === 1 ? 'post' : 'posts'} waiting` : '',
    relays.aside > 0 ? `${relays.aside} set aside` : '',
  ].filter(Boolean);
  return [richText(line('Relays', [textElement(parts.join(', '))]))];
}
