/** Every kind of condition: its form, its sentence, what the relay posts, second submits, and the preview. */
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Clock, systemClock, systemRandom } from '../../../src/clock.js';
import { namesOfScan } from '../../../src/codereadr/names.js';
import { silentLog } from '../../../src/log.js';
import {
  conditionKinds,
  createRelayStatus,
  createRelays,
  isCombinable,
  relaySettingsSchema,
  ruleSchema,
} from '../../../src/relay/index.js';
import { countingFor } from '../../../src/relay/rules/index.js';
import { createTimers } from '../../../src/relay/rules/timers/timers.js';
import { ruleClause } from '../../../src/slack/channel-posts/describe/rule-sentence.js';
import type { Store } from '../../../src/workspaces/types.js';
import { openTestStore, sqliteDatabases } from '../../helpers/databases.js';
import { gate, owner, postScan, scanForm, startIntake, type TestIntake } from '../../helpers/relay.js';
import { ruleOf, savedUntouched } from '../relays/settings/untouched.js';
import { type ConditionCase, cases, names, type ScanForm, watchedValue } from './cases.js';

const noon = Date.UTC(2026, 4, 1, 12);
const nameOf = (kind: string, id: string) => names[`${kind} ${id}`];
const rows = Object.values<readonly ConditionCase[]>(cases)
  .flat()
  .map((one) => [one.clause, one] as const);
const combinable = rows.filter(([, { condition }]) => isCombinable(condition.kind));

/** An answer that a device sends with a second submit. */
const agreed = { 'answers[99]': 'yes' };
const isAgreed = { kind: 'answer', questionId: '99', how: 'equals', to: 'yes' } as const;
const firstVariables = new Set(['tid', 'sid', 'userid', 'udid', 'scanned_at_utc', 'status', 'text']);

describe('the files of conditions', () => {
  it('the index of relay/conditions imports each file there', () => {
    const path = resolve(import.meta.dirname, '../../../src/relay/conditions');
    const files = readdirSync(path).filter((file) => file.endsWith('.ts') && !/^(index|condition)\.ts$/.test(file));
    const index = readFileSync(resolve(path, 'index.ts'), 'utf8');
    expect(files.filter((file) => !index.includes(`from './${file.replace('.ts', '.js')}'`))).toEqual([]);
  });

  it('every kind of condition has a case in this test', () => {
    expect(Object.keys(cases).sort()).toEqual(Object.keys(conditionKinds).sort());
  });
});

describe('a condition', () => {
  it.each(rows)(
    'a condition’s form, submitted unchanged, saves the condition, whose sentence is “%s”',
    (clause, { condition }) => {
      const rule = ruleOf({ when: condition });
      expect(savedUntouched(rule)).toEqual(rule);
      expect(ruleClause(rule, nameOf)).toBe(clause);
    },
  );

  it.each(combinable)('a rule’s form, submitted unchanged, saves the rule’s exception: %s', (_, { condition }) => {
    const rule = ruleOf({ when: { kind: 'result', is: 'invalid' }, unless: [condition] });
    expect(savedUntouched(rule)).toEqual(rule);
  });

  it.each(rows)(
    'a relay with a condition keeps exactly the counters that the condition needs: %s',
    (_, { condition, counts = [] }) => {
      const settings = relaySettingsSchema.parse({ rules: [ruleOf({ when: condition })] });
      expect(Object.keys(countingFor(settings))).toEqual(counts);
    },
  );

  it('no two conditions of this test have the same sentence', () => {
    expect(new Set(rows.map(([clause]) => clause)).size).toBe(rows.length);
  });

  it.each(rows.filter((row) => !combinable.includes(row)))(
    'a condition that is not about a single scan is refused as an exception: %s',
    (_, { condition }) => {
      const rule = { id: 'r1', channel: 'C1', when: { kind: 'every' }, unless: [condition] };
      expect(ruleSchema.safeParse(rule).success).toBe(false);
    },
  );
});

