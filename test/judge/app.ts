/** The parts of Scandesk that the judge questions, on a store: as one process has them, and as another has them anew. */

import { type Clock, systemRandom } from '../../src/clock.js';
import { createAccounts } from '../../src/codereadr/index.js';
import { readConfig } from '../../src/config.js';
import { createJobs } from '../../src/database/jobs/runner.js';
import { createExports } from '../../src/exports/index.js';
import { silentLog } from '../../src/log.js';
import { createCountScans, type Lookup } from '../../src/lookup/index.js';
import { createMetrics } from '../../src/metrics.js';
import type { Owner } from '../../src/ownership.js';
import { createRelays } from '../../src/relay/index.js';
import { createCountReport } from '../../src/reports/count.js';
import { createScans } from '../../src/scans/index.js';
import { createScanSearch, type SearchScans, savedSearches } from '../../src/search/index.js';
import type { Message } from '../../src/slack/block-kit/elements.js';
import type { ListenerOf } from '../../src/slack/bolt/routing/listeners.js';
import { createWhileIdle } from '../../src/slack/lookup/while-idle.js';
import { createWorkspaceLookups } from '../../src/slack/lookup/workspace-lookups.js';
import { logTo, type Shelf } from '../exports/world.js';
import { openTestStore, testSecretKey } from '../helpers/databases.js';
import { mirrorOf } from '../helpers/mirror.js';
import { startIntake } from '../helpers/relay.js';
import type { DeskHarness } from '../lookup/harness.js';

/** The settings' defaults are promises too. */
const config = readConfig({
  PUBLIC_URL: 'http://127.0.0.1:9',
  SCANDESK_SECRET: testSecretKey.toString('base64'),
  SLACK_SIGNING_SECRET: 'judge',
  SLACK_BOT_TOKEN: 'xoxb-judge',
});

export type JudgedApp = Awaited<ReturnType<typeof startJudgedApp>>;

export async function startJudgedApp(url: string, desk: DeskHarness, clock: Clock, shelf: Shelf) {
  const store = await openTestStore(url, { clock });
  const shared = { config, store, clock, random: systemRandom, log: silentLog, metrics: createMetrics() };
  const accounts = createAccounts({
    ...shared,
    apiUrl: desk.apiUrl,
    generatorUrl: desk.apiUrl,
    cache: (namespace, options) => store.keyv(namespace, options),
    callsPerMinute: 1_000_000,
  });
  // As in production: the helper's own times are for tests that wait.
  const times = { pollMs: 15_000, changesMs: 15_000, leastBackoffMs: 60_000 };
  const { mirror, databaseLookup } = mirrorOf(store, accounts, { clock, times });
  const onPosts = () => undefined;
  const relays = createRelays({ ...shared, onPosts, onSettings: mirror.wake, mirror });
  const intake = await startIntake(store, { clock, databaseLookup });
  const scans = createScans(store.db);
  const parts = { ...shared, accounts, scans, relays, mirror };
  const workspaceLookups = createWorkspaceLookups(parts);
  const searchScans = fewPerPage(createScanSearch(parts));
  const whileIdle = createWhileIdle();
  const instanceId = systemRandom.bytes(6).toString('hex');
  const jobs = createJobs({ ...shared, instanceId });
  const exports = createExports({
    jobs,
    places: { lists: async () => [], minutes: async () => [] },
    rows: { inside: async () => [], out: async () => ({ things: [], counting: false }) },
    ...{ ...parts, instanceId, files: shelf, onPosts, log: logTo(shelf) },
    notices: { add: async () => undefined },
  });
  mirror.start();
  jobs.start();

  /** What a listener gets of a person's command or click. */
  const contextOf = (owner: Owner, more: object = {}) => ({
    deps: {
      ...{ ...parts, lookups: workspaceLookups, searchScans, whileIdle },
      permissions: { can: async () => true, require: async () => undefined },
      places: { ofBarcode: async () => [], lists: async () => [] },
      clients: {},
    },
    actor: { owner, userId: 'U1', channelId: 'C1' },
    client: { conversations: { info: async () => ({ ok: true, channel: {} }) } },
    ...{ reference: 'judge', topic: {}, person: {}, body: {}, slowNotice: { set: () => undefined } },
    ...{ changes: { add: () => undefined, recordDelivery: () => undefined }, postPrivately: async () => undefined },
    ...more,
  });

  return {
    store,
    mirror,
    relays,
    accounts,
    contextOf,
    exports,
    relayUrl: intake.url,
    countScans: createCountScans(parts),
    countReport: createCountReport({ ...parts, savedSearch: (of, id) => savedSearches.find({ store }, of, id) }),

    /** What a person sees who asks in some way, and the lookups behind it. */
    async see(owner: Owner, ask: (context: ReturnType<typeof contextOf>) => Promise<unknown>) {
      const lookups: Lookup[] = [];
      const noting = {
        ...workspaceLookups,
        read: async (...asked: Parameters<typeof workspaceLookups.read>) => {
          const pending = await workspaceLookups.read(...asked);
          pending.answer.then(
            (lookup) => lookups.push(lookup),
            () => undefined,
          );
          return pending;
        },
      };
      const shown: unknown[] = [];
      const respond = async (message: unknown) => void shown.push(message);
      const context = contextOf(owner, { respond });
      const answer = await ask({ ...context, deps: { ...context.deps, lookups: noting } });
      return { message: answer ?? shown.at(-1), lookups };
    },

    /** What a click on a button posts for everybody in the channel. */
    async click(owner: Owner, { ids, spec }: ListenerOf<'action'>, data: unknown) {
      const posted: Message[] = [];
      const respond = async (message: Message, how: { readonly inChannel?: boolean } = {}) => {
        posted.push(...(how.inChannel ? [message] : []));
      };
      await spec.run(contextOf(owner, { data, respond, action: { action_id: ids[0] } }) as never);
      return posted;
    },

    async stop() {
      await intake.close();
      await jobs.stop();
      await mirror.stop();
      await accounts.close();
      await store.close();
    },
  };
}

/** Pages so short that there are several. */
function fewPerPage(search: SearchScans): SearchScans {
  return (request) => search({ ...request, limit: Math.min(request.limit, 3) });
}
