/**
 * The audit log's modal: who changed what, when, where and with what outcome, newest first. Pure. Outside text is never
 * read as markup.
 */
import { z } from 'zod';
import { meaningOf } from '../../codereadr/errors.js';
import { unnamed } from '../../codereadr/names.js';
import { findOperation } from '../../codereadr/operations/index.js';
import type { Operation } from '../../codereadr/operations/operation.js';
import type { NameOf } from '../../codereadr/types.js';
import { AccountError, type AccountErrorCode } from '../../codereadr/types.js';
import { upperFirst } from '../../english.js';
import type { AuditEntry } from '../../workspaces/types.js';
import { signs } from '../block-kit/describe-result.js';
import {
  type Actions,
  actions,
  type Block,
  button,
  context,
  type ModalView,
  modalView,
  option,
  plain,
} from '../block-kit/elements.js';
import { shortText } from '../block-kit/short-text.js';
import {
  barcodeElement,
  bold,
  channelElement,
  joined,
  type LinePart,
  momentElement,
  person,
  richText,
  textElement,
} from '../block-kit/text.js';
import { unconfirmed } from '../bolt/audit.js';
import { encode, longest, origin } from '../bolt/metadata.js';
import { problemOf } from '../bolt/problem/problem.js';
import { permissionsNamed, scopesInCode } from '../bolt/scopes.js';
import { labelIn } from '../operations/form/resources.js';
import { type AuditNames, cutLetters, describeValue, labelFor, ownDetail, ownTitle } from './describe-entry.js';

export const auditTitle = 'Audit log';

/** The filters and the page that the modal shows. */
export const auditMetadata = z.object({
  ...origin,
  /** Slack user id. */
  who: z.string().optional(),
  /** A value of `auditSections`. */
  section: z.string().optional(),
  /** Id of the last entry on the previous page. */
  before: z.string().optional(),
});

export type AuditMetadata = z.output<typeof auditMetadata>;

export const auditPageData = auditMetadata.pick({ before: true });

export const rowsAPage = 10;

/** How many details a row shows; the audit record itself holds all. */
const mostDetails = 8;
const longestDetail = 120;
const longestBarcode = 110;

export interface AuditView {
  readonly rows: readonly (AuditEntry & { readonly id: string })[];
  readonly hasOlder: boolean;
  readonly metadata: AuditMetadata;
  readonly names: AuditNames;
  /** How many days entries are kept. */
  readonly days: number;
}

/** The sections to filter by, as they stand before the slash in an entry's `what`. */
export const auditSections: readonly (readonly [value: string, label: string, sections: readonly string[]])[] = [
  ['all', 'All changes', []],
  ['workspace', 'Connection and access', ['workspace']],
  ['relay', 'Relays', ['relay']],
  ['report', 'Daily reports', ['report']],
  ['places', 'Lists', ['places']],
  ['services', 'Services', ['services']],
  ['users', 'Users', ['users']],
  ['devices', 'Devices', ['devices']],
  ['questions', 'Questions', ['questions']],
  ['databases', 'Databases', ['databases']],
  ['scans', 'Scans', ['scans', 'scan_properties', 'search']],
];

export function auditView({ rows, hasOlder, metadata, names, days }: AuditView): ModalView {
  const isFiltered = metadata.who !== undefined || metadata.section !== undefined;
  const emptyText =
    metadata.before !== undefined ? 'No older changes.' : isFiltered ? 'No matching changes.' : 'No changes yet.';
  const lastRow = rows.at(-1);
  const pageButtons: Actions['elements'] = [
    ...(metadata.before === undefined ? [] : [button('← Newest', 'audit.newest')]),
    ...(hasOlder && lastRow
      ? [button('Older →', 'audit.older', { value: encode(auditPageData, { before: lastRow.id }, longest.button) })]
      : []),
  ];
  const blocks: Block[] = [
    filterBlock(metadata),
    ...(rows.length === 0 ? [richText([bold(emptyText)])] : rows.map((row) => rowBlock(row, names))),
    ...(pageButtons.length > 0 ? [actions(pageButtons, 'audit.turns')] : []),
    context(`Changes made in Slack, newest first. Kept for ${days} days.`),
  ];
  return modalView(auditTitle, blocks, { callback_id: 'audit', private_metadata: encode(auditMetadata, metadata) });
}

function filterBlock({ who, section }: AuditMetadata): Block {
  const sections = auditSections.map(([value, label]) => option(label, value));
  const chosenSection = sections.find(({ value }) => value === (section ?? 'all'))!;
  return actions(
    [
      {
        type: 'users_select',
        action_id: 'audit.person',
        placeholder: plain('Anyone'),
        ...(who === undefined ? {} : { initial_user: who }),
      },
      { type: 'static_select', action_id: 'audit.section', options: sections, initial_option: chosenSection },
      // A users_select cannot be cleared by the person, so a button does it.
      ...(who === undefined ? [] : [button('Anyone', 'audit.anybody')]),
    ],
    // A new block_id for each filter: Slack keeps a picker's choice by block_id and would show the old one.
    `audit.filter.${who ?? ''}.${section ?? ''}`,
  );
}

function rowBlock(row: AuditEntry, names: AuditNames): Block {
  const details = detailsOf(row, names);
  return richText(
    headOf(row),
    ...(row.outcome === 'ok' ? [] : [outcomeLine(row.outcome)]),
    ...(details.length > 0 ? [details] : []),
  );
}

/** The change, its person, its time and its place. */
export function headOf(row: AuditEntry): LinePart[] {
  return [
    ...(row.outcome === 'ok' ? [] : [`${signs.unsure} `]),
    bold(titleOf(row.what, row.detail)),
    '  ·  ',
    ...(row.who === 'system' ? ['Scandesk'] : [person(row.who)]),
    '  ·  ',
    momentElement(row.at),
    ...whereElements(row.where),
  ];
}

