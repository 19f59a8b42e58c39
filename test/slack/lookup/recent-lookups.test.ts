/** Recent lookups: what is kept for whom, and for how long; and which lookups of a person are noted. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../../src/clock.js';
import { recentBlocks } from '../../../src/slack/lookup/form/recent-rows.js';
import {
  eraseRecentLookups,
  forgetRecentLookups,
  mostRecent,
  type RecentLookup,
  recentLookups,
} from '../../../src/slack/lookup/index.js';
import { recordLookups } from '../../../src/slack/lookup/recent-lookups.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { read } from '../block-kit/reading.js';
import { connect } from '../connected.js';
import { type Person, startTestApp, type TestApp } from '../test-app.js';
import { absent, known, lookup } from './lookup-samples.js';

const owner = { installation: 'T1', team: 'T1' };
const otherTeam = { installation: 'T1', team: 'T2' };
const mia = { owner, userId: 'UMIA' };
const ada = { owner, userId: 'UADA' };
const day = 24 * 60 * 60_000;
const values = (recent: readonly RecentLookup[]) => recent.map(({ value }) => value);

it('a recent lookup’s row says as of when its result is, once: the barcode may have been used since', () => {
  const at = Date.UTC(2026, 2, 1, 12);
  const rows = (more: Partial<RecentLookup>) => read(recentBlocks([{ value: 'A', kind: 'no_admission', at, ...more }]));
  expect(rows({})).toMatch(/^Recent lookups, with the results of thenAValid<!date[^>]*, as of [^>]*12:00 UTC>Look up$/);
  const older = rows({ asOf: at - 5 * 60_000, doubt: ', not confirmed' });
  expect(older).toMatch(/AValid<!date[^>]*, as of [^>]*11:55 UTC>, not confirmedLook up$/);
});

onEachDatabase('recent lookups', (databases) => {
  let store: Store;
  let now = Date.UTC(2026, 2, 1);
  const clock: Clock = { ...systemClock, now: () => now };
  const deps = () => ({ store, clock }) as Parameters<typeof recentLookups>[0];
  const note = (actor: typeof mia, value: string, more: Parameters<typeof lookup>[0] = {}) =>
    recordLookups(deps(), actor, [lookup({ ...more, value, askedAt: now })], undefined);

  beforeAll(async () => {
    store = await openTestStore(await databases.fresh(), { clock });
  });
  beforeEach(() => eraseRecentLookups(deps(), owner));
  afterAll(() => store.close());

  it('recent lookups are listed newest first, exactly as typed, with result and time', async () => {
    await note(mia, ' 00\u001d1', { findings: [known('Tickets', false)] });
    now += 1_000;
    await note(mia, '001', { findings: [absent('Tickets')] });
    expect(await recentLookups(deps(), mia)).toEqual([
      { value: '001', kind: 'unknown', at: now },
      { value: ' 00\u001d1', kind: 'not_valid', at: now - 1_000 },
    ]);
  });

  it('recent lookups list a barcode once, at the time of its last lookup, and ten barcodes at most', async () => {
    for (let at = 0; at < mostRecent + 3; at++) {
      now += 1_000;
      await note(mia, `A${at}`);
    }
    await note(mia, 'A9');
    expect(values(await recentLookups(deps(), mia))).toEqual([
      'A9',
      'A12',
      'A11',
      'A10',
      'A8',
      'A7',
      'A6',
      'A5',
      'A4',
      'A3',
    ]);
  });

  it('recent lookups lose no barcode when four are stored at the same time', async () => {
    await Promise.all(['A', 'B', 'C', 'D'].map((value) => note(mia, value)));
    expect(values(await recentLookups(deps(), mia)).toSorted()).toEqual(['A', 'B', 'C', 'D']);
  });

  it('recent lookups are shown neither to another person nor to the person in another workspace', async () => {
    await note(mia, 'A');
    expect(await recentLookups(deps(), ada)).toEqual([]);
    expect(await recentLookups(deps(), { ...mia, owner: otherTeam })).toEqual([]);
  });

  it('recent lookups expire after 30 days, also when the person looks up more barcodes', async () => {
    await note(mia, 'A');
    now += 20 * day;
    await note(mia, 'B');
    now += 11 * day;
    expect(values(await recentLookups(deps(), mia))).toEqual(['B']);
    now += 20 * day;
    expect(await recentLookups(deps(), mia)).toEqual([]);
  });

  it('recent lookups of a forgotten barcode are deleted for everybody in the workspace, and nobody elsewhere', async () => {
    const elsewhere = { ...mia, owner: otherTeam };
    await note(mia, 'A');
    await note(mia, 'B');
    await note(ada, 'A');
    await note(elsewhere, 'A');
    expect(await forgetRecentLookups(deps(), owner, 'A')).toBe(2);
    expect(values(await recentLookups(deps(), mia))).toEqual(['B']);
    expect(await recentLookups(deps(), ada)).toEqual([]);
    expect(values(await recentLookups(deps(), elsewhere))).toEqual(['A']);
    expect(await forgetRecentLookups(deps(), owner, 'A')).toBe(0);
  });

  it('recent lookups are erased for a whole workspace, and for no other', async () => {
    const elsewhere = { ...mia, owner: otherTeam };
    await note(mia, 'A');
    await note(elsewhere, 'A');
    await eraseRecentLookups(deps(), owner);
    expect(await recentLookups(deps(), mia)).toEqual([]);
    expect(values(await recentLookups(deps(), elsewhere))).toEqual(['A']);
  });

  it('recent lookups of an account that was replaced are not shown, and are deleted by the next lookup', async () => {
    await recordLookups(deps(), mia, [lookup({ value: 'OLD', askedAt: now })], undefined);
    await store.workspaces.connect(owner, 'key', { connectedBy: 'UADA', connectedAt: now });
    expect(await recentLookups(deps(), mia)).toEqual([]);
    await recordLookups(deps(), mia, [lookup({ value: 'NEW', askedAt: now })], now);
    expect(values(await recentLookups(deps(), mia))).toEqual(['NEW']);
    await store.workspaces.disconnect(owner);
    expect(await recentLookups(deps(), mia)).toEqual([]);
  });
});

describe('a lookup in Slack', () => {
  let testApp: TestApp;
  let person: Person;
  beforeAll(async () => {
    testApp = await startTestApp();
    await connect(testApp.person('U0ADA'));
    person = testApp.person('U0MIA');
  });
  afterAll(() => testApp?.stop());

  const recent = async () => {
    const store = await testApp.openStore();
    try {
      const actor = { owner: { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' }, userId: 'U0MIA' };
      return values(await recentLookups({ store, clock: systemClock } as never, actor));
    } finally {
      await store.close();
    }
  };

  it('a lookup in Slack is listed as recent when it was answered, and not when it failed', async () => {
    await person.command('/barcode HLF-000001');
    await testApp.accountFaults({ next: [{ as: 'reset', times: 1_000 }] });
    const failed = await person.command('/barcode HLF-000002');
    await testApp.accountFaults({ next: [] });
    expect(await recent()).toEqual(['HLF-000001']);
    await person.clickMessage(failed, 'lookup.again');
    await expect.poll(recent).toEqual(['HLF-000002', 'HLF-000001']);
  });
});
