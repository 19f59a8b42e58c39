/** Named histories: what went wrong once, and the sure answers that each of their questions must get. */
import { type Clock, type History, type Step, texts } from './history.js';
import type { Limit } from './truth.js';

export interface NamedHistory {
  readonly title: string;
  readonly history: History;
  /** In the order of the questions. A line of a card: its headline and the number of scans. */
  readonly answers: readonly string[];
}

type Text = (typeof texts)[number];
const textOf = (text: Text) => texts.indexOf(text);
const gate = (text: Text, lateMinutes = 0, more: { clock?: Clock; scanId?: boolean } = {}): Step => ({
  ...{ do: 'gate', relay: 0, text: textOf(text), lateMinutes, clock: 'right', scanId: false },
  ...more,
});
const wait = (minutes: number): Step => ({ do: 'wait', minutes });
const card = (text: Text): Step => ({ do: 'card', text: textOf(text) });
const scan = (service: 'once' | 'often' | 'record' | 'postback', text: Text, clock: Clock = 'right'): Step => ({
  ...{
    do: 'scan',
    service: ['once', 'often', 'record', 'postback'].indexOf(service),
    text: textOf(text),
    lateMinutes: 0,
    clock,
  },
});
const change = (kind: 'value' | 'race', text: Text, held: boolean | null, database = 0): Step =>
  kind === 'race'
    ? { do: kind, database, text: textOf(text), held }
    : { do: kind, here: false, database, text: textOf(text), held };
const fails = (fault: Extract<Step, { do: 'fault' }>['fault'], minutes: number): Step => ({
  do: 'fault',
  fault,
  minutes,
});

/** One relay, which checks the first database, the one that ignores case. */
const world = (
  limit: Limit,
  held: readonly Text[],
  steps: readonly Step[],
  databases: readonly number[] = [0],
): History => ({
  chosen: true,
  relays: [{ databases, limit, unknown: 'reject' }],
  values: held.map((text) => ({ database: databases[0] ?? 0, text: textOf(text), held: true })),
  steps,
});
const none: Limit = { kind: 'none' };
const atMost = (n: number, of: 'value' | 'relay'): Limit => ({ kind: 'atMost', n, of, minutes: 60 });
const duplicates: Limit = { kind: 'duplicates', minutes: 60 };