function whereElements(where: string): LinePart[] {
  const place = /^[CG][A-Z0-9]+$/.test(where)
    ? channelElement(where)
    : textElement(where === 'home' ? 'App Home' : where.startsWith('D') ? 'a direct message' : 'a dialog');
  return ['  ·  ', place];
}

/** An action without a title of its own is shown by its name: `relay/quiet_hours` → `Relay: quiet hours`. */
export function titleOf(auditName: string, detail: AuditEntry['detail'] = {}): string {
  const [section = '', action = ''] = auditName.split('/');
  const known = ownTitle(auditName, detail) ?? findOperation(section, action)?.title;
  return known ?? `${section.charAt(0).toUpperCase()}${section.slice(1)}: ${action.replaceAll('_', ' ')}`;
}

const outcomes: Readonly<Record<string, string>> = {
  'relay.no_such_relay': 'The relay no longer exists.',
  unreachable: 'Scandesk couldn’t reach its own public URL.',
  refused: 'It was refused.',
  cancelled: 'It was canceled.',
  'export.not_connected': 'The account was disconnected.',
  'export.other_account': 'A different account was connected.',
  'export.too_large': 'The file would be too large.',
  'export.too_old': 'It didn’t finish within a day.',
  'export.copy_gone': 'The copy of the account was replaced.',
  'export.unconfirmed': 'Slack didn’t confirm that the file was posted.',
  unknown: 'Something went wrong.',
};

function outcomeLine(outcome: string): string {
  const [code = '', more] = outcome.split(' ');
  return more === unconfirmed ? `Not confirmed: ${describeOutcome(code)}` : `Not done: ${describeOutcome(outcome)}`;
}

function describeOutcome(outcome: string): string {
  const [code = '', apiCode] = outcome.split(' ');
  const outcomeLabel = labelFor(outcomes, outcome);
  if (outcomeLabel !== undefined) {
    return outcomeLabel;
  }
  const scopes = scopesInCode(outcome);
  if (scopes !== undefined) {
    return `Scandesk is missing ${permissionsNamed(scopes)}.`;
  }
  if (apiCode !== undefined) {
    return `${meaningOf(apiCode).title} (code ${apiCode}).`;
  }
  return code.startsWith('account.')
    ? problemOf(new AccountError(code as AccountErrorCode, 'on record')).what
    : `${code}.`;
}

/** The details of an entry, as one line of parts. */
export function detailsOf({ what, detail }: AuditEntry, names: AuditNames): LinePart[] {
  const [section = '', action = ''] = what.split('/');
  const operation = findOperation(section, action);
  const isOwn = ownTitle(what) !== undefined;
  const isForget = what === 'workspace/forget';
  const recorded = Object.entries(detail).filter(
    ([name, value]) =>
      value !== undefined && !(value === false && shownOnlyIfTrue.has(name)) && !(isForget && value === 0),
  );
  const isNothing = isForget && 'scans' in detail && !recorded.some(([, value]) => typeof value === 'number');
  const fields = recorded.flatMap(([name, value]): readonly (readonly LinePart[])[] => {
    const own = isOwn ? ownDetail(name, value, { detail, names }) : undefined;
    return own ?? (value === null ? [] : [detailElements(operation, name, value, names.resource)]);
  });
  const all = isNothing ? [['Nothing stored'], ...fields] : fields;
  const detailsLeft = all.length - mostDetails;
  const parts = detailsLeft > 0 ? [...all.slice(0, mostDetails), [`${detailsLeft} more`]] : all;
  return joined(parts, '  ·  ');
}

function detailElements(
  operation: Operation | undefined,
  paramName: string,
  value: unknown,
  nameOf: NameOf,
): LinePart[] {
  const variable = operation && Object.hasOwn(operation.input, paramName) ? operation.input[paramName] : undefined;
  if (paramName === 'undoes' && !variable) {
    return ['Undoes an earlier change'];
  }
  const label =
    variable && operation
      ? labelIn(operation, paramName)
      : (labelFor(labels, paramName) ?? upperFirst(paramName.replaceAll(/_|(?=[A-Z])/g, ' ').toLowerCase()));
  if (variable?.type === 'barcode' && typeof value === 'string') {
    return [`${label}: `, barcodeElement(cutLetters(value, longestBarcode))];
  }
  const isReference = variable?.type === 'id' || variable?.type === 'ids';
  const text = isReference ? resourceNames(variable.of, value, nameOf) : describeValue(value);
  return [`${label}: `, shortText(text, longestDetail)];
}

const labels: Readonly<Record<string, string>> = {
  id: 'ID',
  was: 'Before',
  hadKey: 'API key deleted',
  replaced: 'Replaced another API key',
  scanDays: 'Days of scans copied',
  countsKept: 'Still counted',
  recent: 'Recent lookups',
  copied: 'Copied from the account',
  entries: 'Entries of this log',
  posts: 'Posts',
  scans: 'Scans',
  cards: 'Cards',
  alerts: 'Alerts',
  buttons: 'Buttons',
  reason: 'Reason',
  zone: 'Time zone',
  day: 'Day',
};

const shownOnlyIfTrue: ReadonlySet<string> = new Set(['replaced', 'hadKey', 'undoes']);

function resourceNames(kind: Parameters<NameOf>[0], value: unknown, nameOf: NameOf): string {
  const ids = [value].flat().map(describeValue);
  return ids.map((id) => nameOf(kind, id) ?? (id === 'all' ? 'all' : unnamed(kind, id))).join(', ');
}
