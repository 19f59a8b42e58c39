/**
 * The first state of every form that creates or does something, beside the state that the same call leaves in the
 * embedded account when it omits that parameter.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Random, systemRandom } from '../../../src/clock.js';
import { currentReaderOf } from '../../../src/codereadr/current-values.js';
import { operationName, operations } from '../../../src/codereadr/operations/index.js';
import { sampleKeys } from '../../../src/sandbox/codereadr/index.js';
import { readServices } from '../../../src/sandbox/codereadr/operations/service-row.js';
import { openSqlite } from '../../../src/sandbox/codereadr/store/sqlite.js';
import { operationForm } from '../../../src/slack/operations/form/operation-form.js';
import { prefilled } from '../../../src/slack/operations/form/prefill.js';
import { type Harness, startService } from '../../sandbox/codereadr/harness.js';

/** What each operation needs at least, and a value with spaces where they may be trimmed. */
const bare: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'services/create': {
    validation_method: 'ondevicedatabase',
    database_id: '$database',
    postback_url: 'https://example.com/x',
  },
  'services/addquestion': { service_id: '$service', question_id: '$question' },
  'services/removequestion': { service_id: '$service', question_id: '$question' },
  'questions/create': { question_text: 'Which gate?' },
  'databases/create': { database_name: 'New' },
  'databases/addvalue': { database_id: '$database', value: ' A ' },
  'databases/upsertvalue': { database_id: '$database', value: ' A ' },
  'databases/upsertmultivalue': { database_id: '$database', 'values[0][value]': ' A ' },
  'databases/upload': { database_id: '$database', csvfile: ' A ,yes\n' },
  'scan_properties/create': { scan_id: '$scan', name: 'seat', value: '12' },
  'scan_properties/update': { scan_id: '$scan', name: 'seat', value: '12' },
  'barcode/generate': { value: 'A' },
};

/** The account ends with the same values whether it reads a file at once or later. */
const withoutTrace = ['databases/upload is_deferred'];

const tables = [
  ...['databases', 'database_values', 'users', 'questions', 'answers', 'service_users', 'service_questions'],
  ...['scan_properties', 'devices'],
];

interface State {
  readonly operation: string;
  readonly name: string;
  readonly first: string;
  readonly others: readonly string[];
}

/** Random bytes that are the same each time, so that the sample is the same in every account. */
function sameEachTime(): Random {
  let drawn = 0;
  const bytes = (length: number) => {
    drawn += 1;
    return Buffer.from(Array.from({ length }, (_, at) => (drawn * 31 + at * 7) % 256));
  };
  return { ...systemRandom, bytes };
}

/** Whatever a form shows as chosen before anybody touches it, and a number that it names as the default. */
const states = operations
  .filter((operation) => operation.effect === 'write' && !currentReaderOf(operation))
  .flatMap((operation) =>
    operationForm(operation, {}).params.flatMap(({ name, param, kind }): State[] => {
      const options =
        param.type === 'boolean' ? ['0', '1'] : param.type === 'enum' ? param.options.map(([id]) => id) : [];
      const blank: unknown = kind.blank;
      if (param.type === 'integer' && param.default !== undefined) {
        const others = [String(Number(param.default) + 1)];
        return [{ operation: operationName(operation), name, first: param.default, others }];
      }
      const first = typeof blank === 'boolean' ? String(Number(blank)) : String(blank);
      const others = options.filter((option) => option !== first);
      return options.includes(first) ? [{ operation: operationName(operation), name, first, others }] : [];
    }),
  );

describe('the first state of a form', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scandesk-first-state-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const known = new Map<string, Promise<string>>();
  let count = 0;

  /** What is in an account after the call, or its answer where that is a picture or a refusal. */
  const outcomeOf = (operation: string, more: Readonly<Record<string, string>>) => {
    const key = JSON.stringify([operation, more]);
    const found = known.get(key) ?? left(operation, more);
    known.set(key, found);
    return found;
  };

  async function left(operation: string, more: Readonly<Record<string, string>>): Promise<string> {
    count += 1;
    const file = join(folder, `${count}.db`);
    const account = await startService({ file, random: sameEachTime() });
    try {
      const answer = await call(account, operation, more);
      await account.service.idle();
      if (!answer.includes('<status>1</status>')) return answer;
      const sql = await openSqlite(file);
      const all = tables.map((table) => sql.all(`SELECT * FROM ${table}`));
      const services = readServices(sql, { id: 1 } as never, 'all' as never);
      sql.close();
      return JSON.stringify([all, services], (name, value) => (/_at$|^password$/.test(name) ? 0 : value));
    } finally {
      await account.close();
    }
  }

  async function call(account: Harness, operation: string, more: Readonly<Record<string, string>>): Promise<string> {
    const [section = '', action = ''] = operation.split('/');
    const ids: Record<string, string> = {};
    for (const name of ['database', 'service', 'question', 'scan']) {
      const root = await account.ok(`${name}s/retrieve`);
      ids[`$${name}`] = root.get(name)?.attributes.id ?? '';
    }
    if (operation === 'services/removequestion') {
      await account.ok('services/addquestion', { service_id: ids.$service!, question_id: ids.$question! });
    }
    const body = new FormData();
    for (const [name, value] of Object.entries({
      section,
      action,
      api_key: sampleKeys.demo,
      ...bare[operation],
      ...more,
    })) {
      if (name === 'csvfile') body.append(name, new Blob([value]), 'values.csv');
      else body.append(name, ids[value] ?? value);
    }
    const url = section === 'barcode' ? `${account.url}/barcode/api/` : account.api;
    return Buffer.from(await (await fetch(url, { method: 'POST', body })).arrayBuffer()).toString('latin1');
  }

  test('the test of first states has a minimal call for every operation with an optional choice', () => {
    expect([...new Set(states.map(({ operation }) => operation))].filter((name) => !bare[name])).toEqual([]);
    expect(states.length).toBeGreaterThan(20);
  });

  test.each(states)(
    'the first state of the field $operation $name is what the account assumes: $first',
    async ({ operation, name, first, others }) => {
      const untouched = await outcomeOf(operation, {});
      expect(await outcomeOf(operation, { [name]: first })).toBe(untouched);
      if (!withoutTrace.includes(`${operation} ${name}`)) {
        expect(await outcomeOf(operation, { [name]: others[0]! })).not.toBe(untouched);
      }
    },
  );

  test.each(states)(
    'a form keeps a typed value that differs from the first state of the field: $operation $name',
    ({ operation, name, others }) => {
      const declared = operations.find((each) => operationName(each) === operation)!;
      const form = operationForm(declared, {});
      const { kind } = form.params.find((each) => each.name === name)!;
      for (const other of others) {
        const { draft, problems } = prefilled(form, { [name]: other }, []);
        expect(problems).toEqual([]);
        expect(String(Number(kind.toRaw(draft[`v.${name}`])) || kind.toRaw(draft[`v.${name}`]))).toMatch(
          new RegExp(`^(${other}${other === '0' ? '|false' : ''})$`),
        );
      }
    },
  );
});
