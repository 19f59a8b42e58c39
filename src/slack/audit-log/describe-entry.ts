/**
 * Titles and details of audit entries about Scandesk itself: relays, lists, reports, exports, the connection. Pure.
 * A field without a description here is shown as it was recorded.
 */
import { unnamed } from '../../codereadr/names.js';
import type { NameOf } from '../../codereadr/types.js';
import { countOf, lowerFirst } from '../../english.js';
import type { AuditEntry } from '../../workspaces/types.js';
import { shortName, shortText } from '../block-kit/short-text.js';
import {
  barcodeElement,
  channelElement,
  joined,
  type LinePart,
  momentAfter,
  person,
  userGroup,
} from '../block-kit/text.js';
import { notableLabels } from '../channel-posts/describe/describe-relay.js';
import { clockText } from '../reports/list-view.js';
import { describeSetting } from './describe-settings.js';

export interface AuditNames {
  readonly resource: NameOf;
  /** The relay's name, also of a removed relay. */
  relay(id: string): string | undefined;
  /** The rule's title. */
  rule(relayId: string, ruleId: string): string | undefined;
}

type Detail = AuditEntry['detail'];

const titles: Readonly<Record<string, string>> = {
  'workspace/connect': 'Connect account',
  'workspace/disconnect': 'Disconnect account',
  'workspace/databases': 'Choose databases',
  'workspace/access': 'Manage access',
  'search/save': 'Save a search',
  'search/rename': 'Rename a saved search',
  'search/delete': 'Delete a saved search',
  'workspace/forget': 'Forget a barcode',
  'users/member': 'Link a user to a Slack member',
  'workspace/erase': 'Erase data',
  'workspace/erased': 'Data erased',
  'scans/export': 'Export scans',
  'databases/export': 'Export values',
  'relay/create': 'Create a relay',
  'relay/change': 'Edit a relay',
  'relay/judging': 'Edit validation',
  'relay/answers': 'Edit responses',
  'relay/rules': 'Edit rules',
  'relay/security': 'Edit security',
  'relay/pause': 'Pause a relay',
  'relay/resume': 'Resume a relay',
  'relay/try_again': 'Try a blocked channel again',
  'relay/replay': 'Retry posts not delivered',
  'relay/new_address': 'Create a webhook URL',
  'relay/end_address': 'Revoke a webhook URL',
  'relay/new_pages': 'Create device page URLs',
  'relay/end_pages': 'Revoke device page URLs',
  'relay/remove': 'Delete a relay',
  'relay/test': 'Send a test scan',
  'relay/test_workflow': 'Start a workflow as a test',
  'relay/acknowledge': 'Acknowledge a post',
  'relay/note': 'Edit the note on a post',
  'relay/hand_over': 'Hand over an alert',
  'relay/resolve': 'Resolve an alert',
  'relay/watch': 'Watch a barcode',
  'relay/unwatch': 'Stop watching a barcode',
  'relay/mute': 'Mute',
  'relay/unmute': 'Unmute',
  'relay/appearance': 'Change post appearance',
  'places/create': 'Create a list',
  'places/change': 'Edit a list',
  'places/reset': 'Reset a list',
  'places/delete': 'Delete a list',
  'places/board': 'Show a list in a channel',
  'places/board_remove': 'Stop showing a list in a channel',
  'places/roll_call': 'See who is inside',
  'places/roll_call_export': 'Export who is inside',
  'places/export': 'Export how many were inside',
  'places/out_export': 'Export what is out',
  'places/returned': 'Mark a thing as returned',
  'places/extended': 'Extend a loan',
  'places/reminded': 'Remind of overdue things',
  'places/not_mine': 'Say that a thing is with somebody else',
  'report/create': 'Create a daily report',
  'report/change': 'Edit a daily report',
  'report/pause': 'Pause a daily report',
  'report/resume': 'Resume a daily report',
  'report/delete': 'Delete a daily report',
};

/** The titles of entries about a post that is an alert, where the entry says so: earlier versions did not record it. */
const alertTitles: Readonly<Record<string, string>> = {
  'relay/acknowledge': 'Acknowledge an alert',
  'relay/note': 'Edit the note on an alert',
};

const mutedKinds: Readonly<Record<string, string>> = { value: 'a barcode', rule: 'a rule', relay: 'a relay' };

/** Undefined for an operation of the account, and for an action this version does not know. */
export function ownTitle(auditName: string, detail: Detail = {}): string | undefined {
  const title = labelFor(detail.kind === 'alert' ? alertTitles : titles, auditName) ?? labelFor(titles, auditName);
  return auditName === 'relay/mute' || auditName === 'relay/unmute'
    ? `${title} ${labelFor(mutedKinds, describeValue(detail.kind)) ?? 'something'}`
    : title;
}

