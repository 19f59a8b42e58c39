/**
 * Owns what a confirmation names: the things that go and how much goes with them, asked of the account afresh. Refuses to
 * guess: what the account cannot tell is not confirmed.
 */
import { databases, questions, scanProperties, scans, services, users } from '../../account/catalogue/index.js';
import type { Operation, ReferenceKind } from '../../account/catalogue/operation.js';
import { type Account, AccountError } from '../../account/types.js';
import type { RichTextElement } from '../blocks/kit.js';
import { cut } from '../blocks/kit.js';
import { barcodeElement, bold, textElement } from '../blocks/text.js';
import { mostAtOnce } from './rules.js';
import { isListed, kindWords, thingsOf } from './things.js';

export interface WhatGoes {
  /** A line each. */
  readonly lines: readonly (readonly RichTextElement[])[];
  /** The same in few words, for when it is gone. */
  readonly brief: string;
}

type Input = Readonly<Record<string, unknown>>;

const mostNamed = 15;
const longestName = 120;

/** @throws AccountError, also where something that is to go is not there. */
export async function whatGoes(account: Account, operation: Operation, input: Input): Promise<WhatGoes> {
  if (operation.effect !== 'delete') {
    return allOf(account, operation, input);
  }
  const variables = Object.entries(operation.input);
  const barcode = variables.find(([, { type }]) => type === 'barcode')?.[0];
  if (barcode !== undefined) {
    return aValue(account, String(input.database_id), String(input[barcode]));
  }
  if (operation.section === 'scan_properties') {
    return aProperty(account, String(input.scan_id), String(input.name));
  }
  const things = variables.flatMap(([name, variable]) =>
    variable.type === 'id' || variable.type === 'ids'
      ? [{ kind: variable.of, ids: [input[name]].flat().map(String) }]
      : [],
  );
  const [first] = things;
  if (!first) {
    throw new TypeError(`nothing names what ${operation.section}/${operation.action} removes`);
  }
  return operation.action === 'clear' ? valuesOf(account, first.ids[0]!) : describe[first.kind](account, first.ids);
}

type Describe = (account: Account, ids: readonly string[]) => Promise<WhatGoes>;

const describe: Readonly<Record<ReferenceKind, Describe>> = {
  async service(account, ids) {
    const { client } = account;
    const answer = await client.call(services.retrieve, { service_id: ids });
    const found = inOrder(ids, answer.services, 'service', '200');
    // No more than can be read at once: past that, "at least" is all there is to say.
    const told = await client.call(scans.retrieve, { service_id: ids, limit: mostAtOnce, timezone: 'Africa/Abidjan' });
    const isAll = told.scans.length < mostAtOnce;
    const scansOf = (id: string) => told.scans.filter((scan) => scan.service.id === id).length;
    const total = isAll ? several(told.scans.length, 'scan') : `at least ${several(told.scans.length, 'scan')}`;
    return named(
      found.map(({ id, name, userIds, questionIds }) => ({
        name,
        id,
        more: [
          ...(isAll ? [several(scansOf(id), 'scan')] : []),
          several(userIds.length, 'user'),
          several(questionIds.length, 'question'),
        ].join(', '),
      })),
      `With ${found.length === 1 ? 'it' : 'them'} go ${total}, as they are recorded in the account. Users, questions and databases stay.`,
    );
  },

  async user(account, ids) {
    const answer = await account.client.call(users.retrieve, { user_id: ids });
    const found = inOrder(ids, answer.users, 'user', '201');
    return named(
      found.map(({ id, username, serviceIds }) => ({
        name: username,
        id,
        more: `may use ${several(serviceIds.length, 'service')}`,
      })),
      `${found.length === 1 ? 'This user' : 'They'} cannot log in to a device any more.`,
    );
  },

  async device() {
    throw new TypeError('no operation removes a device');
  },

  async upload() {
    throw new TypeError('no operation removes an upload');
  },

  async database(account, ids) {
    const found = await databasesOf(account, ids);
    const links = found.reduce((sum, { serviceIds }) => sum + serviceIds.length, 0);
    return named(
      found.map(({ id, name, count, serviceIds }) => ({
        name,
        id,
        more: `${count === undefined ? 'an unknown number of values' : several(count, 'value')}, used by ${several(serviceIds.length, 'service')}`,
      })),
      links > 0
        ? 'The account refuses while a service uses it: give that service another database first.'
        : 'Its values go with it.',
    );
  },

  async question(account, ids) {
    const [answer, everyService] = await Promise.all([
      account.client.call(questions.retrieve, { question_id: ids }),
      account.reference.services(),
    ]);
    const found = inOrder(ids, answer.questions, 'question', '202');
    return named(
      found.map(({ id, text, answers }) => ({
        name: text,
        id,
        more: [
          several(answers.length, 'answer'),
          `asked by ${several(everyService.filter(({ questionIds }) => questionIds.includes(id)).length, 'service')}`,
        ].join(', '),
      })),
      'The answers to choose from go with it; answers that were given stay with their scans.',
    );
  },

  async answer(account, ids) {
    const { questions: all } = await account.client.call(questions.retrieve, {});
    const found = inOrder(
      ids,
      all.flatMap(({ text, answers }) => answers.map((answer) => ({ ...answer, question: text }))),
      'answer',
      '203',
    );
    return named(
      found.map(({ id, text, question }) => ({ name: text, id, more: `to “${cut(question, longestName)}”` })),
      'Answers that were given stay with their scans.',
    );
  },

  async scan(account, ids) {
    const answer = await account.client.call(scans.retrieve, {
      scan_id: ids,
      limit: ids.length,
      timezone: 'Africa/Abidjan',
    });
    const found = inOrder(ids, answer.scans, 'scan', '804');
    const lines = found
      .slice(0, mostNamed)
      .map(({ id, value, timestamp, service, user }) => [
        barcodeElement(value),
        textElement(`  ${timestamp} UTC, ${service.name}, ${user.name}  id ${id}`),
      ]);
    return {
      lines: [[bold(several(found.length, 'scan'))], ...lines, ...andMore(found.length)],
      brief: several(found.length, 'scan'),
    };
  },
};

