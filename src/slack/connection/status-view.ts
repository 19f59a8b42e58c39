/** The connection's status as blocks: for `/scandesk status`, the modals that show it and App Home. Pure. */
import { countOf, plural } from '../../english.js';
import { mostDatabases } from '../../lookup/index.js';
import { copyProgressText } from '../block-kit/copy-progress.js';
import { type Block, type Message, type ModalView, message, modalView } from '../block-kit/elements.js';
import { bold, code, elementsOf, type LinePart, momentAfter, person, richText } from '../block-kit/text.js';
import { problemOf } from '../bolt/problem/problem.js';
import { type ScopeReport, scopeBlocks } from './scope-report.js';
import type { ConnectionStatus, CopiedAccount } from './status.js';

export function statusMessage(facts: ConnectionStatus, scopes?: ScopeReport): Message {
  const { connection, problem } = facts;
  const connected =
    problem?.code === 'account.key_refused' ? 'The scanning account refused the API key' : 'Scandesk is connected';
  return message(connection ? connected : 'No scanning account is connected yet', [
    ...statusBlocks(facts),
    ...scopeBlocks(scopes),
  ]);
}

export function statusView(facts: ConnectionStatus, scopes?: ScopeReport): ModalView {
  return modalView('Status', [...statusBlocks(facts), ...scopeBlocks(scopes)], { callback_id: 'notice' });
}

/** @param withRelays whether relays are counted, where they are not listed beside it */
export function statusBlocks(facts: ConnectionStatus, { withRelays = true } = {}): Block[] {
  const { connection, problem } = facts;
  const relays = withRelays && facts.relays.total > 0 ? [line('Relays', [relayCounts(facts)])] : [];
  if (!connection) {
    return [richText([bold('No scanning account is connected yet.')], howToConnect, ...relays)];
  }
  const explained = problem && problemOf(problem);
  const [stateName, label, connectedBy] = connectionState(facts);
  return [
    richText(
      [
        { type: 'emoji', name: stateName },
        ' ',
        bold(label),
        connectedBy,
        person(connection.connectedBy),
        momentAfter(', ', connection.connectedAt, '{date_long_pretty} at {time}'),
      ],
      ...(explained ? [[`${explained.what} `, ...elementsOf(explained.todo)]] : []),
    ),
    richText(
      line('Lookups search', databasesSearched(facts)),
      ...(facts.copy ? [copyLine(facts.copy)] : []),
      line('API calls left', callsLeft(facts)),
      ...relays,
    ),
  ];
}

/** The connection's state: an emoji, the status, and the words before the name of the person who connected it. */
function connectionState({ key, problem }: ConnectionStatus): readonly [emoji: string, label: string, by: string] {
  if (problem?.code === 'account.key_refused') {
    return ['warning', 'API key refused', ' · added by '];
  }
  if (problem) {
    return ['warning', 'Connected', ' by '];
  }
  return key === undefined
    ? ['hourglass_flowing_sand', 'Checking the connection…', ' · connected by ']
    : ['white_check_mark', 'Connected', ' by '];
}

const howToConnect: readonly LinePart[] = [
  'A workspace admin can connect one with ',
  code('/scandesk connect'),
  '. All it takes is an API key.',
];

function line(label: string, elements: readonly LinePart[]): LinePart[] {
  return [bold(`${label}: `), ...elements];
}

function databasesSearched({ chosenDatabases, databaseCount }: ConnectionStatus): LinePart[] {
  if (chosenDatabases === undefined) {
    return [databaseCount === undefined ? 'every database' : everyDatabase(databaseCount)];
  }
  const names = chosenDatabases.flatMap(({ name }) => name ?? []);
  const unnamed = chosenDatabases.length - names.length;
  const all = unnamed === 0 ? names : [...names, countOf(unnamed, names.length > 0 ? 'other database' : 'database')];
  const moreCount = databaseCount === undefined ? 0 : databaseCount - chosenDatabases.length;
  return [`${all.join(', ')}${moreCount > 0 ? ` (${moreCount} not searched)` : ''}`];
}

/** The line about the copied values and scans, which lookups read without an API call. */
function copyLine({ values, scans, at, copying }: CopiedAccount): LinePart[] {
  if (copying) {
    return line('Copying', [copyProgressText(copying), '. Each lookup takes API calls until all is copied.']);
  }
  const counts = [...(values > 0 ? [countOf(values, 'value')] : []), ...(scans > 0 ? [countOf(scans, 'scan')] : [])];
  const text = counts.length > 0 ? counts.join(', ') : 'nothing yet';
  return line('Copied', [text, ...(at === undefined ? [] : [momentAfter(' as of ', at)])]);
}

function everyDatabase(count: number): string {
  if (count > mostDatabases) {
    return `the first ${mostDatabases} of ${count} databases`;
  }
  return count === 0 ? 'no databases yet' : plural(count, 'the only database', `all ${count} databases`);
}

function callsLeft({ callsLeft: counters }: ConnectionStatus): LinePart[] {
  if (!counters || (counters.minute.left === undefined && counters.day.left === undefined)) {
    return ['not known yet'];
  }
  const { minute, day } = counters;
  return [
    `${callsText(minute)} this minute, ${callsText(day)} today`,
    ...(minute.left === 0
      ? ['; ', momentAfter('resets at ', minute.resetsAt, '{time_secs}')]
      : day.left === 0
        ? ['; ', momentAfter('resets ', day.resetsAt, '{date_short_pretty} at {time}')]
        : []),
  ];
}

function callsText({ left, limit }: { readonly left: number | undefined; readonly limit: number | undefined }): string {
  if (left === undefined) return 'not known';
  if (left === Number.POSITIVE_INFINITY) return 'unlimited';
  const figure = (number: number) => number.toLocaleString('en-US');
  return limit === undefined || limit === Number.POSITIVE_INFINITY
    ? figure(left)
    : `${figure(left)} of ${figure(limit)}`;
}

function relayCounts({ relays }: ConnectionStatus): string {
  return [
    String(relays.total),
    relays.paused > 0 ? `${relays.paused} paused` : '',
    relays.blocked > 0 ? `${relays.blocked} with a blocked channel` : '',
    relays.pending > 0 ? `${countOf(relays.pending, 'post')} pending` : '',
    relays.notDelivered > 0 ? `${relays.notDelivered} not delivered` : '',
  ]
    .filter(Boolean)
    .join(', ');
}