describe('a relay with a rule', () => {
  let now = noon;
  const clock: Clock = { ...systemClock, now: () => now };
  let store: Store;
  let intake: TestIntake;
  const databases = sqliteDatabases();
  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
    intake = await startIntake(store, { clock, names: (_, scan) => namesOfScan(nameOf, scan) });
    const { watches } = createRelays({ store, clock, random: systemRandom, onPosts: () => undefined });
    await watches.watch(owner, { value: watchedValue, channel: 'CWATCH', who: 'U1', forMs: 24 * 3_600_000 });
  });
  afterAll(async () => {
    await intake.close();
    await store.close();
  });

  /** The numbers of the scans that the rule posts, by the outbox and by the preview. */
  async function posted(rule: object, submits: readonly (readonly ScanForm[])[], waitsMs = 0) {
    now = noon;
    const relays = createRelays({ store, clock, random: systemRandom, onPosts: () => undefined });
    const settings = relaySettingsSchema.parse({ rules: [{ id: 'r1', channel: 'CRULE', ...rule }] });
    const { relay, path } = await relays.create({ ...gate, settings });
    for (const [at, forms] of submits.entries()) {
      now = noon + at * 20_000;
      const scannedAt = new Date(now).toISOString().slice(0, 19).replace('T', ' ');
      const first = { ...scanForm(), scanned_at_utc: scannedAt };
      for (const form of forms) {
        expect((await postScan(`${intake.url}${path}`, { ...first, ...form })).status).toBe(200);
      }
    }
    now += waitsMs;
    await createTimers({ store, clock, log: silentLog }).poll();
    const scans = await store.db
      .selectFrom('received_scans')
      .select(['id', 'received_at'])
      .where('relay_id', '=', relay.id)
      .execute();
    const numberOf = new Map(scans.map((scan) => [scan.id, (scan.received_at - noon) / 20_000]));
    const posts = await store.db
      .selectFrom('outbox')
      .select(['scan_id', 'kind'])
      .where('source_id', '=', relay.id)
      .where('channel', '=', 'CRULE')
      .where('kind', 'in', ['scan', 'burst', 'silence'])
      .execute();
    const namesNow = async () => nameOf;
    const status = createRelayStatus({ store, clock, lateHours: 24, namesOf: namesNow });
    const previewed = (await status.preview(relay, settings)).filter(({ posts: shown }) =>
      shown.some(({ channel }) => channel === 'CRULE'),
    );
    return {
      alerts: posts.filter(({ kind }) => kind === 'silence').length,
      did: posts
        .filter(({ kind }) => kind !== 'silence')
        .map(({ scan_id: id }) => numberOf.get(id ?? ''))
        .sort(),
      previewed: previewed.map(({ scan }) => numberOf.get(scan.id)).sort(),
    };
  }

  /** The expected numbers of posted scans: those whose `posted` in the case is `isPosted`. */
  const numbers = ({ scans }: ConditionCase, isPosted = true) => {
    const found = scans.flatMap(([posts], at) => (posts === isPosted ? [at] : [])).sort();
    return { did: found, previewed: found };
  };

  it.each(rows)('a rule posts the scans that meet its condition, as its preview says: %s', async (_, one) => {
    const { condition, scans, waitsMs } = one;
    const found = await posted(
      { when: condition },
      scans.map(([, form]) => [form]),
      waitsMs,
    );
    expect(found).toEqual({ ...numbers(one), alerts: waitsMs === undefined ? 0 : 1 });
  });

  it.each(combinable)('a rule posts all scans but those that meet its exception: %s', async (_, one) => {
    const rule = { when: { kind: 'every' }, unless: [one.condition] };
    // Each scan comes in one submit: an exception met only by a second submit takes no post back.
    expect(
      await posted(
        rule,
        one.scans.map(([, form]) => [form]),
      ),
    ).toMatchObject(numbers(one, false));
  });

  it.each(rows)('a rule decides again at a scan’s second submit, and posts no scan twice: %s', async (_, one) => {
    const variables = one.scans.flatMap(([, form]) => Object.keys(form));
    // A condition met only by the second submit stands alone; any other beside an answer of the second submit.
    const isAlone = !isCombinable(one.condition.kind) || variables.some((name) => !firstVariables.has(name));
    const when = isAlone ? [one.condition] : [one.condition, isAgreed];
    const submits = one.scans.map(([, form]) => [
      Object.fromEntries(Object.entries(form).filter(([name]) => firstVariables.has(name))),
      { ...form, ...agreed },
    ]);
    expect(await posted({ when }, submits, one.waitsMs)).toMatchObject(numbers(one));
  });
});
