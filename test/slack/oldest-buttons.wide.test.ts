/** Every button of a message whose scan, record, account or data is gone: it says so, or still does its work. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../src/clock.js';
import { createRelays, relaySettingsSchema } from '../../src/relay/index.js';
import type { ShownMessage } from '../../src/sandbox/slack/api.js';
import type { Store } from '../../src/workspaces/types.js';
import { choicesOf, elementsOf } from '../upgrade/crawl.js';
import { read } from './block-kit/reading.js';
import { connect } from './connected.js';
import { closeAll, scan } from './relays/relay-stage.js';
import { eventually, type Person, startTestApp, type TestApp } from './test-app.js';

const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };
const channel = 'C0FRONTGATE';
const bot = 'U0SCANDESK1';

interface Made {
  readonly store: Store;
  readonly relayId: string;
}

interface Gone {
  readonly end: (made: Made) => Promise<unknown>;
  /** What an old button answers, by action; a button that is not listed may answer anything but an error. */
  readonly says: Readonly<Record<string, RegExp>>;
}

const records = ['lookup', 'lookup-list', 'card-place', 'made-barcode', 'scan-search', 'result'];

/** What happened to the thing that a button is about, after the words “a button whose”. */
const gone: Readonly<Record<string, Gone>> = {
  'post and scan were pruned': {
    end: ({ store }) => prune(store),
    says: {
      'post.lookup': /OLD-[23] ?❔ Unknown/,
      'post.acknowledge': /This post is no longer stored\..*Barcode: OLD-[23] ?Look up/,
      'post.menu': /This post is no longer stored\.|Show each post as/,
      'lookup.share': /Shared by/,
    },
  },
  'relay was deleted': {
    end: ({ store, relayId }) => relaysOf(store).remove(owner, relayId),
    says: {
      'post.lookup': /OLD-[23] ?❔ Unknown/,
      'post.menu': /OLD-[23]|This post is no longer stored|Show each post as/,
    },
  },
  'stored record has expired': {
    end: ({ store }) => store.db.deleteFrom('keyv').where('namespace', 'in', records).execute(),
    says: {
      'lookup.share': /Shared by/,
      'lookup.change': /too old\..*Run \/barcode again/,
      'lookup.several.again': /too old\..*Run \/barcode again/,
      'made.change': /too old\..*Run \/barcode make again/,
      'scans.share': /too old\..*Run \/scans again/,
    },
  },
  'account was disconnected': {
    end: ({ store }) => store.workspaces.disconnect(owner),
    says: {
      'post.lookup': /No scanning account is connected yet.*OLD-[23]/,
      'lookup.open': /No scanning account is connected yet/,
      'watch.stop': /No longer watching OLD-1/,
    },
  },
  'workspace was erased': {
    end: ({ store }) => store.eraseTeam(owner, Date.now() + 60_000),
    says: { 'lookup.open': /No scanning account is connected yet/, 'made.share': /too old/ },
  },
};

const relaysOf = (store: Store) =>
  createRelays({ store, clock: systemClock, random: systemRandom, onPosts: () => undefined });

async function prune(store: Store): Promise<void> {
  for (const table of ['message_updates', 'outbox', 'received_scans'] as const) {
    await store.db.deleteFrom(table).execute();
  }
}

