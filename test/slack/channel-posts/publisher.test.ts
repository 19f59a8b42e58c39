import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { WebClient } from '@slack/web-api';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { createAccounts } from '../../../src/codereadr/index.js';
import { silentLog } from '../../../src/log.js';
import { createMetrics } from '../../../src/metrics.js';
import { createCallBudgets, type Publisher } from '../../../src/posts/index.js';
import type { Relay, RelayNotice, ScanPost } from '../../../src/relay/index.js';
import { defaultSettings } from '../../../src/relay/record/settings.js';
import { createAccountService, sampleKeys } from '../../../src/sandbox/codereadr/index.js';
import type { RecordedCall, Rules, ShownMessage } from '../../../src/sandbox/slack/api.js';
import { createWorkspace, type Workspace } from '../../../src/sandbox/slack/index.js';
import { SlackError } from '../../../src/slack/bolt/errors.js';
import { createSlackLogger } from '../../../src/slack/bolt/logger.js';
import { clientMsgId } from '../../../src/slack/posts/client-msg-id.js';
import type { SentPost } from '../../../src/slack/posts/renderers.js';
import { createPublisher } from '../../../src/slack/posts/slack-publisher.js';
import { createWorkflowTriggers } from '../../../src/workflows/index.js';
import type { Store } from '../../../src/workspaces/types.js';
import { openTestStore, sqliteDatabases } from '../../helpers/databases.js';
import { arm, settle, untouched } from '../../helpers/faults/reached.js';

const botToken = 'xoxb-canary-poster-token';
const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };
const channel = 'C0FRONTGATE';

const relay = {
  id: 'r1',
  owner,
  serviceIds: [],
  serviceName: 'Main gate',
  channel,
  notable: 'all',
  settings: defaultSettings,
  createdBy: 'U0ADA',
  createdAt: 0,
} as unknown as Relay;

let counter = 0;

function aPost(fields: { tid?: string; channel?: string; key?: string } & Partial<ScanPost['scan']> = {}): ScanPost {
  counter += 1;
  const { key = `key-${counter}`, channel: to = channel, ...scan } = fields;
  return {
    key,
    generation: 0,
    owner,
    relay: { ...relay, channel: to },
    channel: to,
    kind: 'scan',
    rules: [],
    mention: { users: [], groups: [] },
    watchers: [],
    scan: {
      id: key,
      relayId: 'r1',
      owner,
      receivedAt: Date.now(),
      tid: `T-${counter}`,
      valid: true,
      text: 'Welcome',
      answers: [],
      properties: [],
      ...scan,
    },
  };
}

