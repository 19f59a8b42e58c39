import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { createIds } from '../../../src/database/ids.js';
import {
  type CommitResult,
  createScanCommit,
  type Decide,
  type IncomingScan,
} from '../../../src/relay/commit/index.js';
import { createRelayStore } from '../../../src/relay/relays/relay-rows.js';
import { createScans, type Scan } from '../../../src/scans/index.js';
import { createScanStore } from '../../../src/scans/received/received-scan-rows.js';
import { ever } from '../../../src/scans/walk.js';
import type { Store } from '../../../src/workspaces/types.js';
import { anyText } from '../../helpers/any-text.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { owner, relayRecord, stranger } from '../../helpers/relay.js';
import { receivedOf } from '../../helpers/scans.js';

const makeId = createIds(systemClock, systemRandom);
let counter = 0;

function incoming(relayId: string, fields: Partial<IncomingScan> = {}): IncomingScan {
  counter += 1;
  return {
    id: makeId(),
    relayId,
    secretId: `${relayId}-secret`,
    receivedAt: 1_777_000_000_000 + counter,
    tid: `T-${counter}`,
    answers: [],
    properties: [],
    submit: [['tid', `T-${counter}`]],
    ...fields,
  };
}

/** The fields by which a scan is recognized as a repeat. */
const known = (tid: string, fields: Partial<IncomingScan> = {}): Partial<IncomingScan> => {
  const told = { sid: '1', udid: 'D', userid: '7', tid, scannedAtUtc: '2026-11-21 10:00:00' };
  return { ...told, repeatKey: JSON.stringify(Object.values(told)), ...fields };
};

const accept: Decide = (_, relay) => ({ valid: true, text: 'Welcome', posts: [{ channel: relay.channel }] });

/** A hundred commits in a row at one relay take a while on a busy machine. */
const patient = { limits: { lockMs: 20_000, statementMs: 25_000, connectMs: 25_000 } };

const kinds = (results: readonly CommitResult[]) => results.map(({ kind }) => kind);
const scanOf = (result: CommitResult | undefined) => {
  expect(result?.kind).not.toBe('unknown');
  return (result as Exclude<CommitResult, { kind: 'unknown' | 'changed' }>).scan;
};