/** Own properties only: a recorded name may be `constructor`. */
export function labelFor(table: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The detail as parts of text; undefined for a field without a description here. */
export function ownDetail(
  field: string,
  value: unknown,
  { detail, names }: { readonly detail: Detail; readonly names: AuditNames },
): readonly (readonly LinePart[])[] | undefined {
  const part = (label: string, text: string) => [[`${label}: `, shortText(text, longestText)]];
  const databaseName = (id: string) => shortName(names.resource('database', id) ?? unnamed('database', id));
  switch (field) {
    case 'relay':
    case 'relayId':
      return part('Relay', names.relay(describeValue(value)) ?? 'unknown');
    case 'ruleId': {
      const title =
        typeof detail.title === 'string'
          ? detail.title
          : names.rule(describeValue(detail.relayId), describeValue(value));
      return part('Rule', title === undefined ? 'deleted' : `“${shortName(title, 100)}”`);
    }
    // The entry's title names the kind; `ruleId` and `hour` show `title` and `minute`; the other ids have no names.
    case 'kind':
    case 'title':
    case 'post':
    case 'address':
    case 'report':
    case 'minute':
      return [];
    case 'hour':
      return part('Time', clockText(Number(value), Number(detail.minute)));
    case 'subject':
      return isOfRelay(value) ? part('Relay', names.relay(value.relay) ?? 'unknown') : part('Of', 'a saved search');
    case 'to':
      return isMember(value) ? [['To: ', person(value)]] : part('To', describeValue(value));
    case 'notCopied':
      return part('Databases not copied', [value].flat().map(describeValue).map(databaseName).join(', ') || 'none');
    case 'serviceIds':
      return detail.serviceName === undefined ? part('Services', resourceNames(value, names.resource, 'service')) : [];
    case 'serviceName':
      return value === names.relay(describeValue(detail.relay)) ? [] : part('Service', describeValue(value));
    case 'user_id': {
      const id = describeValue(value);
      return part('User', shortName(names.resource('user', id) ?? unnamed('user', id)));
    }
    case 'service':
      return part('Service', resourceNames(value, names.resource, 'service'));
    case 'databases':
      return part(
        'Databases',
        value === 'all' ? 'all' : [value].flat().map(describeValue).map(databaseName).join(', '),
      );
    case 'channel':
      return [['Channel: ', isChannel(value) ? channelElement(value) : shortText(describeValue(value), 50)]];
    case 'search':
      return part('Search', `“${shortName(describeValue(value), 100)}”`);
    case 'former':
      return part('Before', `“${shortName(describeValue(value), 100)}”`);
    case 'notable':
      return part(
        'Default rule',
        value === 'all' || value === 'invalid' ? lowerFirst(notableLabels[value]) : describeValue(value),
      );
    case 'until': {
      const until = typeof value === 'string' ? Date.parse(value) : value;
      return isMoment(until) ? [[momentAfter('Until ', until)]] : part('Until', describeValue(value));
    }
    case 'rows':
      return part('Rows', Number(value).toLocaleString('en-US'));
    case 'format':
      return part('Format', value === 'spreadsheet' ? 'for spreadsheets' : 'exact');
    case 'when':
      return part('When', describeValue(value));
    case 'mutedPosts':
      return part('For', countOf(Number(value), 'more post'));
    case 'incident':
      return part('Until', 'the alert is over');
    case 'value':
      return [['Barcode: ', barcodeElement(cutLetters(describeValue(value), longestBarcode))]];
    case 'before':
    case 'now':
      return value === null ? [] : [[field === 'now' ? 'Now: ' : 'Before: ', ...peopleElements(value)]];
    default: {
      const setting = describeSetting(field, value, databaseName);
      return setting && part(...setting);
    }
  }
}

/** Whether a report is about a relay; otherwise it is about a saved search. */
function isOfRelay(value: unknown): value is { readonly relay: string } {
  return typeof value === 'object' && value !== null && 'relay' in value && typeof value.relay === 'string';
}

function isMember(value: unknown): value is string {
  return typeof value === 'string' && /^[UW][A-Z0-9]+$/.test(value);
}

const longestText = 200;
const longestBarcode = 110;

function resourceNames(value: unknown, nameOf: NameOf, kind: 'service'): string {
  const ids = [value].flat().map(describeValue);
  return ids.length === 0 ? 'any' : ids.map((id) => nameOf(kind, id) ?? unnamed(kind, id)).join(', ');
}

function isChannel(value: unknown): value is string {
  return typeof value === 'string' && /^[CGD][A-Z0-9]+$/.test(value);
}

/** The largest time a JavaScript Date can hold, in milliseconds. */
const largestTime = 8_640_000_000_000_000;

function isMoment(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= largestTime;
}

export function cutLetters(text: string, most: number): string {
  const letters = [...text];
  return letters.length <= most ? text : `${letters.slice(0, most).join('')}…`;
}

const mostPeople = 20;

function peopleElements(value: unknown): LinePart[] {
  const { users, groups } = (typeof value === 'object' && value ? value : {}) as Record<string, unknown>;
  const all = [...idsIn(users, /^[UW][A-Z0-9]+$/).map(person), ...idsIn(groups, /^S[A-Z0-9]+$/).map(userGroup)];
  const peopleLeft = all.length - mostPeople;
  const moreElements = peopleLeft > 0 ? [` and ${peopleLeft} more`] : [];
  return all.length === 0 ? ['admins and owners only'] : [...joined(all.slice(0, mostPeople), ', '), ...moreElements];
}

function idsIn(value: unknown, shape: RegExp): string[] {
  return (Array.isArray(value) ? value : []).filter((id): id is string => typeof id === 'string' && shape.test(id));
}

/** Any recorded value as text. */
export function describeValue(value: unknown): string {
  if (typeof value === 'boolean') {
    return value ? 'yes' : 'no';
  }
  if (Array.isArray(value)) {
    return value.length === 0 ? 'none' : value.map(describeValue).join(', ');
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([name, each]) => `${name} ${describeValue(each)}`)
      .join(', ');
  }
  return value === '' ? '(empty)' : String(value);
}
