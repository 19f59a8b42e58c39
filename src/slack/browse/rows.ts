/** The row texts of each list, made from the account's records and the names known for their ids. Pure. */
import { unnamed } from '../../codereadr/names.js';
import { questions as questionOperations, services as serviceOperations } from '../../codereadr/operations/index.js';
import type { Upload } from '../../codereadr/operations/uploads.js';
import type { Database, DatabaseValue, Device, NameOf, Question, Service, User } from '../../codereadr/types.js';
import { countOf } from '../../english.js';
import type { SeenScan } from '../../lookup/index.js';
import { validity } from '../../scans/result-words.js';
import type { Members } from '../../workspaces/members.js';
import { signedResult } from '../block-kit/describe-result.js';
import { cut } from '../block-kit/elements.js';

export interface ItemRow {
  readonly id: string;
  readonly name: string;
  /** The row's second line, in parts. */
  readonly details: readonly string[];
  /** Whether the name is a barcode, which is the id as well. */
  readonly isBarcode?: true;
}

export interface ScanListRow {
  readonly id: string | undefined;
  readonly scan: SeenScan;
}

function labelOf(options: readonly (readonly [string, string])[], value: string): string {
  return options.find(([option]) => option === value)?.[1] ?? value;
}

export function serviceRow(service: Service, nameOf: NameOf): ItemRow {
  const { databaseId } = service;
  const kind = labelOf(serviceOperations.create.input.validation_method.options, service.validationMethod);
  return {
    id: service.id,
    name: service.name,
    details: [
      kind,
      ...(databaseId === undefined ? [] : [nameOf('database', databaseId) ?? unnamed('database', databaseId)]),
      countOf(service.userIds.length, 'user'),
      ...(service.questionIds.length === 0 ? [] : [countOf(service.questionIds.length, 'question')]),
    ],
  };
}

export function userRow({ id, username, serviceIds, limit }: User, members: Members): ItemRow {
  const few = limit === undefined || limit === '' ? [] : [`up to ${limit} ${limit === '1' ? 'device' : 'devices'}`];
  const member = members.get(id);
  const linked = member ? [`in Slack: ${member.name}`] : [];
  return { id, name: username, details: [`can use ${countOf(serviceIds.length, 'service')}`, ...few, ...linked] };
}

export function deviceRow({ id, udid, name }: Device): ItemRow {
  return { id, name: name || udid, details: name === '' ? [] : [udid] };
}

export function databaseRow({ id, name, count, serviceIds, caseSensitive }: Database): ItemRow {
  return {
    id,
    name,
    details: [
      ...(count === undefined ? [] : [countOf(count, 'value')]),
      `used by ${countOf(serviceIds.length, 'service')}`,
      ...(caseSensitive ? ['case-sensitive'] : []),
    ],
  };
}

export function valueRow({ value, valid, response }: DatabaseValue): ItemRow {
  return {
    id: value,
    name: value,
    details: [signedResult(validity(valid)), ...(response === '' ? [] : [response])],
    isBarcode: true,
  };
}

const mostAnswers = 5;
/** The most characters of an answer in a question's row. */
const longestAnswer = 60;

export function questionRow({ id, text, type, answers }: Question): ItemRow {
  const shownAnswers = answers.slice(0, mostAnswers).map((answer) => cut(answer.text, longestAnswer));
  const answersLeft = answers.length - shownAnswers.length;
  return {
    id,
    name: text,
    details: [
      labelOf(questionOperations.create.input.question_type.options, type),
      ...(shownAnswers.length > 0
        ? [`${shownAnswers.join(' / ')}${answersLeft > 0 ? ` and ${answersLeft} more` : ''}`]
        : []),
    ],
  };
}

/** An upload, by its service and its time. The time is shown as received, since the account names no zone for it. */
export function uploadRow(
  { id, serviceId, userId, deviceId, status, count, timestamp }: Upload,
  nameOf: NameOf,
): ItemRow {
  const nameOrId = (kind: 'service' | 'user' | 'device', one: string) =>
    one === '' ? [] : [nameOf(kind, one) ?? `${kind} ${one}`];
  const [name = 'Upload', ...details] = [
    ...nameOrId('service', serviceId),
    ...(timestamp === '' ? [] : [timestamp]),
    ...(count === undefined ? [] : [countOf(count, 'scan')]),
    ...nameOrId('user', userId),
    ...nameOrId('device', deviceId),
    ...(status === '' || status === '1' ? [] : [`status ${status}`]),
  ];
  return { id, name, details };
}