onEachDatabase('taking scans', (databases) => {
  let store: Store;
  let url: string;
  let made = 0;

  beforeAll(async () => {
    url = await databases.fresh();
    store = await openTestStore(url, patient);
  });
  afterAll(() => store.close());

  const newRelay = async (fields: Parameters<typeof relayRecord>[0] = {}): Promise<string> => {
    made += 1;
    const id = `relay${made}`;
    await createRelayStore(store.db).add(relayRecord({ id, ...fields }), { id: `${id}-secret`, hash: 'f'.repeat(64) });
    return id;
  };
  const postsOf = (relayId: string) =>
    store.db.selectFrom('outbox').selectAll().where('source_id', '=', relayId).orderBy('seq').execute();
  const commit = (...batch: IncomingScan[]) => createScanCommit(store).commit(batch, accept);

  it('a commit stores a scan and its post together, and both read back unchanged', async () => {
    const relayId = await newRelay({ channel: 'C7' });
    const scan = incoming(relayId, {
      tid: ' 00123\x1d ',
      sid: '101',
      userid: '7',
      udid: 'ABC',
      scanid: '900',
      givenStatus: '1',
      givenText: 'ok',
      scannedAtUtc: '2026-05-01 10:00:00',
      answers: [{ questionId: '12', question: 'Age?', answer: 'a|^|b' }],
      properties: [{ name: 'note', value: '<b>' }],
      submit: [['tid', ' 00123\x1d ']],
      repeatKey: 'k1',
    });
    const [result] = await commit(scan);
    const { secretId: _, submit: __, repeatKey: ___, ...told } = scan;
    expect(result).toEqual({ kind: 'stored', posts: 1, scan: { ...told, owner, valid: true, text: 'Welcome' } });
    expect(await createScanStore(store.db).find(scan.id)).toEqual(scanOf(result));
    expect(await postsOf(relayId)).toMatchObject([
      { scan_id: scan.id, channel: 'C7', state: 'pending', attempts: 0, next_at: scan.receivedAt, finished_at: null },
    ]);
    const row = await store.db
      .selectFrom('received_scans')
      .select('raw')
      .where('id', '=', scan.id)
      .executeTakeFirstOrThrow();
    expect(JSON.parse(row.raw)).toEqual([scan.submit]);
  });

  it('a commit stores any text without NUL unchanged', async () => {
    const relayId = await newRelay();
    const text = anyText({ minLength: 1, maxLength: 300 }).filter((value) => !value.includes('\0'));
    await fc.assert(
      fc.asyncProperty(text, text, async (tid, value) => {
        const scan = incoming(relayId, { tid, udid: value, properties: [{ name: value, value: tid }] });
        await commit(scan);
        const [found] = await receivedOf(store, owner, tid);
        expect(found).toMatchObject({ tid, udid: value, properties: [{ name: value, value: tid }] });
      }),
      { numRuns: 60 },
    );
  });

  it('a barcode or device ID of 65,000 characters finds its scan, and the ID’s beginning finds no scan', async () => {
    const relayId = await newRelay();
    const scans = createScanStore(store.db);
    const long = Array.from({ length: 65_000 }, () => String.fromCodePoint(0x100 + Math.floor(Math.random() * 0x400)));
    const tid = long.join('');
    await commit(incoming(relayId, { tid, udid: tid, scanid: tid }));
    const wanted = { ...ever, barcode: { match: 'is', text: tid } } as const;
    const found: Scan[] = [];
    for await (const slice of createScans(store.db).walk(owner, undefined, wanted)) {
      found.push(...slice.scans);
    }
    expect(found.map(({ value }) => value === tid)).toEqual([true]);
    expect((await scans.ofRelay(owner, relayId, { udid: tid, limit: 5 })).scans.length).toBe(1);
    expect((await scans.ofRelay(owner, relayId, { udid: tid.slice(0, 300), limit: 5 })).scans).toEqual([]);
    expect(kinds(await commit(incoming(relayId, { tid, scanid: tid })))).toEqual(['repeat']);
  });

  it('a repeated scan gets the same response again, and is stored and posted once', async () => {
    const relayId = await newRelay();
    const first = await commit(incoming(relayId, known('same')));
    const again = await createScanCommit(store).commit([incoming(relayId, known('same'))], () => {
      throw new Error('a repeat is not decided anew');
    });
    expect(again).toEqual([{ kind: 'repeat', scan: scanOf(first[0]) }]);
    expect((await postsOf(relayId)).length).toBe(1);
  });

  it('a repeated scan within one batch is recognized', async () => {
    const relayId = await newRelay();
    const results = await commit(
      incoming(relayId, known('r')),
      incoming(relayId),
      incoming(relayId, known('r')),
      incoming(relayId, known('r')),
    );
    expect(kinds(results)).toEqual(['stored', 'stored', 'repeat', 'repeat']);
    expect((await postsOf(relayId)).length).toBe(2);
  });

  it('a scan whose barcode, service, device, user or time differs is not a repeat, also within one batch', async () => {
    const relayId = await newRelay();
    const others = (['tid', 'sid', 'udid', 'userid', 'scannedAtUtc'] as const).map((field) => {
      const told = { sid: '1', udid: 'D', userid: '7', tid: 'near', scannedAtUtc: '2026-11-21 10:00:00' };
      const other = { ...told, [field]: `${told[field]} ` };
      return { ...other, repeatKey: JSON.stringify(Object.values(other)) };
    });
    await commit(incoming(relayId, known('near')));
    expect(kinds(await commit(...others.map((other) => incoming(relayId, other))))).toEqual(Array(5).fill('stored'));
    expect(kinds(await commit(...others.map((other) => incoming(relayId, other))))).toEqual(Array(5).fill('repeat'));
  });

  it('a scan repeated at another relay is a new scan of that relay', async () => {
    const [one, other] = [await newRelay(), await newRelay()];
    expect(kinds(await commit(incoming(one, known('x')), incoming(other, known('x'))))).toEqual(['stored', 'stored']);
  });

  it('100 equal scans that two processes commit at once are stored once', async () => {
    const relayId = await newRelay();
    const second = await openTestStore(url, patient);
    try {
      const results = await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          createScanCommit(n % 2 === 0 ? store : second).commit([incoming(relayId, known('once'))], accept),
        ),
      );
      expect(kinds(results.flat()).sort()).toEqual([...Array(99).fill('repeat'), 'stored']);
      expect(new Set(results.flat().map((result) => scanOf(result).id)).size).toBe(1);
      expect((await postsOf(relayId)).length).toBe(1);
    } finally {
      await second.close();
    }
  });

  it('a second submit adds and replaces answers of its scan, keeps other fields, and makes no new post', async () => {
    const relayId = await newRelay();
    const first = incoming(relayId, {
      ...known('x'),
      answers: [{ questionId: '1', question: 'Old?', answer: 'a' }],
      properties: [{ name: 'note', value: 'first' }],
    });
    await commit(first);
    const second = incoming(relayId, {
      ...known('x'),
      answers: [
        { questionId: '1', answer: 'b' },
        { questionId: '2', question: 'New?', answer: 'c' },
      ],
    });
    const [completed] = await commit(second);
    expect(completed).toMatchObject({
      kind: 'completed',
      scan: {
        id: first.id,
        text: 'Welcome',
        answers: [
          { questionId: '1', question: 'Old?', answer: 'b' },
          { questionId: '2', question: 'New?', answer: 'c' },
        ],
        properties: [{ name: 'note', value: 'first' }],
      },
    });
    expect(await createScanStore(store.db).find(first.id)).toEqual(scanOf(completed));
    const row = await store.db
      .selectFrom('received_scans')
      .select('raw')
      .where('id', '=', first.id)
      .executeTakeFirstOrThrow();
    expect(JSON.parse(row.raw)).toEqual([first.submit, second.submit]);
    expect((await postsOf(relayId)).length).toBe(1);
    expect(kinds(await commit(incoming(relayId, known('x', { answers: second.answers }))))).toEqual(['repeat']);
  });

  it('a second submit is matched to its scan by Scandesk’s ID in scanid, by the account’s ID, and within one batch', async () => {
    const relayId = await newRelay();
    const ours = incoming(relayId, { tid: 'a' });
    const theirs = incoming(relayId, { tid: 'b', scanid: '9001' });
    await commit(ours, theirs);
    const answers = [{ questionId: '1', answer: 'yes' }];
    const results = await commit(
      incoming(relayId, { tid: 'a', scanid: ours.id, answers }),
      incoming(relayId, { tid: 'b', scanid: '9001', answers }),
      incoming(relayId, { tid: 'c', scanid: '9002' }),
      incoming(relayId, { tid: 'c', scanid: '9002', answers }),
      incoming(relayId, { tid: 'c', scanid: '9002' }),
    );
    expect(kinds(results)).toEqual(['completed', 'completed', 'stored', 'completed', 'repeat']);
    expect(scanOf(results[0]).id).toBe(ours.id);
    expect(scanOf(results[1]).id).toBe(theirs.id);
    expect((await createScanStore(store.db).find(scanOf(results[2]).id))?.answers).toEqual(answers);
  });

  it('a second submit with Scandesk’s scan ID finds its scan despite other fields, but not for another barcode', async () => {
    const relayId = await newRelay();
    const first = incoming(relayId, known('x'));
    await commit(first);
    const answers = [{ questionId: '1', answer: 'yes' }];
    const other = { sid: '2', udid: 'd', userid: '8', scannedAtUtc: '2026-11-21 23:00:00' };
    const results = await commit(
      incoming(relayId, known('x', { ...other, repeatKey: 'other', scanid: first.id, answers })),
      incoming(relayId, known('y', { ...other, repeatKey: 'another', scanid: first.id, answers })),
    );
    expect(kinds(results)).toEqual(['completed', 'stored']);
    expect(scanOf(results[0]).id).toBe(first.id);
  });

  it('scans with one scanid from a template are stored separately if barcode, device or time differs', async () => {
    const relayId = await newRelay();
    const fields = { scanid: '0', udid: 'd', scannedAtUtc: '2026-05-01 10:00:00' };
    const results = await commit(
      incoming(relayId, { ...fields, tid: 'a' }),
      incoming(relayId, { ...fields, tid: 'b' }),
      incoming(relayId, { ...fields, tid: 'a', udid: 'e' }),
      incoming(relayId, { ...fields, tid: 'a', scannedAtUtc: '2026-05-01 10:00:01' }),
    );
    expect(kinds(results)).toEqual(['stored', 'stored', 'stored', 'stored']);
    expect(kinds(await commit(incoming(relayId, { tid: 'a', scanid: '0' })))).toEqual(['repeat']);
  });

  it('a second submit does not find another relay’s scan by its ID', async () => {
    const [one, other] = [await newRelay(), await newRelay({ owner: stranger })];
    const first = incoming(one, { tid: 'x' });
    await commit(first);
    expect(kinds(await commit(incoming(other, { tid: 'x', scanid: first.id })))).toEqual(['stored']);
  });

  it('a commit stores no scan for a removed relay, a revoked secret, or a secret that does not exist', async () => {
    const relays = createRelayStore(store.db);
    const [removed, ended, live] = [await newRelay(), await newRelay(), await newRelay()];
    await relays.remove(owner, removed, 1);
    await relays.revokeSecret(owner, ended, `${ended}-secret`, 1);
    const results = await commit(
      incoming(removed),
      incoming(ended),
      incoming('none'),
      incoming(live, { secretId: `${ended}-secret` }),
      incoming(live),
    );
    expect(kinds(results)).toEqual(['unknown', 'unknown', 'unknown', 'unknown', 'stored']);
    expect((await relays.get(owner, live))?.scans).toBe(1);
  });

  it('a commit decides on a scan by the relay’s settings at the time of the commit', async () => {
    const relayId = await newRelay();
    await createRelayStore(store.db).change(owner, relayId, { channel: 'C9', notable: 'invalid' }, 1);
    const seen: unknown[] = [];
    await createScanCommit(store).commit([incoming(relayId)], (scan, relay, facts) => {
      seen.push([relay.channel, relay.notable]);
      return accept(scan, relay, facts);
    });
    expect(seen).toEqual([['C9', 'invalid']]);
  });

  it('a commit writes a post in each channel decided for a scan, and no post for a scan without channels', async () => {
    const relayId = await newRelay();
    const decide: Decide = (scan) => ({
      valid: false,
      text: '',
      posts: scan.tid === 'two' ? [{ channel: 'CA' }, { channel: 'CB' }] : [],
    });
    await createScanCommit(store).commit([incoming(relayId, { tid: 'two' }), incoming(relayId)], decide);
    const posts = await postsOf(relayId);
    expect(posts.map(({ channel }) => channel)).toEqual(['CA', 'CB']);
    expect(new Set(posts.map(({ key }) => key)).size).toBe(2);
  });

  it('posts are numbered in the order of their scans within a batch, and batch after batch', async () => {
    const relayId = await newRelay();
    const batches = Array.from({ length: 5 }, () => Array.from({ length: 40 }, () => incoming(relayId)));
    for (const batch of batches) {
      await commit(...batch);
    }
    expect((await postsOf(relayId)).map(({ scan_id }) => scan_id)).toEqual(batches.flat().map(({ id }) => id));
  });

  it('a commit updates the relay’s count of scans and last scan, and when its secret was last used', async () => {
    const relayId = await newRelay();
    const relays = createRelayStore(store.db);
    const [a, b] = [incoming(relayId), incoming(relayId)];
    await commit(a, b, { ...b, id: makeId(), repeatKey: undefined } as never);
    const before = await relays.get(owner, relayId);
    expect(before).toMatchObject({ scans: 3, lastScanAt: b.receivedAt, pending: 3, dead: 0 });
    expect(before?.secrets).toMatchObject([{ lastUsedAt: b.receivedAt }]);
  });

  it('a commit that fails for one scan stores no scan of its batch, and no post', async () => {
    const relayId = await newRelay();
    const good = incoming(relayId);
    await expect(
      commit(good, incoming(relayId, { tid: 'half \ud800' }), incoming(relayId, { tid: 'nul \0' })),
    ).rejects.toThrow();
    expect(await createScanStore(store.db).find(good.id)).toBeUndefined();
    expect(await postsOf(relayId)).toEqual([]);
  });

  it('concurrent batches over the same relays and channels in different orders lose no scan and no post', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, (_, n) => newRelay({ channel: `CX${n % 3}` })));
    const second = await openTestStore(url, patient);
    try {
      const shuffled = () => [...ids].sort(() => Math.random() - 0.5);
      const results = await Promise.all(
        Array.from({ length: 60 }, (_, n) =>
          createScanCommit(n % 2 === 0 ? store : second).commit(
            shuffled().map((id) => incoming(id, known(`cross-${n}`))),
            accept,
          ),
        ),
      );
      expect(kinds(results.flat())).toEqual(Array(360).fill('stored'));
      for (const id of ids) {
        expect((await postsOf(id)).length).toBe(60);
      }
    } finally {
      await second.close();
    }
  });

  it('a search for scans returns only the owner’s scans, newest first', async () => {
    const [mine, theirs] = [await newRelay(), await newRelay({ owner: stranger })];
    const scans = createScanStore(store.db);
    const own = [incoming(mine, { tid: 'shared', udid: 'dd' }), incoming(mine, { tid: 'shared', udid: 'dd' })];
    await commit(...own, incoming(theirs, { tid: 'shared', udid: 'dd' }));
    const ids = own.map(({ id }) => id).reverse();
    expect((await scans.ofRelay(owner, mine, { udid: 'dd', limit: 9 })).scans.map(({ id }) => id)).toEqual(ids);
    expect((await scans.ofRelay(owner, mine, { limit: 9 })).scans.map(({ id }) => id)).toEqual(ids);
    expect((await scans.ofRelay(owner, theirs, { limit: 9 })).scans).toEqual([]);
    expect((await receivedOf(store, owner, 'shared')).length).toBe(2);
  });

  it('a scan is stored with its device’s time, or with its arrival time where the device’s time is wrong', async () => {
    const relayId = await newRelay();
    const receivedAt = Date.UTC(2026, 4, 1, 12);
    const said = [
      '2026-05-01 10:00:00',
      'yesterday',
      '2016-04-30 10:00:00',
      '2026-05-02 12:00:01',
      '2026-05-02 11:59:59',
    ];
    await commit(...said.map((scannedAtUtc) => incoming(relayId, { tid: 'timed', scannedAtUtc, receivedAt })));
    const rows = await store.db
      .selectFrom('received_scans')
      .selectAll()
      .where('relay_id', '=', relayId)
      .orderBy('id')
      .execute();
    expect(rows.map(({ at, scanned_at }) => [at - receivedAt, scanned_at === null])).toEqual([
      [-2 * 3_600_000, false],
      [0, true],
      [0, false],
      [0, false],
      [86_399_000, false],
    ]);
  });
});