describe('posts in Slack', () => {
  const databases = sqliteDatabases();
  const never = new AbortController().signal;
  let workspace: Workspace;
  let slackUrl: string;
  let store: Store;
  let poster: Publisher<SentPost>;
  let apiUrl: string;
  /** How many milliseconds the clock of workspace and publisher is ahead. */
  let shift = 0;

  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
  });
  afterAll(() => store.close());

  beforeEach(async () => {
    shift = 0;
    await store.db.deleteFrom('call_budgets').execute();
    workspace = await createWorkspace({
      file: ':memory:',
      manifest: parse(await readFile(new URL('../../../manifest.yml', import.meta.url), 'utf8')),
      signingSecret: 'signing',
      botToken,
      clientId: '1.2',
      clientSecret: 'secret',
      clock: { ...systemClock, now: () => Date.now() + shift },
      random: systemRandom,
      log: silentLog,
      rules: { postsPerSecond: 0 },
    });
    slackUrl = (await workspace.listen()).url;
    apiUrl = `${slackUrl}/api/`;
    poster = newPoster();
    await say('/sandbox/invite', { as: 'U0ADA', channel, user: 'U0SCANDESK1' });
  });
  afterEach(async () => {
    await settle(rules);
    await workspace.close();
  });

  const accountsAt = (url: string) =>
    createAccounts({
      apiUrl: `${url}/api/`,
      generatorUrl: `${url}/barcode/api/`,
      cache: (namespace, options) => store.keyv(namespace, options),
      clock: systemClock,
      random: systemRandom,
      log: silentLog,
      metrics: createMetrics(),
      callsPerMinute: 100,
    });

  function newPoster(accountUrl = 'http://127.0.0.1:9'): Publisher<SentPost> {
    const client = (token: string) =>
      new WebClient(token, {
        slackApiUrl: apiUrl,
        allowAbsoluteUrls: false,
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
        timeout: 2_000,
        logger: createSlackLogger(silentLog),
      });
    return createPublisher({
      clientFor: async (of) => {
        if (of.team === 'T0GONE') {
          throw new SlackError('slack.not_installed', 'no bot token');
        }
        return client(of.team === 'T0BAD' ? 'xoxb-revoked' : botToken);
      },
      accounts: accountsAt(accountUrl),
      store,
      budgets: createCallBudgets(store.db),
      workflows: createWorkflowTriggers({ store, clock: systemClock, apiUrl }),
      log: silentLog,
      clock: { ...systemClock, now: () => Date.now() + shift },
    });
  }

  async function say<Answer = unknown>(path: string, body: unknown): Promise<Answer> {
    const response = await fetch(slackUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Answer;
  }
  /** Runs `work` with a publisher whose Slack gives the answers of `answer`, which the workspace never gives. */
  async function answeredBy(
    answer: (method: string, body: URLSearchParams) => object | undefined,
    work: (strict: Publisher<SentPost>) => Promise<void>,
  ): Promise<void> {
    const server = createServer({ keepAliveTimeout: 65_000 }, async (request, response) => {
      const body = new URLSearchParams(await readAll(request));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answer(request.url!.replace('/api/', ''), body)));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`;
    try {
      await work(newPoster());
    } finally {
      apiUrl = `${slackUrl}/api/`;
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    }
  }
  const rules = (change: Partial<Rules>) => say<Rules>('/sandbox/rules', change);
  const fault = (method: string, as: Rules['faults'][number]['as'], retryAfter?: number) =>
    play([{ method, times: 1, as, ...(retryAfter === undefined ? {} : { retryAfter }) }]);
  const play = async (faults: Rules['faults']) => {
    await settle(rules);
    const now = await rules({ faults });
    arm(rules, async () => untouched(now.faults, (await rules({})).faults));
  };
  const messages = async (of = channel, as = 'U0ADA'): Promise<readonly ShownMessage[]> => {
    const answer = await fetch(`${slackUrl}/sandbox/messages?as=${as}&channel=${of}`);
    return ((await answer.json()) as { messages: ShownMessage[] }).messages;
  };
  const calls = async (method: string): Promise<readonly RecordedCall[]> => {
    const answer = await fetch(`${slackUrl}/sandbox/calls?since=0`);
    return ((await answer.json()) as { calls: RecordedCall[] }).calls.filter((call) => call.method === method);
  };
  const ours = async () => (await messages()).filter(({ user }) => user === 'U0SCANDESK1');

  it('a post appears in the channel with the exact barcode, and is found again by its key', async () => {
    const post = aPost({ tid: ' *00123* <!channel> `x` :100: ' });
    const outcome = await poster.post(post, never);
    const [shown, ...others] = await ours();
    expect(outcome).toEqual({ outcome: 'delivered', ts: shown!.ts });
    expect(others).toEqual([]);
    expect(JSON.stringify(shown!.blocks)).toContain(JSON.stringify(post.scan.tid));
    expect(await poster.find(post, Date.now() - 1_000, never)).toEqual({ outcome: 'found', ts: shown!.ts });
    expect(await poster.find(aPost(), Date.now() - 1_000, never)).toMatchObject({ outcome: 'absent' });
  });

  it.each(['a\x1d01\x1d', '\u202e123', `${'9'.repeat(4_000)}`, '💺'.repeat(300), '\n', '`', '&lt;'])(
    'Slack accepts a post with long texts and the barcode $0',
    async (tid) => {
      const long = 'x'.repeat(5_000);
      const post = aPost({
        tid,
        text: long,
        answers: Array.from({ length: 50 }, (_, n) => ({ questionId: String(n), question: long, answer: long })),
        properties: Array.from({ length: 50 }, (_, n) => ({ name: `${long}${n}`, value: long })),
      });
      expect((await poster.post(post, never)).outcome).toBe('delivered');
    },
  );

  it.each([
    ['429', { outcome: 'retry', code: 'slack.ratelimited', afterMs: 7_000 }, 0],
    ['500', { outcome: 'unconfirmed' }, 0],
    ['html', { outcome: 'unconfirmed', code: 'slack.broken_answer' }, 0],
    ['timeout', { outcome: 'unconfirmed' }, 0],
    ['reset', { outcome: 'unconfirmed' }, 0],
    ['die', { outcome: 'unconfirmed' }, 1],
  ] as const)(
    'a post sent while Slack has the problem “%s” gets outcome %j, is in the channel %d times, and is sent once',
    async (as, expected, posted) => {
      await fault('chat.postMessage', as, 7);
      const post = aPost();
      expect(await poster.post(post, never)).toMatchObject(expected);
      expect((await ours()).length).toBe(posted);
      expect((await poster.find(post, Date.now() - 1_000, never)).outcome).toBe(posted === 1 ? 'found' : 'absent');
      expect((await calls('chat.postMessage')).length).toBe(1);
    },
  );

  it('a post is reported for a retry, not as in doubt, if Slack could not be reached at all', async () => {
    const closed = createServer();
    await new Promise<void>((done) => closed.listen(0, '127.0.0.1', done));
    apiUrl = `http://127.0.0.1:${(closed.address() as AddressInfo).port}/api/`;
    await new Promise((done) => closed.close(done));
    expect(await newPoster().post(aPost(), never)).toMatchObject({ outcome: 'retry', code: 'slack.ECONNREFUSED' });
    apiUrl = 'http://no-such-host.invalid/api/';
    expect(await newPoster().post(aPost(), never)).toMatchObject({ outcome: 'retry' });
  });

  it('a post reports a missing channel if the app is not in the channel, or the channel is gone', async () => {
    expect(await poster.post(aPost({ channel: 'C0NOWHERE' }), never)).toMatchObject({
      outcome: 'gone',
      why: 'channel_gone',
    });
    expect(await poster.post(aPost({ channel: 'C0STOCKROOM' }), never)).toMatchObject({
      outcome: 'gone',
      why: 'channel_gone',
      code: 'slack.not_in_channel',
    });
    await say('/sandbox/kick', { as: 'U0ADA', channel, user: 'U0SCANDESK1' });
    expect((await poster.find(aPost(), Date.now(), never)).outcome).toBe('gone');
  });

  it('a post reports lost access if the token was revoked or the app was uninstalled', async () => {
    for (const team of ['T0BAD', 'T0GONE']) {
      const post = { ...aPost(), owner: { installation: team, team } };
      expect(await poster.post(post, never)).toMatchObject({ outcome: 'gone', why: 'token_revoked' });
      expect(await poster.find(post, Date.now(), never)).toMatchObject({ outcome: 'gone', why: 'token_revoked' });
    }
  });

  it('a post is found behind many later messages, page by page, also at one page a minute', async () => {
    const post = aPost();
    const since = Date.now();
    await poster.post(post, never);
    for (let n = 0; n < 40; n++) {
      await poster.post(aPost(), never);
    }
    const before = (await calls('conversations.history')).length;
    expect((await poster.find(post, since, never)).outcome).toBe('found');
    const pages = (await calls('conversations.history')).slice(before);
    expect(pages.map(({ body }) => [body.limit, body.include_all_metadata].map(String))).toEqual([['200', 'true']]);

    await rules({ historyPerMinute: 1 });
    const strict = newPoster();
    const outcomes: string[] = [];
    for (let minute = 0; minute < 6; minute++) {
      const outcome = await strict.find(post, since, never);
      outcomes.push(outcome.outcome);
      if (outcome.outcome === 'found') {
        break;
      }
      expect(outcome).toMatchObject({ outcome: 'retry' });
      // The clock is set to the next minute, so that the test does not wait for it.
      shift += 60_000;
    }
    expect(outcomes.at(-1)).toBe('found');
    const limited = (await calls('conversations.history')).slice(before + pages.length);
    expect(limited.every(({ ok }) => ok)).toBe(true);
    expect(limited.map(({ body }) => String(body.limit))).toEqual(['200', '15', '15']);
  });

  it('posts are searched with one call a minute over all instances if Slack limits calls, alerts first', async () => {
    await rules({ historyPerMinute: 1 });
    const instances = [newPoster(), newPoster(), newPoster()];
    const [alert, ...scans] = [aPost(), aPost(), aPost()];
    const since = Date.now();
    expect((await instances[0]!.find(aPost(), since, never)).outcome).toBe('absent');
    shift += 10_000;
    // The second instance is refused by Slack; from then on all instances know the limit.
    expect(await instances[1]!.find(scans[0]!, since, never)).toMatchObject({
      outcome: 'retry',
      afterMs: expect.closeTo(52_000, -3),
    });
    expect(await instances[2]!.find(scans[1]!, since, never)).toMatchObject({
      outcome: 'retry',
      afterMs: expect.closeTo(52_000, -3),
    });
    const urgent = await instances[2]!.find({ ...alert!, isUrgent: true } as ScanPost, since, never);
    expect(urgent).toMatchObject({ outcome: 'retry', afterMs: expect.closeTo(50_000, -3) });
    expect((await calls('conversations.history')).map(({ ok }) => ok)).toEqual([true, false]);
  });

  it('posts are searched from the last message that is known to be older, at most one minute back', async () => {
    const earlier = await poster.post(aPost(), never);
    const post = aPost();
    const sent = await poster.post(post, never);
    if (earlier.outcome !== 'delivered' || sent.outcome !== 'delivered') {
      throw new Error('not delivered');
    }
    const since = Date.now();
    for (const afterTs of [earlier.ts, `${Math.floor(since / 1_000) - 600}.000000`]) {
      const searched = { ...post, afterTs } as ScanPost;
      expect(await poster.find(searched, since, never)).toEqual({ outcome: 'found', ts: sent.ts });
    }
    const oldest = (await calls('conversations.history')).map(({ body }) => Number(body.oldest));
    expect(oldest).toEqual([Number(earlier.ts) - 1, since / 1_000 - 60].map((at) => expect.closeTo(at, 3)));
  });

  it('posts are searched in smaller pages where Slack refuses a large page', async () => {
    await play([{ method: 'conversations.history', times: 1, as: 'refused', error: 'invalid_limit' }]);
    const post = aPost();
    await poster.post(post, never);
    expect(await poster.find(post, Date.now(), never)).toMatchObject({ outcome: 'retry' });
    expect((await poster.find(post, Date.now(), never)).outcome).toBe('found');
    expect((await calls('conversations.history')).map(({ body }) => String(body.limit))).toEqual(['200', '15']);
  });

  it.each(['429', '500', 'html', 'reset', 'timeout'] as const)(
    'a search for a post while Slack has the problem “%s” is to be retried, and then finds the post',
    async (as) => {
      const post = aPost();
      await poster.post(post, never);
      await fault('conversations.history', as, 3);
      const outcome = await poster.find(post, Date.now() - 1_000, never);
      expect(outcome.outcome).toBe('retry');
      expect(outcome).toMatchObject(as === '429' ? { afterMs: 5_000 } : {});
      shift += as === '429' ? 3_000 : 0;
      expect((await poster.find(post, Date.now() - 1_000, never)).outcome).toBe('found');
    },
  );

  it('a search for a post continues at the next page after Slack asked to wait', async () => {
    const post = aPost();
    const since = Date.now();
    for (let n = 0; n < 40; n++) {
      await poster.post(aPost(), never);
    }
    await rules({ historyPerMinute: 1 });
    expect(await poster.find(post, since, never)).toMatchObject({ outcome: 'retry' });
    // A second search in the same minute does not even read a first page.
    expect(await poster.find(post, since, never)).toMatchObject({ outcome: 'retry' });
    shift += 60_000;
    expect(await poster.find(post, since, never)).toMatchObject({ outcome: 'retry' });
    const answered = (await calls('conversations.history')).filter(({ ok }) => ok);
    expect(answered.map(({ body }) => body.cursor === undefined)).toEqual([true, false]);
  });

  it('a search for a post that takes two calls reports when the search began', async () => {
    const post = aPost();
    for (let n = 0; n < 20; n++) {
      await poster.post(aPost(), never);
    }
    await rules({ historyPerMinute: 1 });
    const before = Date.now();
    expect(await poster.find(post, before, never)).toMatchObject({ outcome: 'retry' });
    const after = Date.now();
    shift += 60_000;
    await setTimeout(20);
    const { beganAt } = (await poster.find(post, before, never)) as { beganAt: number };
    expect(beganAt).toBeGreaterThanOrEqual(before);
    expect(beganAt).toBeLessThanOrEqual(after);
  });

  describe('the UUID of a post', () => {
    const sent = async () =>
      (await calls('chat.postMessage')).map(({ body }) => body.client_msg_id as string | undefined);

    it('a post carries a UUID of version 5, computed from its key and generation', async () => {
      // These UUIDs were computed by Python's uuid.uuid5 with the same namespace and names.
      expect(clientMsgId({ key: 'key-a', generation: 0 })).toBe('d26a52d1-b4a6-5ad9-a115-5c931bf829bf');
      expect(clientMsgId({ key: 'key-a', generation: 1 })).toBe('39e04629-fc91-56b4-a780-96cb3bb32fef');
      const post = aPost();
      await poster.post(post, never);
      await poster.post({ ...post, generation: 1 }, never);
      const other = aPost();
      await poster.post(other, never);
      expect(await sent()).toEqual([post, { ...post, generation: 1 }, other].map(clientMsgId));
      expect(new Set(await sent()).size).toBe(3);
      expect(await ours()).toHaveLength(3);
    });

    it('a post whose answer was lost appears once though it is sent twice, by its UUID', async () => {
      await fault('chat.postMessage', 'die');
      const post = aPost();
      expect(await poster.post(post, never)).toMatchObject({ outcome: 'unconfirmed' });
      const [shown] = await ours();
      expect(await poster.post(post, never)).toEqual({ outcome: 'delivered', ts: shown!.ts });
      expect(await ours()).toHaveLength(1);
      expect(new Set(await sent()).size).toBe(1);
    });

    it('a post is not recorded as delivered merely because Slack says that its UUID was used before', async () => {
      await rules({ historyLagMs: 60_000 });
      const post = aPost();
      const { ts } = (await poster.post(post, never)) as { ts: string };
      expect(await poster.post(post, never)).toEqual({
        outcome: 'duplicate',
        code: 'slack.duplicate_message_not_found',
      });
      expect(await poster.find(post, Date.now() - 1_000, never)).toMatchObject({ outcome: 'absent' });
      await rules({ historyLagMs: 0 });
      expect(await poster.find(post, Date.now() - 1_000, never)).toEqual({ outcome: 'found', ts });
      expect(await ours()).toHaveLength(1);
    });

    it('posts are sent without UUIDs after Slack refused the first UUID, which costs one more call', async () => {
      await rules({ clientMsgIds: 'refused' });
      const [first, second] = [aPost(), aPost()];
      expect(await poster.post(first, never)).toMatchObject({ outcome: 'delivered' });
      expect(await poster.post(second, never)).toMatchObject({ outcome: 'delivered' });
      expect(await sent()).toEqual([clientMsgId(first), undefined, undefined]);
      expect(await ours()).toHaveLength(2);
    });

    it('posts are still sent with a UUID after Slack refused a post for a reason other than its UUID', async () => {
      const ids: boolean[] = [];
      const answers = [
        ...[{ error: 'invalid_arguments' }, { error: 'invalid_arguments' }],
        ...[{ error: 'msg_too_long' }, { ok: true, ts: '5.000000' }],
      ];
      const outcomes: unknown[] = [];
      await answeredBy(
        (_, body) => {
          ids.push(body.has('client_msg_id'));
          return { ok: false, ...answers.shift() };
        },
        async (strict) => {
          for (let n = 0; n < 3; n++) {
            outcomes.push((await strict.post(aPost(), never)).outcome);
          }
        },
      );
      expect(outcomes).toEqual(['refused', 'refused', 'delivered']);
      expect(ids).toEqual([true, false, true, true]);
    });
  });

  it('a search for a post is given up after a refusal, and retried after an internal error of Slack', async () => {
    const answers = [{ error: 'invalid_ts_oldest' }, { error: 'internal_error' }, { error: 'a_word_nobody_knows_yet' }];
    const outcomes: unknown[] = [];
    await answeredBy(
      () => ({ ok: false, ...answers.shift() }),
      async (strict) => {
        for (let n = 0; n < 3; n++) {
          outcomes.push(await strict.find(aPost(), Date.now(), never));
        }
      },
    );
    expect(outcomes).toEqual([
      { outcome: 'refused', code: 'slack.invalid_ts_oldest' },
      { outcome: 'retry', code: 'slack.internal_error' },
      { outcome: 'refused', code: 'slack.a_word_nobody_knows_yet' },
    ]);
  });

  it('a search for a post starts again from its first page when its cursor is no longer valid', async () => {
    const page = { ok: true, messages: [], has_more: true, response_metadata: { next_cursor: 'next' } };
    const answers = [page, { ok: false, error: 'invalid_cursor' }, { ok: true, messages: [], has_more: false }];
    const cursors: unknown[] = [];
    await answeredBy(
      (_, body) => {
        cursors.push(body.get('cursor'));
        return answers.shift();
      },
      async (strict) => {
        const post = aPost();
        expect(await strict.find(post, 5, never)).toMatchObject({ outcome: 'retry', code: 'slack.invalid_cursor' });
        expect(await strict.find(post, 5, never)).toMatchObject({ outcome: 'absent' });
      },
    );
    expect(cursors).toEqual([null, 'next', null]);
  });

  describe('a reply to a deleted message', () => {
    const nowhere = '1700000000.000001';

    it('a reply whose parent message was deleted is not posted, and the reason is reported', async () => {
      expect(await poster.post({ ...aPost(), threadTs: nowhere }, never)).toEqual({
        outcome: 'no_thread',
        code: 'slack.thread_not_found',
      });
      expect(await ours()).toEqual([]);
    });

    it('a reply to a deleted message that Slack posted outside the thread is reported as posted outside', async () => {
      const messages = [{}, { thread_ts: nowhere }];
      await answeredBy(
        () => ({ ok: true, ts: '5.000000', message: messages.shift() }),
        async (strict) => {
          const reply = { ...aPost(), threadTs: nowhere };
          expect(await strict.post(reply, never)).toEqual({ outcome: 'delivered', ts: '5.000000', outside: true });
          expect(await strict.post(reply, never)).toEqual({ outcome: 'delivered', ts: '5.000000' });
        },
      );
      const card = (await poster.post(aPost(), never)) as { ts: string };
      const outcome = await poster.post({ ...aPost(), threadTs: card.ts }, never);
      expect(outcome).toEqual({ outcome: 'delivered', ts: expect.any(String) });
    });

    it('a search for a reply to a deleted message looks outside the thread before it says absent', async () => {
      const since = Date.now();
      const post = { ...aPost(), threadTs: nowhere };
      expect(await poster.find(post, since, never)).toMatchObject({ outcome: 'absent' });
      const { threadTs: _, ...alone } = post;
      const outcome = (await poster.post(alone, never)) as { ts: string };
      expect(await poster.find(post, since, never)).toEqual({ outcome: 'found', ts: outcome.ts });
    });
  });

  it('a post whose time limit is over before its call to Slack is not sent, and is reported for a retry', async () => {
    expect(await poster.post(aPost(), AbortSignal.abort())).toMatchObject({ outcome: 'retry' });
    expect(await ours()).toEqual([]);
  });

  it('a post shows the account’s names of services and users, and IDs where no name is known', async () => {
    const account = await createAccountService({
      file: ':memory:',
      clock: systemClock,
      random: systemRandom,
      log: silentLog,
    });
    const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
      account.handle(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const state = (await (await fetch(`${url}/scanner/state`)).json()) as {
        services: { id: string; name: string }[];
        users: { id: string; name: string }[];
      };
      const [service, user] = [state.services[0]!, state.users[0]!];
      await store.workspaces.connect(owner, sampleKeys.demo, { connectedBy: 'U0ADA', connectedAt: 1 });
      await newPoster(url).post(aPost({ sid: service.id, userid: user.id, udid: 'no-such-device' }), never);
      const named = JSON.stringify((await ours()).at(-1)?.blocks);
      expect(named).toContain(service.name);
      expect(named).toContain(user.name);
      expect(named).toContain('unnamed device no-such-device');
      // The earlier admitted scan is named from the cached names of users and services, without a call.
      const accepted = { at: 0, first: true, sid: service.id, userid: user.id, udid: 'no-such-device' };
      const again = aPost({ valid: false, earlier: { scans: 1, accepted } });
      await newPoster('http://127.0.0.1:9').post(again, never);
      const before = JSON.stringify((await ours()).at(-1)?.blocks);
      expect(before).toContain('2nd scan');
      expect(before).toContain(service.name);
      expect(before).toContain(user.name);
      await newPoster('http://127.0.0.1:9').post(aPost({ sid: '98765', userid: '43210' }), never);
      const numbered = JSON.stringify((await ours()).at(-1)?.blocks);
      expect(numbered).toContain('service 98765');
      expect(numbered).toContain('user 43210');
    } finally {
      await store.workspaces.disconnect(owner);
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await account.close();
    }
  });

  describe('a direct message about a relay', () => {
    const paused = { ...relay, paused: { at: 1, why: 'token_revoked' as const } };

    const notify = async (notice: RelayNotice) => {
      const direct = (await poster.open(owner, 'U0ADA')) ?? '';
      const post = { key: `n-${notice.what}`, generation: 0, owner, channel: direct, kind: 'notice' as const, notice };
      expect(await poster.post(post, never)).toMatchObject({ outcome: 'delivered' });
      return { direct, said: JSON.stringify((await messages(direct)).at(-1)) };
    };

    it('the notice of a paused relay is a direct message that names the service, not a channel post', async () => {
      const { direct, said } = await notify({ what: 'relay_paused', relay: paused });
      expect(direct).toMatch(/^D/);
      expect(said).toContain('Main gate');
      expect(await ours()).toEqual([]);
    });

    it('the notice of undelivered posts says how many there are, why, and what to do', async () => {
      const posts = [{ code: 'slack.is_archived', posts: 3 }, { posts: 1 }];
      const { said } = await notify({ what: 'undelivered', relay, posts });
      expect(said).toContain('4 posts could not be delivered');
      expect(said).toContain('3 posts: the channel is archived');
      expect(said).toContain('/scandesk relay');
    });

    it('the notice of refused scans says how many, why, from where, and what to do', async () => {
      const times = { firstAt: 1_780_000_000_000, lastAt: 1_780_000_900_000 };
      const refused = [
        { code: 'relay.no_barcode', scans: 4, senders: ['192.0.2.1', 'others'], ...times },
        { code: 'relay.secret', scans: 1, senders: ['192.0.2.2'], ...times },
      ];
      const { said } = await notify({ what: 'refusing', relay, refused });
      expect(said).toContain('refuses scans');
      expect(said).toContain('4 scans refused');
      expect(said).toContain('no barcode was in them (from 192.0.2.1 and others)');
      expect(said).toContain('enter its field names in Security');
      expect(said).toContain('the webhook URL was revoked, or is incomplete (from 192.0.2.2)');
      expect(said).toContain('/scandesk relay');
    });

    it('the notice of an escalation that could not be posted shows the escalation with its buttons', async () => {
      const incident = {
        ...{ postKey: 'alert-1', owner, relayId: 'r1', ruleId: 'r', subject: 'relay' as const, subjectId: '' },
        ...{ kind: 'silence' as const, beganAt: 1, openedAt: 1, lastAt: 1, repliedAt: 1, scans: 0, reposts: 0 },
        tally: { findings: {}, services: {} },
      };
      const { scan: _, ...any } = aPost({ key: 'alert-1.escalated' });
      const post = { ...any, relay, kind: 'escalation' as const, incident, minutes: 15 };
      const { said } = await notify({ what: 'escalated', post });
      expect(said).toContain('couldn’t post this in');
      expect(said).toContain('Nobody acknowledged this alert for 15 minutes');
      expect(said).toContain('post.acknowledge');
    });

    it('opening a direct message or listing admins throws if Slack has a problem, not if access was lost', async () => {
      await fault('conversations.open', '429');
      await expect(poster.open(owner, 'U0ADA')).rejects.toThrow();
      expect(await poster.open({ installation: 'T0BAD', team: 'T0BAD' }, 'U0ADA')).toBeUndefined();
      await fault('users.list', '503');
      await expect(poster.admins(owner)).rejects.toThrow();
      expect(await poster.admins(owner)).toEqual(['U0ADA']);
    });

    it('a direct message is sent to the person’s ID, and yields its channel, if the app may not open it', async () => {
      await play([
        { method: 'conversations.open', times: 1, as: 'refused', error: 'missing_scope', needed: 'im:write' },
      ]);
      const person = (await poster.open(owner, 'U0ADA')) ?? '';
      expect(person).toBe('U0ADA');
      const notice = { what: 'relay_paused', relay: paused } as const;
      const post = { key: 'n-person', generation: 0, owner, channel: person, kind: 'notice' as const, notice };
      const sent = await poster.post(post, never);
      expect(sent).toMatchObject({ outcome: 'delivered', channel: expect.stringMatching(/^D/) });
      expect(await poster.find(post, 0, never)).toEqual({ outcome: 'absent' });
      // Sent again, the message is recognized by its client_msg_id, and posted once.
      await poster.post(post, never);
      const { channel: direct = '' } = sent as { readonly channel?: string };
      expect((await messages(direct)).filter(({ user }) => user === 'U0SCANDESK1')).toHaveLength(1);
    });
  });
});
