/** Named histories of changes by admins and people: services, relays and databases, edits from cards, cut answers. */
import type { NamedHistory } from './named.js';
import {
  ask,
  atMost,
  card,
  change,
  duplicates,
  edit,
  fails,
  gate,
  mend,
  nextDoor,
  none,
  scan,
  service,
  wait,
  world,
} from './named-steps.js';

/** Lookups search all databases, and no relay checks any. */
const all = (...given: Parameters<typeof world>) => ({ ...world(...given), chosen: false });
const anew = { database: 0, kind: 'once' } as const;
const make = service('make', 'new', anew);

export const changeHistories: readonly NamedHistory[] = [
  {
    title: 'an admission by a service that was made a minute ago is on the card',
    history: world(
      none,
      ['0007'],
      [scan('once', '0007'), card('0007'), make, scan('new', 'Plain 5'), scan('new', '0007'), wait(1), card('0007')],
    ),
    answers: ['used 1', 'used 2'],
  },
  {
    title: 'the first admission by a service that was made just now is on the card',
    history: world(
      none,
      ['0007', 'Plain 5'],
      [
        scan('once', 'Plain 5'),
        wait(10),
        card('Plain 5'),
        make,
        scan('new', '0007'),
        card('0007'),
        wait(3),
        card('0007'),
      ],
    ),
    answers: ['used 1', 'used 1', 'used 1'],
  },
  {
    title: 'an admission by a service that was deleted is no admission that nobody made',
    history: world(
      none,
      ['0007'],
      [wait(10), make, scan('new', '0007'), card('0007'), service('remove', 'new', anew), wait(10), card('0007')],
    ),
    answers: ['used 1', 'incomplete 0'],
  },
  {
    title: 'an admission by a service that checks another database now was made elsewhere',
    history: world(
      none,
      ['0007'],
      [
        ...[wait(10), make, scan('new', '0007'), card('0007')],
        ...[service('settings', 'new', { database: 1, kind: 'once' }), wait(20), card('0007')],
      ],
    ),
    answers: ['used 1', 'elsewhere 1'],
  },
  {
    title: 'a service that admits each barcode once since a minute ago admits no barcode that it admitted before',
    history: world(
      none,
      ['0007'],
      [
        ...[wait(10), service('make', 'new', { database: 0, kind: 'often' }), scan('new', '0007'), card('0007')],
        ...[service('settings', 'new', anew), wait(1), card('0007')],
      ],
    ),
    answers: ['green scanned 1', 'used 1'],
  },
  {
    title: 'a card is not green by a list of services that the account has not given for a day',
    history: world(
      none,
      ['0007'],
      [
        wait(10),
        make,
        scan('once', '0007'),
        card('0007'),
        wait(10),
        fails('services', 1_440),
        scan('new', '0007'),
        card('0007'),
      ],
    ),
    answers: ['used 1', 'unconfirmed 2'],
  },
  {
    title: 'a barcode is not unknown by a list of databases that the account has not given for a day',
    history: all(
      none,
      [],
      [
        ...[wait(10), card('0007'), { do: 'database', change: 'make', database: 0, text: 2 } as const, card('0007')],
        ...[wait(10), card('0007'), fails('databases', 1_440), card('Plain 5')],
      ],
    ),
    answers: ['unknown 0', 'unknown 0', 'green no_admission 0', 'not_checked 0'],
  },
  {
    title: 'an answer that lacks an item that it counts is no answer, and takes nothing out of the copy',
    history: world(
      none,
      ['0007'],
      [
        gate('0007'),
        wait(10),
        fails('short', 0),
        card('0007'),
        wait(20),
        mend,
        card('0007'),
        gate('0007'),
        ask('exportScans'),
        ask('exportValues', 'CASE-1'),
      ],
    ),
    answers: ['valid', 'green scanned 1', 'green scanned 1', 'valid', 'exported 2', 'exported 1'],
  },
  {
    title: 'the page of a device and the rows of Home say how old a value is that the account cannot confirm',
    history: world(
      none,
      ['0007'],
      [
        wait(10),
        change('value', '0007', false),
        wait(20),
        fails('outage', 20),
        ask('devicePage'),
        card('0007'),
        ask('recent'),
      ],
    ),
    answers: ['not_valid 0', 'not_valid 0'],
  },
  {
    title: 'every surface says the same of a barcode',
    history: world(
      duplicates,
      ['0007'],
      [gate('0007'), wait(10), card('0007'), ask('tool'), ask('devicePage'), ask('messageMenu'), ask('recent')],
    ),
    answers: ['valid', 'used 1', 'used 1', 'used 1', 'used 1'],
  },
  {
    title: 'a value that is marked valid from an old card shows the admissions since then',
    history: world(
      none,
      ['0007'],
      [
        ...[
          change('value', '0007', false),
          wait(20),
          card('0007'),
          change('value', '0007', true),
          scan('once', '0007'),
        ],
        ...[change('value', '0007', false), wait(240), edit(0, true)],
      ],
    ),
    answers: ['not_valid 0', 'used 1'],
  },
  {
    title: 'a person who asks after a change is not answered by a colleague’s question from before it',
    history: world(none, ['0007'], [wait(10), ask('joined')]),
    answers: ['not_valid 0'],
  },
  {
    title: 'a value that another workspace with the same account marked not valid is not valid on the next card',
    history: world(none, ['0007'], [wait(10), card('0007'), nextDoor('0007', false), card('0007')]),
    answers: ['green no_admission 0', 'not_valid 0'],
  },
  {
    title: 'a search by a service’s new name finds the scans that it made under its former name',
    history: world(
      none,
      ['0007'],
      [
        ...[scan('record', '0007'), wait(20), service('name', 'record', anew), scan('record', '0007'), wait(10)],
        ...[card('0007'), wait(10), ask('searchService', '0007')],
      ],
    ),
    answers: ['green no_admission 2', 'found 2'],
  },
  {
    title: 'a relay of which the limit was raised admits a barcode that it admitted before',
    history: world(
      atMost(1, 'value'),
      ['0007'],
      [
        ...[gate('0007'), wait(1), card('0007')],
        ...[
          { do: 'relay', change: 'settings', relay: 0, databases: [0], limit: atMost(3, 'value') } as const,
          card('0007'),
          gate('0007'),
        ],
        ...[{ do: 'relay', change: 'remove', relay: 0, databases: [0], limit: none } as const, card('0007')],
      ],
    ),
    answers: ['valid', 'used 1', 'green scanned 1', 'valid', 'elsewhere 2'],
  },
];
