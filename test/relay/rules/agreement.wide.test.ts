/** What a rule's sentence says, what its preview shows and what the relay then does are the same. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Clock, systemClock, systemRandom } from '../../../src/clock.js';
import {
  createRelayStatus,
  createRelays,
  type RelaySettings,
  relaySettingsSchema,
  ruleSchema,
} from '../../../src/relay/index.js';
import { elementsOf } from '../../../src/slack/block-kit/text.js';
import { ruleSentence } from '../../../src/slack/channel-posts/describe/rule-sentence.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { effort } from '../../helpers/effort.js';
import { gate, owner, postScan, startIntake } from '../../helpers/relay.js';
import { type ReadRule, type ReadScan, readSentence } from './sentence-reader.js';

/** A Friday. */
const noon = Date.UTC(2026, 4, 1, 12);
const names: Readonly<Record<string, string>> = {
  'service 101': 'Gate A',
  'service 102': 'Gate B',
  'user 7': 'ann',
  'user 8': 'bob',
  'device D1': 'Phone 1',
};
const idOf = Object.fromEntries(Object.entries(names).map(([key, name]) => [name, key.split(' ')[1]!]));
const nameOf = (kind: string, id: string) => names[`${kind} ${id}`];

const tids = ['A', 'B', 'VIP-1', '4006381333932', '(01)09501101530003(17)260502(10)L1', '(01)09501101530003(10)L2'];
const hours = fc.constantFrom(
  { zone: 'UTC', days: [5], from: '08:00', to: '12:01' },
  { zone: 'UTC', days: [1, 3], from: '08:00', to: '18:00' },
  { zone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7], from: '11:00', to: '13:00' },
);
const some = (...texts: readonly string[]) => fc.uniqueArray(fc.constantFrom(...texts), { minLength: 1, maxLength: 3 });
const ofOneScan = fc.oneof(
  fc.record({
    kind: fc.constant('result'),
    is: fc.constantFrom('valid', 'invalid', 'duplicate', 'late', 'not_validated'),
  }),
  fc.record({ kind: fc.constant('value'), is: some(...tids.slice(0, 4)) }),
  fc.constantFrom(
    { kind: 'value_pattern', pattern: '^VIP-' },
    { kind: 'check_digit' },
    { kind: 'first_seen' },
    { kind: 'property', name: 'zone', how: 'present' },
    { kind: 'property', name: 'zone', how: 'equals', to: 'x' },
    { kind: 'answer', questionId: '1', how: 'equals', to: '3' },
    { kind: 'answer', questionId: '1', how: 'above', to: '2' },
  ),
  fc.record({ kind: fc.constant('batch'), is: some('L1', 'L2', 'L3') }),
  fc.record({ kind: fc.constant('expires'), days: fc.constantFrom(0, 1, 7), zone: fc.constant('UTC') }),
  fc.record({ kind: fc.constant('from'), what: fc.constant('service'), ids: some('101', '102') }),
  fc.record({ kind: fc.constant('from'), what: fc.constant('user'), ids: some('7', '8') }),
  fc.record({ kind: fc.constant('from'), what: fc.constant('device'), ids: some('D1') }),
  fc.record({ kind: fc.constantFrom('within_hours', 'outside_hours'), hours }),
);
const counting = fc.oneof(
  fc.record({
    kind: fc.constant('nth'),
    n: fc.integer({ min: 1, max: 3 }),
    of: fc.constantFrom('value', 'device', 'user', 'service', 'relay'),
    again: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('burst'), n: fc.integer({ min: 2, max: 3 }), minutes: fc.constantFrom(1, 60) }),
);
const anyRule = fc
  .record({
    id: fc.uuid().map((id) => id.slice(0, 8)),
    when: fc.oneof(
      { weight: 3, arbitrary: fc.array(ofOneScan, { minLength: 1, maxLength: 3 }) },
      {
        weight: 2,
        arbitrary: fc.tuple(counting, fc.array(ofOneScan, { maxLength: 2 })).map(([one, rest]) => [one, ...rest]),
      },
      { weight: 1, arbitrary: fc.constant([{ kind: 'every' }]) },
    ),
    unless: fc.oneof(fc.constant([]), fc.array(ofOneScan, { maxLength: 2 })),
    action: fc.oneof({ weight: 4, arbitrary: fc.constant('post') }, { weight: 1, arbitrary: fc.constant('stop') }),
    channel: fc.constantFrom('C1', 'C2', 'C3'),
  })
  .filter((rule) => ruleSchema.safeParse(rule).success);
const anyScan = fc.record(
  {
    tid: fc.constantFrom(...tids),
    udid: fc.constantFrom('D1', 'D2'),
    sid: fc.constantFrom('101', '102'),
    userid: fc.constantFrom('7', '8'),
    status: fc.constantFrom('1', '0', '-1'),
    'answers[1]': fc.constantFrom('2', '3'),
    zone: fc.constantFrom('x', 'y'),
    late: fc.constant('yes'),
  },
  { requiredKeys: ['tid'] },
);
type Form = Readonly<Record<string, string | undefined>>;