async function databasesOf(account: Account, ids: readonly string[]) {
  const answer = await account.client.call(databases.retrieve, { database_id: ids });
  return inOrder(ids, answer.databases, 'database', '204');
}

/** Emptying a database: all its values. */
async function valuesOf(account: Account, id: string): Promise<WhatGoes> {
  const [database] = await databasesOf(account, [id]);
  const { name, count, serviceIds } = database!;
  const values =
    count === undefined ? 'All values, whose number the account does not tell,' : `All ${several(count, 'value')}`;
  return {
    lines: [
      [bold(values), textElement(' of '), bold(cut(name, longestName)), textElement(`  id ${id}`)],
      [
        textElement(
          `The database itself stays, and so do the ${several(serviceIds.length, 'service')} that use it: each scan is unknown then.`,
        ),
      ],
    ],
    brief: `${values} of ${cut(name, longestName)}`,
  };
}

async function aValue(account: Account, databaseId: string, value: string): Promise<WhatGoes> {
  const [[database], answer] = await Promise.all([
    databasesOf(account, [databaseId]),
    account.client.call(databases.showvalues, { database_id: databaseId, value }),
  ]);
  const found = answer.values.find((each) => each.value === value) ?? answer.values[0];
  if (!found) {
    throw notThere('value', '1017');
  }
  return {
    lines: [
      [
        textElement('Barcode '),
        barcodeElement(found.value),
        textElement(' of '),
        bold(cut(database!.name, longestName)),
      ],
      [
        textElement(found.valid ? 'It is valid' : 'It is not valid'),
        textElement(found.response === '' ? ' and answers nothing.' : ` and answers: ${cut(found.response, 300)}`),
      ],
    ],
    brief: `a barcode of ${cut(database!.name, longestName)}`,
  };
}

async function aProperty(account: Account, scanId: string, name: string): Promise<WhatGoes> {
  const { value } = await account.client.call(scanProperties.retrieve, { scan_id: scanId, name });
  return {
    lines: [
      [textElement('Property '), bold(cut(name, longestName)), textElement(' of scan '), bold(scanId)],
      [textElement('Its value: '), barcodeElement(value)],
    ],
    brief: `property ${cut(name, longestName)} of scan ${scanId}`,
  };
}

/** A change to everything there is: how much that is. */
async function allOf(account: Account, operation: Operation, input: Input): Promise<WhatGoes> {
  const counted = await Promise.all(
    Object.entries(operation.input).flatMap(([name, variable]) =>
      variable.type === 'ids' && input[name] !== undefined ? [countOf(account, variable.of, input[name])] : [],
    ),
  );
  return {
    lines: [
      [bold(`${operation.title}: this touches ${counted.join(' and ')}.`)],
      [textElement('Read it once more before you go on.')],
    ],
    brief: counted.join(' and '),
  };
}

async function countOf(account: Account, kind: ReferenceKind, value: unknown): Promise<string> {
  const ids = [value].flat();
  if (!ids.includes('all')) {
    return several(ids.length, kind);
  }
  return isListed(kind) ? `all ${several((await thingsOf(account, kind)).length, kind)}` : `all ${kindWords[kind][1]}`;
}

interface Line {
  readonly name: string;
  readonly id: string;
  readonly more: string;
}

function named(things: readonly Line[], also: string): WhatGoes {
  const lines = things
    .slice(0, mostNamed)
    .map(({ name, id, more }) => [bold(cut(name || '(no name)', longestName)), textElement(`  id ${id} · ${more}`)]);
  const names = things.slice(0, 5).map(({ name }) => cut(name || '(no name)', 60));
  const rest = things.length - names.length;
  return {
    lines: [...lines, ...andMore(things.length), [textElement(also)]],
    brief: `${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`,
  };
}

function andMore(total: number): RichTextElement[][] {
  return total > mostNamed ? [[textElement(`and ${(total - mostNamed).toLocaleString('en-US')} more`)]] : [];
}

function inOrder<T extends { readonly id: string }>(
  ids: readonly string[],
  found: readonly T[],
  kind: ReferenceKind,
  apiCode: string,
): readonly T[] {
  return [...new Set(ids)].map((id) => {
    const one = found.find((each) => each.id === id);
    if (!one) {
      throw notThere(kind, apiCode);
    }
    return one;
  });
}

function notThere(what: string, apiCode: string): AccountError {
  return new AccountError('account.refused', `a ${what} that is to go is not there`, { apiCode });
}

function several(count: number, kind: string): string {
  const [one, many] = kindWords[kind as ReferenceKind] ?? [kind, `${kind}s`];
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
