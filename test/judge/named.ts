/** Named histories: what went wrong once, and the sure answers that each of their questions must get. */
import type { History, Step } from './history.js';
import { changeHistories } from './named-changes.js';
import {
  ask,
  atMost,
  card,
  change,
  duplicates,
  fails,
  forget,
  gate,
  none,
  scan,
  search,
  share,
  textOf,
  values,
  wait,
  world,
} from './named-steps.js';

export interface NamedHistory {
  readonly title: string;
  readonly history: History;
  /** The answers in the order of the questions. That of a card is its headline and the number of scans. */
  readonly answers: readonly string[];
}

export const namedHistories: readonly NamedHistory[] = [
  {
    title: 'a late scan of a barcode between two scans of the barcode does not let the second of the two scans in',
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
    title: 'late scans within the time limit after an earlier admission are duplicates',
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
    title: 'a lookup of a text that only reads like a value with a separator leaves the value in the values file',
    history: world(none, ['GS\u001d10X'], [wait(10), card('GS10X'), values]),
    answers: ['unknown 0', 'exported 1'],
  },
  {
    title: 'a search for a value with a separator finds the scan that the account returns without the separator',
    history: world(none, [], [scan('record', 'GS\u001d10X'), wait(10), search('GS\u001d10X'), search('0007')]),
    answers: ['found 1', 'found 0'],
  },
  {
    title: 'a lookup of a text that only reads like a scanned barcode leaves the scan in the scans file',
    history: world(
      none,
      [],
      [scan('record', 'GS\u001d10X'), wait(10), ask('exportScans'), card('GS10X'), wait(1), ask('exportScans')],
    ),
    answers: ['exported 1', 'unknown 0', 'exported 1'],
  },
  {
    title: 'a card lacks a scan in another spelling only until the copy has the scan',
    history: world(none, ['CASE-1'], [wait(10), scan('once', 'case-1'), card('CASE-1'), wait(1), card('CASE-1')]),
    answers: ['green no_admission 0', 'used 1'],
  },
  {
    title: 'a card is no longer “refused” once another client has deleted the refused scan',
    history: world(
      none,
      [],
      [
        ...[wait(10), scan('once', '0007'), change('value', '0007', true), wait(10), card('0007')],
        ...[forget(0), wait(20), card('0007')],
      ],
    ),
    answers: ['refused 1', 'green no_admission 0'],
  },
  {
    title: 'a value marked not valid through Scandesk while a page of the account is on its way stays not valid',
    history: world(none, ['0007'], [wait(10), change('race', '0007', false), gate('0007'), card('0007')]),
    answers: ['invalid', 'not_valid 1'],
  },
  {
    title: 'a value deleted through Scandesk while a page of the account is on its way stays deleted',
    history: world(none, ['0007'], [wait(10), change('race', '0007', null), gate('0007'), card('0007')]),
    answers: ['invalid', 'unknown 1'],
  },
  ...(['outage', 'key', 'minute', 'day'] as const).map(
    (fault): NamedHistory => ({
      title: `a barcode in no database is “not checked” while the account cannot be asked (fault: ${fault})`,
      history: world(none, [], [wait(10), fails(fault, 2), card('0007')]),
      answers: ['not_checked 0'],
    }),
  ),
  {
    title: 'a value that another client marked not valid is not valid on the next card',
    history: world(none, ['0007'], [gate('0007'), wait(10), change('value', '0007', false), card('0007')]),
    answers: ['valid', 'not_valid 1'],
  },
  {
    title: 'the card of a value that nobody could confirm for 20 minutes is not green',
    history: world(none, ['0007'], [gate('0007'), wait(10), fails('outage', 20), card('0007')]),
    answers: ['valid', 'unconfirmed 1'],
  },
  {
    title: 'an admission in another case counts where the database ignores case',
    history: world(duplicates, ['CASE-1'], [wait(10), gate('case-1'), gate('CASE-1'), card('CASE-1'), card('case-1')]),
    answers: ['valid', 'duplicate', 'used 2', 'used 2'],
  },
  {
    title: 'an admission in another case does not count where the first database with the barcode distinguishes case',
    history: {
      ...world(none, [], [wait(10), gate('CASE-1'), card('case-1'), card('CASE-1')], [1, 0]),
      values: [
        { database: 1, text: textOf('case-1'), held: true },
        { database: 0, text: textOf('CASE-1'), held: true },
      ],
    },
    answers: ['valid', 'green no_admission 1', 'green scanned 1'],
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
      [...[scan('record', 'Plain 5'), wait(10), gate('0007', 0, { scanId: true }), search('0007')], card('0007')],
    ),
    answers: ['valid', 'found 1', 'green scanned 1'],
  },
  {
    title: 'a ticket is not used any more once its scan is deleted in the account',
    history: world(
      none,
      ['0007'],
      [...[scan('once', '0007'), wait(20), card('0007'), forget(0), wait(20)], card('0007')],
    ),
    answers: ['used 1', 'green no_admission 0'],
  },
  {
    title: 'a scan that another client deleted leaves searches once full passes have missed it',
    history: world(
      none,
      ['0007'],
      [
        ...[scan('record', '0007'), scan('record', '0007'), wait(20), search('0007')],
        ...[forget(0), wait(400), wait(20), search('0007'), card('0007')],
      ],
    ),
    answers: ['found 2', 'found 1', 'green no_admission 1'],
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
      title: `the copy of ${chosen ? 'chosen' : 'all'} databases still answers a lookup after hours of outage`,
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
  {
    title: 'results of a search for today that are shared after midnight are those that the search found',
    history: {
      ...world(
        none,
        ['0007'],
        [wait(1_300), gate('0007'), ask('today'), wait(180), share('shareSearch'), ask('today')],
      ),
      atClockChange: true,
    },
    answers: ['valid', 'found 1', 'shared 1', 'found 0'],
  },
  {
    title: 'cards and search results of a former account cannot be shared, and Home counts none of its scans',
    history: world(
      none,
      ['0007'],
      [
        ...[scan('record', '0007'), wait(10), card('0007'), ask('today'), ask('home'), { do: 'connect' } as const],
        ...[share('shareCard'), share('shareSearch'), ask('home'), ask('today'), card('0007')],
      ],
    ),
    answers: [
      ...['green no_admission 1', 'found 1', 'counted 1', 'shared refused', 'shared refused'],
      ...['counted 0', 'found 0', 'not_valid 0'],
    ],
  },
  {
    title: 'a card that is shared after a change of its value is shared as it was shown, and only once',
    history: world(
      none,
      ['0007'],
      [
        ...[gate('0007'), wait(10), card('0007'), change('value', '0007', false), wait(10)],
        ...[share('shareCard'), share('shareCard')],
      ],
    ),
    answers: ['valid', 'green scanned 1', 'shared 1', 'shared 0'],
  },
  {
    title: '“All scans” of a barcode is no older than the barcode’s card',
    history: world(
      none,
      ['0007'],
      [scan('record', '0007'), wait(10), ask('more'), scan('record', '0007'), wait(1), ask('more')],
    ),
    answers: ['green no_admission 1', 'more 1', 'green no_admission 2', 'more 2'],
  },
  {
    title: 'a late scan counts on the day that it was made, on Home and in a report',
    history: {
      ...world(none, ['0007'], [wait(600), gate('0007', 1_500), ask('home'), ask('relayReport', 'case-1')]),
      atClockChange: true,
    },
    answers: ['valid', 'counted 0', 'counted 1'],
  },
  {
    title: 'the day of a clock change has the scans before and after it',
    history: {
      ...world(
        none,
        ['0007'],
        [
          ...[gate('0007'), wait(61), gate('0007'), wait(61), gate('0007')],
          ...[ask('home'), ask('today'), ask('relayReport'), ask('searchReport')],
        ],
      ),
      atClockChange: true,
    },
    answers: ['valid', 'valid', 'valid', 'counted 3', 'found 3', 'counted 3', 'counted 3'],
  },
  ...([1970, 2999] as const).map(
    (clock): NamedHistory => ({
      title: `a scan whose device clock says ${clock} counts on the day of its arrival`,
      history: world(none, ['0007'], [gate('0007', 0, { clock }), ask('today'), ask('home'), ask('relayReport')]),
      answers: ['valid', 'found 1', 'counted 1', 'counted 1'],
    }),
  ),
  {
    title: 'a scan that a relay let in without a check counts as not checked in a search, on Home and in a report',
    history: {
      ...world(
        none,
        ['0007'],
        [wait(10), fails('outage', 0), gate('GS\u001d10X'), ask('today'), ask('home'), ask('relayReport')],
      ),
      relays: [{ databases: [0], limit: none, unknown: 'accept' }],
    },
    answers: ['unknown_accepted', 'found 1', 'counted 1', 'counted 1'],
  },
  {
    title: 'a barcode that a relay admits once and let in without a check is a duplicate the second time',
    history: {
      ...world(none, ['0007'], [wait(10), fails('outage', 0), gate('GS\u001d10X'), gate('GS\u001d10X')]),
      relays: [{ databases: [0], limit: duplicates, unknown: 'accept' }],
    },
    answers: ['unknown_accepted', 'duplicate'],
  },
  {
    title: 'a scan that the account posted to a relay is once in the scans file, in a search and in a report',
    history: world(
      none,
      ['0007'],
      [scan('postback', '0007'), wait(20), ask('exportScans'), search('0007'), ask('searchReport')],
    ),
    answers: ['valid', 'exported 1', 'found 1', 'counted 1'],
  },
  {
    title: 'a scan deleted through Scandesk is gone from searches, exports and Home a minute later',
    history: world(
      none,
      ['0007'],
      [
        ...[scan('record', '0007'), wait(20), search('0007'), forget(0, true), wait(1)],
        ...[search('0007'), ask('exportScans'), ask('home')],
      ],
    ),
    answers: ['found 1', 'found 0', 'exported 0', 'counted 0'],
  },
  {
    title: 'a value that another client deleted is no longer in the values file after the next copy',
    history: world(none, ['0007', 'Plain 5'], [wait(10), values, change('value', '0007', null), wait(20), values]),
    answers: ['exported 2', 'exported 1'],
  },
  {
    title: 'a scan that a relay admitted before its process was killed is on the card and in the scans file',
    history: world(
      duplicates,
      ['0007'],
      [wait(10), gate('0007'), { do: 'kill' }, wait(3), gate('0007'), card('0007'), ask('exportScans')],
    ),
    answers: ['valid', 'duplicate', 'used 2', 'exported 2'],
  },
  {
    title: 'a limit of one scan holds across two processes',
    history: world(
      atMost(1, 'value'),
      ['0007'],
      [{ do: 'second' }, wait(10), gate('0007'), gate('0007'), card('0007'), card('0007')],
    ),
    answers: ['valid', 'limit', 'used 2', 'used 2'],
  },
  {
    title: 'a value marked not valid through one process is not admitted by another process',
    history: world(
      none,
      ['0007'],
      [
        ...[{ do: 'second' } as const, wait(10), gate('0007')],
        ...[{ ...change('value', '0007', false), here: true } as Step, gate('0007'), card('0007')],
      ],
    ),
    answers: ['valid', 'invalid', 'not_valid 2'],
  },
  {
    title: 'an admission by a device whose clock is years ahead prevents another admission for the limit’s time only',
    history: world(
      duplicates,
      ['0007'],
      [gate('0007', 0, { clock: 2999 }), wait(61), card('0007'), gate('0007'), card('0007')],
    ),
    answers: ['valid', 'green scanned 1', 'valid', 'used 2'],
  },
  {
    title: 'a ticket that a relay with a limit of two admitted twice is used, and after the limit’s time no longer',
    history: world(
      atMost(2, 'value'),
      ['0007'],
      [
        ...[wait(10), gate('0007'), card('0007'), wait(1), gate('0007'), card('0007'), gate('0007')],
        ...[card('0007'), wait(61), card('0007')],
      ],
    ),
    answers: ['valid', 'green scanned 1', 'valid', 'used 2', 'limit', 'used 3', 'refused 3'],
  },
  {
    title: 'a ticket that a relay admitted by another database than the one that holds it now was scanned elsewhere',
    history: {
      ...world(
        duplicates,
        ['0007'],
        [
          wait(10),
          gate('0007'),
          change('value', '0007', null),
          change('value', '0007', true, 1),
          wait(20),
          card('0007'),
        ],
      ),
      chosen: false,
    },
    answers: ['valid', 'elsewhere 1'],
  },
  {
    title: 'searches, Home and exports answer from the copy while the day’s calls are used up',
    history: world(
      none,
      ['0007'],
      [scan('record', '0007'), wait(10), fails('day', 2), search('0007'), ask('home'), ask('exportScans')],
    ),
    answers: ['found 1', 'counted 1', 'exported 1'],
  },
  {
    title: 'a barcode that no database holds has the card of its equal reading, and is not valid at a relay',
    history: world(
      none,
      ['01234565'],
      [
        ...[wait(10), gate('012345000065'), card('012345000065'), gate('01234565'), card('012345000065')],
        ...[ask('several', '012345000065'), change('value', '012345000065', false), wait(10), card('012345000065')],
      ],
    ),
    answers: [
      ...['invalid', 'green no_admission 0 by 01234565', 'valid', 'green scanned 1 by 01234565'],
      ...['green scanned 1 by 01234565', 'unknown 0', 'unknown 0', 'not_valid 1'],
    ],
  },
  {
    title: 'a barcode with a serial number has no equal reading',
    history: world(none, ['01234565', '012345000065'], [wait(10), card('010001234500006521S1')]),
    answers: ['unknown 0'],
  },
  {
    title: 'a relay that reads barcodes admits each text once, and the text’s card says so of its own scans',
    history: world(
      duplicates,
      ['01234565'],
      [
        ...[wait(10), gate('012345000065'), card('012345000065'), gate('012345000065'), gate('01234565')],
        ...[card('01234565'), wait(61), card('012345000065'), change('value', '01234565', false), wait(10)],
        ...[gate('012345000065'), card('012345000065')],
      ],
      [0],
      true,
    ),
    answers: ['valid', 'used 1', 'duplicate', 'valid', 'used 1', 'refused 2', 'invalid', 'not_valid 3'],
  },
  ...changeHistories,
];