onEachDatabase('rules that combine conditions', (databases) => {
  let url: string;
  const closing: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    url = await databases.fresh();
  });

  afterAll(async () => {
    for (const close of closing.reverse()) {
      await close();
    }
  });

  it('rules that combine conditions post exactly what their sentences and previews say', async () => {
    const store = await openTestStore(url);
    closing.push(() => store.close());
    let now = noon;
    const clock: Clock = { ...systemClock, now: () => now };
    const intake = await startIntake(store, { clock });
    closing.push(() => intake.close());
    const relays = createRelays({ store, clock, random: systemRandom, onPosts: () => undefined });
    const status = createRelayStatus({ store, clock, lateHours: 24 });

    await fc.assert(
      fc.asyncProperty(
        fc.array(anyRule, { minLength: 1, maxLength: 5 }),
        fc.constantFrom('first', 'all'),
        fc.array(anyScan, { minLength: 1, maxLength: 12 }),
        async (rules, match, forms) => {
          now = noon;
          const settings = relaySettingsSchema.parse({ match, rules });
          const made = await relays.create({ ...gate, settings });
          for (const [at, form] of forms.entries()) {
            now = noon + (at + 1) * 20_000;
            const { late, ...rest } = form as Form;
            const scanned = new Date(madeAt(late, at)).toISOString().slice(0, 19).replace('T', ' ');
            const posted = { ...rest, scanned_at_utc: scanned } as Record<string, string>;
            expect((await postScan(`${intake.url}${made.path}`, posted)).status).toBe(200);
          }
          const stored = await store.db
            .selectFrom('received_scans')
            .select(['id', 'received_at'])
            .where('relay_id', '=', made.relay.id)
            .execute();
          const numberOf = new Map(stored.map((row) => [row.id, Math.round((row.received_at - noon) / 20_000) - 1]));
          const rows = await store.db
            .selectFrom('outbox')
            .select(['scan_id', 'channel', 'kind'])
            .where('source_id', '=', made.relay.id)
            .where('kind', 'in', ['scan', 'burst'])
            .execute();
          const did = rows.map((row) => `${numberOf.get(row.scan_id ?? '')} ${row.kind} ${row.channel}`);
          const { relay } = (await relays.get(owner, made.relay.id))!;
          const shown = (await status.preview(relay, relay.settings)).flatMap(({ scan, posts }) =>
            posts.map(({ kind, channel }) => `${numberOf.get(scan.id)} ${kind} ${channel}`),
          );
          const sentences = relay.settings.rules.map(sentenceOf);
          const said = meaning(
            sentences.map((sentence) => readSentence(sentence, idOf)),
            match,
            forms.map((form, at) => toRead(form as Form, at)),
          );
          expect({ did: did.sort(), sentences }).toEqual({ did: said.sort(), sentences });
          expect({ shown: shown.sort(), sentences }).toEqual({ shown: said, sentences });
        },
      ),
      { numRuns: effort(databases.kind === 'sqlite' ? { short: 30, long: 150 } : { short: 10, long: 50 }) },
    );
  }, 120_000);
});

function madeAt(late: string | undefined, at: number): number {
  return late === undefined ? noon + (at + 1) * 20_000 : noon - 3 * 3_600_000 + at * 1_000;
}

function sentenceOf(rule: RelaySettings['rules'][number]): string {
  return elementsOf(ruleSentence(rule, nameOf))
    .map((element) => (element.type === 'channel' ? `#${element.channel_id}` : 'text' in element ? element.text : ''))
    .join('');
}

function toRead(form: Form, at: number): Omit<ReadScan, 'before'> {
  const { tid = '', sid, userid, udid, status, zone, late, 'answers[1]': answer } = form;
  return {
    ...{ tid, valid: status !== '0', late: late !== undefined, at: madeAt(late, at) },
    ...(sid === undefined ? {} : { sid }),
    ...(userid === undefined ? {} : { userid }),
    ...(udid === undefined ? {} : { udid }),
    ...(status === undefined ? {} : { status }),
    properties: zone === undefined ? {} : { zone },
    answers: answer === undefined ? {} : { 1: answer },
  };
}

/** The posts that sentences promise of these scans, one after the other. */
function meaning(rules: readonly ReadRule[], match: string, scans: readonly Omit<ReadScan, 'before'>[]): string[] {
  const counts = new Map<string, number>();
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1).get(name)!;
  const bursts = rules.map(() => ({ at: [] as number[], openUntil: Number.NEGATIVE_INFINITY }));
  return scans.flatMap((each, n) => {
    const received = noon + (n + 1) * 20_000;
    const subjects = { relay: 'relay', barcode: each.tid, device: each.udid, user: each.userid, service: each.sid };
    const whole = new Map(
      Object.entries(subjects).map(([of, id]) => [of, id === undefined ? 0 : count(`relay ${of} ${id}`)]),
    );
    const scan: ReadScan = { ...each, before: whole.get('barcode')! - 1 };
    const channels = new Set<string>();
    const alarms: string[] = [];
    let decided = false;
    for (const [at, rule] of rules.entries()) {
      if (!rule.meets(scan)) {
        continue;
      }
      const { counting, channel } = rule;
      if (channel === undefined) {
        break;
      }
      if (counting?.what === 'burst') {
        const burst = bursts[at]!;
        if (!scan.valid && !scan.late) {
          burst.at.push(received);
          const recent = burst.at.filter((moment) => moment > received - rule.spanMs).length;
          const open = received < burst.openUntil;
          if (open || recent >= counting.n) {
            burst.openUntil = received + rule.spanMs;
          }
          if (!open && recent >= counting.n) {
            alarms.push(`${n} burst ${channel}`);
          }
        }
        continue;
      }
      if (counting) {
        const id = subjects[counting.of as keyof typeof subjects];
        if (id === undefined) {
          continue;
        }
        const which = rule.alone ? whole.get(counting.of)! : count(`rule ${at} ${id}`);
        if (!(counting.again ? which % counting.n === 0 : which === counting.n)) {
          continue;
        }
      }
      if (!decided) {
        channels.add(channel);
        decided = match === 'first';
      }
    }
    return [...[...channels].map((channel) => `${n} scan ${channel}`), ...alarms];
  });
}
