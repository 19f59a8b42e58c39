/**
 * A workspace after some weeks of use: an account, relays of every kind, scans, posts in every state, watches, mutes
 * and lookups. The upgrade fixtures are recorded from it.
 */
import { systemClock, systemRandom } from '../../src/clock.js';
import type { PostState } from '../../src/database/schema.js';
import { createRelays, relaySettingsSchema } from '../../src/relay/index.js';
import { postScan, scanForm } from '../helpers/relay.js';
import { connect, databaseIds, nameManager } from '../slack/connected.js';
import { eventually, type Person, type TestApp } from '../slack/test-app.js';

export const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };
export const bot = 'U0SCANDESK1';
export const gate = 'C0FRONTGATE';
export const stock = 'C0STOCKROOM';

const always = { zone: 'Europe/Berlin', days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '23:59' };
const rule = (id: string, when: object, more: object = {}) => ({
  id,
  name: `Rule ${id}`,
  channel: gate,
  when,
  ...more,
});

/** Every kind of condition, and every way to post. */
const rules = [
  rule('result', { kind: 'result', is: 'invalid' }, { mention: { users: ['U0MIA'], groups: ['S0GATE'] } }),
  rule('value', { kind: 'value', is: ['VIP-1', ' 0012 '] }),
  rule('value_pattern', { kind: 'value_pattern', pattern: '^LOT-' }, { how: 'thread' }),
  rule('check_digit', { kind: 'check_digit' }),
  rule('watched', { kind: 'watched' }),
  rule('from', { kind: 'from', what: 'device', ids: ['D-9'] }),
  rule('answer', { kind: 'answer', how: 'contains', to: 'broken' }),
  rule('property', { kind: 'property', name: 'temperature', how: 'above', to: '30' }),
  rule('first_seen', { kind: 'first_seen' }, { how: 'digest', digestMinutes: 1, channel: stock }),
  rule('outside_hours', { kind: 'outside_hours', hours: always }),
  rule('nth', { kind: 'nth', n: 3, of: 'value' }),
  rule('silence', { kind: 'silence', of: 'relay', minutes: 60, hours: always }),
  rule('burst', { kind: 'burst', n: 2, minutes: 5 }),
  rule('every', { kind: 'every' }, { on: false, quiet: { ...always, from: '22:00', to: '06:00' } }),
];

export interface Stage {
  readonly ada: Person;
  readonly mia: Person;
  /** The relays' paths by the name of their service. */
  readonly paths: Readonly<Record<string, string>>;
}

export async function furnish(testApp: TestApp): Promise<Stage> {
  const ada = testApp.person('U0ADA');
  const mia = testApp.person('U0MIA');
  await connect(ada);
  await nameManager(ada, 'U0MIA');
  for (const channel of [gate, stock]) {
    await testApp.post('/sandbox/invite', { as: 'U0ADA', channel, user: bot });
  }
  const databases = Object.values(await databaseIds(testApp));
  const store = await testApp.openStore();
  const paths: Record<string, string> = {};
  try {
    const relays = createRelays({ store, clock: systemClock, random: systemRandom, onPosts: () => undefined });
    const make = async (name: string, settings: object, more: object = {}) => {
      const made = await relays.create({
        ...{ owner, serviceIds: [], serviceName: name, channel: gate, notable: 'all' as const, createdBy: 'U0ADA' },
        ...more,
        settings: relaySettingsSchema.parse(settings),
      });
      paths[name] = made.path;
    };
    await make('Plain', {});
    await make('Invalid alone', { duplicates: {} }, { notable: 'invalid', serviceIds: ['1'] });
    await make('Judging', {
      judging: { kind: 'database', databaseIds: databases.slice(0, 2), unknown: 'reject' },
      duplicates: { withinMinutes: 60 },
      atMost: { n: 2, of: 'value' },
      hours: always,
      answers: {
        valid: { text: 'Come in, {value}', title: 'Welcome', color: '#00aa00' },
        invalid: { text: '<b>No</b>', kind: 'page' },
      },
      questions: [{ id: '1', text: 'How is it?', type: 'option', answers: ['fine', 'broken'] }],
      secretProperty: { name: 'proof', hash: 'a'.repeat(64) },
      names: { tid: 'barcode' },
    });
    await make('List', {
      judging: { kind: 'list', values: ['00123', ' 0012 ', 'a\u001db'], listed: 'valid', exact: false },
    });
    await make('Pattern', { judging: { kind: 'pattern', pattern: '^[0-9]+$' }, networks: ['127.0.0.0/8'] });
    await make('Rules', { rules, match: 'all', duplicates: {} });
    await make('Thread', { rules: [rule('thread', { kind: 'every' }, { how: 'thread' })] });
    await make('Digest', { rules: [rule('digest', { kind: 'every' }, { how: 'digest', digestMinutes: 60 })] });
    await make('Elsewhere', {}, { channel: 'C0NOWHERE' });
    await make('In doubt', {}, { channel: stock });
    await make('Waiting', {}, { channel: stock });
  } finally {
    await store.close();
  }
  return { ada, mia, paths };
}

