/** The impact of a delete for each kind of resource, read from the account: name, links, contents. */
import { databases, questions, scans, services, users } from '../../../codereadr/operations/index.js';
import type { ReferenceKind } from '../../../codereadr/operations/operation.js';
import { utcZone } from '../../../codereadr/operations/zones.js';
import type { NameOf } from '../../../codereadr/types.js';
import { type Account, AccountError } from '../../../codereadr/types.js';
import { countOf, firstOf, plural } from '../../../english.js';
import { cut } from '../../block-kit/elements.js';
import { barcodeElement, bold, type LinePart } from '../../block-kit/text.js';
import { maxResults } from '../form/limits.js';

export interface DeleteImpact {
  /** The consequences, one entry per line. */
  readonly lines: readonly (readonly LinePart[])[];
  /** A summary of the affected records, shown once the operation is done. */
  readonly summary: string;
}

const maxNamed = 15;
export const longestName = 120;

type ReadImpact = (account: Account, ids: readonly string[]) => Promise<DeleteImpact>;

export const impactOfKind: Readonly<Record<ReferenceKind, ReadImpact>> = {
  async service(account, ids) {
    const { client } = account;
    const answer = await client.call(services.retrieve, { service_id: ids });
    const foundServices = inOrder(ids, answer.services, 'service', '200');
    // One page of scans is read at most: where there may be more scans, the text says "at least".
    const result = await client.call(scans.retrieve, { service_id: ids, limit: maxResults, timezone: utcZone });
    const isAll = result.scans.length < maxResults;
    const scansOf = (id: string) => result.scans.filter((scan) => scan.service.id === id).length;
    const total = isAll ? countOf(result.scans.length, 'scan') : `at least ${countOf(result.scans.length, 'scan')}`;
    return impactOf(
      foundServices.map(({ id, name, userIds, questionIds }) => ({
        name,
        id,
        details: [
          ...(isAll ? [countOf(scansOf(id), 'scan')] : []),
          countOf(userIds.length, 'user'),
          countOf(questionIds.length, 'question'),
        ].join(', '),
      })),
      `This also deletes ${total} from the account. Users, questions, and databases are kept.`,
    );
  },

  async user(account, ids) {
    const answer = await account.client.call(users.retrieve, { user_id: ids });
    const found = inOrder(ids, answer.users, 'user', '201');
    return impactOf(
      found.map(({ id, username, serviceIds }) => ({
        name: username,
        id,
        details: `has access to ${countOf(serviceIds.length, 'service')}`,
      })),
      `${plural(found.length, 'This user', 'These users')} will no longer be able to log in to devices.`,
    );
  },

  async device() {
    throw new TypeError('no operation deletes a device');
  },

  async upload() {
    throw new TypeError('no operation deletes an upload');
  },

  async database(account, ids) {
    const [items, nameOf] = await Promise.all([databasesOf(account, ids), account.names.findNames(['services'])]);
    const links = items.reduce((sum, { serviceIds }) => sum + serviceIds.length, 0);
    return impactOf(
      items.map(({ id, name, count, serviceIds }) => ({
        name,
        id,
        details: `${count === undefined ? 'an unknown number of values' : countOf(count, 'value')}, used by ${usedBy(serviceIds, nameOf)}`,
      })),
      links > 0
        ? 'A database that a service uses can’t be deleted. Give that service another database first.'
        : 'This also deletes its values.',
    );
  },

  async question(account, ids) {
    const [answer, everyService] = await Promise.all([
      account.client.call(questions.retrieve, { question_id: ids }),
      account.names.services(),
    ]);
    const foundQuestions = inOrder(ids, answer.questions, 'question', '202');
    return impactOf(
      foundQuestions.map(({ id, text, answers }) => ({
        name: text,
        id,
        details: [
          countOf(answers.length, 'answer'),
          `used by ${countOf(everyService.filter(({ questionIds }) => questionIds.includes(id)).length, 'service')}`,
        ].join(', '),
      })),
      'This also deletes the answers to choose from. Answers already recorded with scans are kept.',
    );
  },

  async answer(account, ids) {
    const { questions: allQuestions } = await account.client.call(questions.retrieve, {});
    const found = inOrder(
      ids,
      allQuestions.flatMap(({ text, answers }) => answers.map((answer) => ({ ...answer, question: text }))),
      'answer',
      '203',
    );
    return impactOf(
      found.map(({ id, text, question }) => ({ name: text, id, details: `to “${cut(question, longestName)}”` })),
      'Answers already recorded with scans are kept.',
    );
  },

  async scan(account, ids) {
    const answer = await account.client.call(scans.retrieve, {
      scan_id: ids,
      limit: ids.length,
      timezone: utcZone,
    });
    const foundScans = inOrder(ids, answer.scans, 'scan', '804');
    const lines = foundScans
      .slice(0, maxNamed)
      .map(({ id, value, timestamp, service, user }) => [
        barcodeElement(value),
        `  ${timestamp} UTC, ${service.name}, ${user.name}  ID ${id}`,
      ]);
    return {
      lines: [[bold(countOf(foundScans.length, 'scan'))], ...lines, ...andMore(foundScans.length)],
      summary: countOf(foundScans.length, 'scan'),
    };
  },
};

/** The first three services' names and how many more there are; where one of the names is unknown, only the number. */
function usedBy(serviceIds: readonly string[], nameOf: NameOf): string {
  const names = serviceIds.slice(0, 3).map((id) => nameOf('service', id));
  const known = names.filter((name) => name !== undefined);
  if (known.length === 0 || known.length < names.length) {
    return countOf(serviceIds.length, 'service');
  }
  const rest = serviceIds.length - known.length;
  const listed = known.map((name) => cut(name, 60));
  return firstOf(listed, rest, plural(rest, 'more service'));
}

export async function databasesOf(account: Account, ids: readonly string[]) {
  const answer = await account.client.call(databases.retrieve, { database_id: ids });
  return inOrder(ids, answer.databases, 'database', '204');
}

interface ImpactItem {
  readonly name: string;
  readonly id: string;
  readonly details: string;
}

function impactOf(items: readonly ImpactItem[], consequence: string): DeleteImpact {
  const lines = items
    .slice(0, maxNamed)
    .map(({ name, id, details }) => [bold(cut(name || '(no name)', longestName)), `  ${details} · ID ${id}`]);
  const names = items.slice(0, 5).map(({ name }) => cut(name || '(no name)', 60));
  const rest = items.length - names.length;
  return {
    lines: [...lines, ...andMore(items.length), [consequence]],
    summary: firstOf(names, rest),
  };
}

function andMore(total: number): LinePart[][] {
  return total > maxNamed ? [[`and ${(total - maxNamed).toLocaleString('en-US')} more`]] : [];
}

function inOrder<T extends { readonly id: string }>(
  ids: readonly string[],
  foundItems: readonly T[],
  kind: ReferenceKind,
  apiCode: string,
): readonly T[] {
  return [...new Set(ids)].map((id) => {
    const item = foundItems.find((each) => each.id === id);
    if (!item) {
      throw notFound(kind, apiCode);
    }
    return item;
  });
}

export function notFound(kind: string, apiCode: string): AccountError {
  return new AccountError('account.refused', `the ${kind} to delete does not exist`, { apiCode });
}