export const namedHistories: readonly NamedHistory[] = [
  {
    title: 'a late scan between two scans of a barcode does not let the second in',
    history: world(atMost(1, 'value'), ['0007'], [gate('0007'), wait(5), gate('0007', 240), wait(1), gate('0007')]),
    answers: ['valid', 'valid', 'limit'],
  },
  {
    title: 'late scans do not let a third and a fourth scan into a relay with a limit of two',
    history: world(
      atMost(2, 'relay'),
      ['0007', 'Plain 5', 'CASE-1'],
      [
        ...[gate('0007'), wait(1), gate('Plain 5'), wait(1), gate('CASE-1')],
        ...[gate('0007', 240), gate('Plain 5', 240), wait(1), gate('CASE-1'), wait(1), gate('0007')],
      ],
    ),
    answers: ['valid', 'valid', 'limit', 'valid', 'valid', 'limit', 'limit'],
  },
  {
    title: 'late scans within the time of an admission that came earlier are duplicates',
    history: world(
      duplicates,
      ['0007'],
      [
        ...[gate('0007'), wait(240), gate('0007'), wait(1)],
        ...[gate('0007', 240), gate('0007', 238), gate('0007', 236)],
      ],
    ),
    answers: ['valid', 'valid', 'duplicate', 'duplicate', 'duplicate'],
  },
  {
    title: 'a scan whose device clock is years ahead counts by its arrival',
    history: world(
      duplicates,
      ['0007'],
      [gate('0007', 0, { clock: 2999 }), wait(10), gate('0007'), wait(61), gate('0007')],
    ),
    answers: ['valid', 'duplicate', 'valid'],
  },
  {
    title: 'a text that only reads like a value with a separator is not admitted',
    history: world(
      none,
      ['GS\u001d10X', 'RS\u001e4'],
      [...[wait(10), gate('GS10X'), gate('RS4'), gate('GS\u001d10X'), gate('RS\u001e4'), card('GS10X')]],
    ),
    answers: ['invalid', 'invalid', 'valid', 'valid', 'unknown 1'],
  },
  {
    title: 'a value marked not valid through Scandesk while a page is on its way stays not valid',
    history: world(none, ['0007'], [wait(10), change('race', '0007', false), gate('0007'), card('0007')]),
    answers: ['invalid', 'not_valid 1'],
  },
  {
    title: 'a value taken out through Scandesk while a page is on its way stays out',
    history: world(none, ['0007'], [wait(10), change('race', '0007', null), gate('0007'), card('0007')]),
    answers: ['invalid', 'unknown 1'],
  },
  ...(['outage', 'key', 'minute', 'day'] as const).map(
    (fault): NamedHistory => ({
      title: `a barcode of no database is not called unknown while the account cannot be asked (${fault})`,
      history: world(none, [], [wait(10), fails(fault, 2), card('0007')]),
      answers: ['not_checked 0'],
    }),
  ),
  {
    title: 'a value that another client refunded is not green',
    history: world(none, ['0007'], [gate('0007'), wait(10), change('value', '0007', false), card('0007')]),
    answers: ['valid', 'not_valid 1'],
  },
  {
    title: 'a value that nobody could confirm for 20 minutes is not green',
    history: world(none, ['0007'], [gate('0007'), wait(10), fails('outage', 20), card('0007')]),
    answers: ['valid', 'unconfirmed 1'],
  },
  {
    title: 'an admission in another case counts where the database ignores case',
    history: world(duplicates, ['CASE-1'], [wait(10), gate('case-1'), gate('CASE-1'), card('CASE-1'), card('case-1')]),
    answers: ['valid', 'duplicate', 'used 2', 'used 2'],
  },
  {
    title: 'a scan that the account posted to a relay is on the card at once',
    history: world(duplicates, ['0007'], [gate('0007'), wait(61), wait(10), scan('postback', '0007'), card('0007')]),
    answers: ['valid', 'valid', 'used 2'],
  },
  {
    title: 'a scan whose template sends the id of another scan is found by its barcode',
    history: world(
      none,
      ['0007', 'Plain 5'],
      [
        ...[
          scan('record', 'Plain 5'),
          wait(10),
          gate('0007', 0, { scanId: true }),
          { do: 'search', text: textOf('0007') } as const,
        ],
        card('0007'),
      ],
    ),
    answers: ['valid', 'found 1', 'green scanned 1'],
  },
  {
    title: 'a ticket is not used any more once its scan is deleted in the account',
    history: world(
      none,
      ['0007'],
      [
        ...[scan('once', '0007'), wait(20), card('0007'), { do: 'forget', here: false, scan: 0 } as const, wait(20)],
        card('0007'),
      ],
    ),
    answers: ['used 1', 'green no_admission 0'],
  },
  {
    title: 'a scan deleted through Scandesk while a page is on its way stays deleted',
    history: world(
      none,
      ['0007'],
      [...[gate('0007'), wait(10), scan('record', '0007'), { do: 'raceOfScan', scan: 0 } as const, card('0007')]],
    ),
    answers: ['valid', 'green scanned 1'],
  },
  ...[true, false].map(
    (chosen): NamedHistory => ({
      title: `the copy of databases that lookups search (${chosen ? 'chosen' : 'all'}) outlives hours of outage`,
      history: {
        ...world(none, ['0007'], [wait(10), fails('outage', 61), wait(61), wait(61), card('0007')]),
        chosen,
        relays: [],
      },
      answers: ['unconfirmed 0'],
    }),
  ),
  {
    title: 'a relay goes on validating from its copy through hours of outage',
    history: world(none, ['0007'], [wait(10), fails('outage', 61), wait(61), wait(61), gate('0007')]),
    answers: ['valid'],
  },
  {
    title: 'a relay goes on validating from its copy when the day’s calls are used up',
    history: world(none, ['0007'], [wait(10), fails('day', 61), wait(61), wait(61), gate('0007')]),
    answers: ['valid'],
  },
];