describe.each(Object.entries(gone))('a button whose %s', (_what, { end, says }) => {
  const lines: string[] = [];
  let app: TestApp;
  let ada: Person;
  let made: Made;
  let messages: readonly ShownMessage[];

  beforeAll(async () => {
    app = await startTestApp({ settings: { POST_INTERVAL_MS: '0' }, lines });
    ada = app.person('U0ADA');
    await connect(ada);
    await app.post('/sandbox/invite', { as: 'U0ADA', channel, user: bot });
    const store = await app.openStore();
    made = { store, relayId: await relayWithPosts(store) };
    for (const typed of [
      '/scandesk watch OLD-1',
      '/scandesk mute OLD-9',
      '/barcode HLF-000001',
      '/barcode NOT-THERE',
      '/barcode HLF-000001, HLF-000002',
      '/barcode make OLD-1',
      '/scans today',
      '/scandesk help',
    ]) {
      await ada.command(typed, channel);
    }
    await eventually(async () => ((await posts()).length >= 2 ? true : undefined), 'the relay’s posts');
    const all = await ada.messages(channel);
    const kinds = new Map(
      all.map((each) => [
        elementsOf(each.blocks)
          .map(({ action }) => action)
          .join(),
        each,
      ]),
    );
    messages = [...kinds.values()].filter(({ blocks }) => elementsOf(blocks).length > 0);
    await end(made);
  }, 60_000);
  afterAll(async () => {
    await made?.store.close();
    await app?.stop();
  });

  const posts = async () =>
    (await ada.messages(channel)).filter(({ blocks }) =>
      elementsOf(blocks).some(({ action }) => action === 'post.mute' || action === 'post.menu'),
    );

  async function relayWithPosts(store: Store): Promise<string> {
    const rule = (id: string, when: object) => ({ id, channel, when });
    const settings = relaySettingsSchema.parse({
      match: 'all',
      judging: { kind: 'list', values: ['GOOD'] },
      rules: [rule('each', { kind: 'every' }), rule('burst', { kind: 'burst', n: 2, minutes: 5 })],
    });
    const { relay, path } = await relaysOf(store).create({
      ...{ owner, serviceIds: [], serviceName: 'Main gate', channel, notable: 'all', createdBy: 'U0ADA' },
      settings,
    });
    for (const tid of ['OLD-1', 'OLD-2', 'OLD-3']) {
      await scan(`${app.appUrl}${path}`, { tid, properties: 'a' });
    }
    return relay.id;
  }

  /** The text of the messages and windows that the app sent after the call with the number `n`. */
  async function saidSince(n: number): Promise<string> {
    const parsed = (part: unknown) => (typeof part === 'string' ? (JSON.parse(part) as unknown) : part);
    const shown = (await app.calls(n)).flatMap(({ body }) => {
      const view = parsed(body.view) as { readonly blocks?: unknown } | undefined;
      const blocks = parsed(body.blocks ?? view?.blocks);
      return Array.isArray(blocks) ? [read(blocks)] : [];
    });
    return shown.join(' ').replace(/\s+/g, ' ');
  }

  /** Waits until nothing more is said. */
  async function settled(from: number): Promise<void> {
    for (let before = '', now = 'x'; now !== before; ) {
      before = now;
      await new Promise((done) => setTimeout(done, 80));
      now = await saidSince(from);
    }
  }

  it('every button of messages posted before is answered without an error', { timeout: 120_000 }, async () => {
    expect(messages.length).toBeGreaterThan(8);
    const wrong: unknown[] = [];
    const heard = new Set<string>();
    for (const { ts } of messages) {
      const asItIs = async () => (await ada.messages(channel)).find((message) => message.ts === ts);
      const drawn = elementsOf((await asItIs())?.blocks);
      for (const [at, element] of drawn.entries()) {
        const nth = drawn.slice(0, at).filter(({ action }) => action === element.action).length;
        for (const [n, first] of (await choicesOf(ada, app, {}, element)).entries()) {
          await closeAll(ada);
          // An earlier click may have drawn the message anew, with other ids.
          const message = await asItIs();
          const again = elementsOf(message?.blocks).filter(({ action }) => action === element.action)[nth];
          const chosen = first && again && (await choicesOf(ada, app, {}, again))[n];
          if (!message || !again || (first && !chosen)) {
            continue;
          }
          const from = (await app.calls()).at(-1)?.n ?? 0;
          const logged = lines.length;
          const { ok, error } = await ada.clickMessage(message, element.action, chosen);
          const seen = await eventually(
            async () => (!ok || (await saidSince(from)) !== '' ? true : undefined),
            `an answer to ${element.action}`,
          ).catch(() => false);
          await settled(from);
          const said = await saidSince(from);
          const broken = lines.slice(logged).filter((line) => /"level":50|slack\.state|ZodError|TypeError/.test(line));
          const isRight = says[element.action]?.test(said) ?? true;
          heard.add(element.action);
          if (
            !ok ||
            !seen ||
            !isRight ||
            /Something went wrong on our end|out of date/.test(said) ||
            broken.length > 0
          ) {
            wrong.push({ action: element.action, chosen, ok, error, said, broken });
          }
        }
      }
    }
    expect([...heard]).toEqual(expect.arrayContaining(Object.keys(says)));
    expect(wrong).toEqual([]);
  });
});
