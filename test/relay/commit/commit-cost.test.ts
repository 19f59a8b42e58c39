import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chooseSqliteDriver } from '../../../src/database/dialects/sqlite-driver.js';
import type { DecidedPost } from '../../../src/relay/commit/index.js';
import { createScanCommit, type IncomingScan } from '../../../src/relay/commit/index.js';
import { createRelayStore } from '../../../src/relay/relays/relay-rows.js';
import { repeatKey } from '../../../src/scans/received/repeat-keys.js';
import type { Store } from '../../../src/workspaces/types.js';
import { openTestStore, sqliteDatabases } from '../../helpers/databases.js';
import { owner, relayRecord } from '../../helpers/relay.js';

/** A step of a query plan that reads a whole table, other than the statement's own row and tables of one row. */
const walk = /\bSCAN (?!input|latest|CONSTANT|scans_pruned|\()/;

const databases = sqliteDatabases();
const prepared = new Set<string>();
let store: Store;

beforeAll(async () => {
  const driver = chooseSqliteDriver();
  store = await openTestStore(await databases.fresh(), {
    sqliteDriver: {
      ...driver,
      open(path) {
        const db = driver.open(path);
        const prepare = (text: string) => {
          prepared.add(text);
          return db.prepare(text);
        };
        return { prepare, exec: (text) => db.exec(text), close: () => db.close() };
      },
    },
  });
});
afterAll(() => store.close());

it('no statement of a commit of scans reads a whole table', async () => {
  const within = { within: [60] };
  const counting = { value: { ...within, since: 4 }, device: {}, user: {}, service: {}, relay: within };
  await createRelayStore(store.db).add(relayRecord({ id: 'r', counting }), { id: 's', hash: 'f'.repeat(64) });
  const common = {
    installation: owner.installation,
    team: owner.team,
    channel: 'C',
    who: 'U',
    made_at: 0,
    until: 9e12,
  };
  await store.db
    .insertInto('watches')
    .values({ ...common, id: 'w', value: 'a', value_key: '=a' })
    .execute();
  prepared.clear();
  const scan = (n: number, fields: Partial<IncomingScan> = {}): IncomingScan => {
    const told = { tid: 'a', sid: '1', udid: 'D', userid: '7', scannedAtUtc: `2026-11-21 10:00:0${n}` };
    return {
      ...{ id: `id${n}`, relayId: 'r', secretId: 's', receivedAt: n, answers: [], properties: [], submit: [] },
      ...told,
      scanid: `${n}`,
      repeatKey: repeatKey(told),
      ...fields,
    };
  };
  const post: DecidedPost = { channel: 'C', rule: 'q', threadParent: { key: 'card.1', detail: '{}' } };
  const commit = createScanCommit(store, {
    needs: () => ({ memories: true, digests: true }),
    countsAround: (_, { receivedAt }) => receivedAt,
    revise: () => ({ posts: [], muted: [] }),
  });
  const decide = () => ({
    ...{ valid: true, text: '', memories: { q: '{}' } },
    posts: [post, { ...post, collect: { until: 9, detail: '{}' } }],
  });
  await commit.commit([scan(1), scan(2)], decide);
  await commit.commit([scan(1, { answers: [{ questionId: '1', answer: 'x' }] }), scan(3)], () => ({
    ...decide(),
    valid: false,
  }));
  const texts = [...prepared].filter((text) => /^\s*(select|insert|update|delete)\b/i.test(text));
  expect(texts.length).toBeGreaterThan(20);
  for (const text of texts) {
    const parameters = [...text.matchAll(/\?\d*/g)].map(([name]) => name.slice(1));
    const count = Math.max(0, ...parameters.map(Number)) || parameters.length;
    const plan = CompiledQuery.raw(`explain query plan ${text}`, Array(count).fill(null)) as CompiledQuery<{
      detail: string;
    }>;
    const { rows } = await store.db.executeQuery(plan);
    expect(`${text}\n${rows.map(({ detail }) => detail).join('\n')}`).not.toMatch(walk);
  }
});