/** Sends a scan, made at a random second of the last 50 minutes. */
export async function scan(testApp: TestApp, path: string, fields: Record<string, string>): Promise<void> {
  const at = scanForm(fields);
  const now = new Date(Date.now() - Math.floor(Math.random() * 3_000_000)).toISOString().slice(0, 19).replace('T', ' ');
  const answer = await postScan(`${testApp.appUrl}${path}`, { ...at, scanned_at_utc: now, ...fields });
  if (answer.status !== 200) {
    throw new Error(`scan ${JSON.stringify(fields)} at ${path.slice(0, 12)}: ${answer.status}`);
  }
}

/** Scans that cause posts of every kind; resolves when all are in their channels. */
export async function live(testApp: TestApp, { ada, paths }: Stage): Promise<void> {
  const to = (name: string) => (fields: Record<string, string>) => scan(testApp, paths[name]!, fields);
  await to('Plain')({
    tid: '0012345',
    sid: '1',
    userid: '2',
    udid: 'D-1',
    temperature: '31',
    gps_location: '52.5,13.4',
  });
  await to('Plain')({ tid: ' spaces and *stars* <b>&amp; ', sid: '1', 'answers[1]': 'fine|^|broken' });
  await to('Plain')({ tid: '0101234567890128\u001d10ABC', status: '0', text: 'Sold <!channel>' });
  await to('Invalid alone')({ tid: 'twice', sid: '1' });
  await to('Invalid alone')({ tid: 'twice', sid: '1' });
  await to('List')({ tid: '00123' });
  await to('Pattern')({ tid: 'letters' });
  for (const tid of ['VIP-1', 'LOT-1', 'LOT-2', '4006381333932', 'a', 'a', 'a']) {
    await to('Rules')({ tid, udid: 'D-9', temperature: '40' });
  }
  for (const tid of ['t-1', 't-2']) {
    await to('Thread')({ tid });
  }
  for (const tid of ['d-1', 'd-2']) {
    await to('Digest')({ tid });
  }
  const posts = await eventually(async () => {
    const all = (await ada.messages(gate)).filter(({ user }) => user === bot);
    return ['0012345', 'letters', 'LOT-2', 't-2'].every((tid) => all.some(({ text }) => text.includes(tid))) && all;
  }, 'posts of every kind');
  await ada.clickMessage(posts.find(({ text }) => text.includes('letters'))!, 'post.acknowledge');
  await to('Elsewhere')({ tid: 'nowhere-1' });
  // The faults of `interrupt` must hit none of these posts.
  const store = await testApp.openStore();
  try {
    await eventually(async () => {
      const open = await store.db.selectFrom('outbox').select('channel').where('finished_at', 'is', null).execute();
      const told = await store.db
        .selectFrom('channel_queues')
        .select('channel')
        .where('notified_at', 'is not', null)
        .execute();
      return open.every(({ channel }) => told.some((queue) => queue.channel === channel));
    }, 'every post in its channel, and word of the one that has none');
  } finally {
    await store.close();
  }
}

/** Posts as an interrupted process leaves them: dead letter, unconfirmed, pending. */
export async function interrupt(testApp: TestApp, { paths }: Stage): Promise<void> {
  await testApp.rules({ faults: [{ method: 'chat.postMessage', times: 1, as: 'refused', error: 'msg_too_long' }] });
  await scan(testApp, paths.Waiting!, { tid: 'dead-1' });
  await untilPostOf(testApp, 'dead-1', 'dead');
  await testApp.rules({
    faults: [
      { method: 'chat.postMessage', times: 100, as: 'timeout' },
      { method: 'conversations.history', times: 1_000, as: '500' },
    ],
  });
  const before = (await testApp.calls()).at(-1)?.n;
  await scan(testApp, paths['In doubt']!, { tid: 'in-doubt-1' });
  await scan(testApp, paths.Waiting!, { tid: 'waiting-1' });
  await scan(testApp, paths.Waiting!, { tid: 'waiting-2' });
  await untilPostOf(testApp, 'in-doubt-1', 'unconfirmed');
  await eventually(
    async () => (await testApp.calls(before)).some(({ method }) => method === 'conversations.history'),
    'a search for the post in doubt',
    90_000,
  );
}

async function untilPostOf(testApp: TestApp, tid: string, state: PostState): Promise<void> {
  const store = await testApp.openStore();
  try {
    await eventually(
      async () =>
        (await store.db
          .selectFrom('outbox')
          .innerJoin('received_scans', 'received_scans.id', 'outbox.scan_id')
          .select('outbox.seq')
          .where('tid', '=', tid)
          .where('state', '=', state)
          .executeTakeFirst()) !== undefined,
      `the post of ${tid} to be ${state}`,
      90_000,
    );
  } finally {
    await store.close();
  }
}
