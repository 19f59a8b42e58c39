/** The parts of Scandesk that the judge questions, on a store: as one process has them, and as another has them anew. */

import { type Clock, systemRandom } from '../../src/clock.js';
import { createAccounts } from '../../src/codereadr/index.js';
import { readConfig } from '../../src/config.js';
import { silentLog } from '../../src/log.js';
import type { Lookup } from '../../src/lookup/index.js';
import { createMetrics } from '../../src/metrics.js';
import type { Owner } from '../../src/ownership.js';
import { createRelays } from '../../src/relay/index.js';
import { createScans } from '../../src/scans/index.js';
import { createLookupService } from '../../src/slack/lookup/service.js';
import { lookUpValues } from '../../src/slack/lookup/several/look-up-text.js';
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

export async function startJudgedApp(url: string, desk: DeskHarness, clock: Clock) {
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
  const service = createLookupService({ ...shared, accounts, scans: createScans(store.db), relays, mirror });
  mirror.start();

  return {
    store,
    mirror,
    relays,
    accounts,
    searchScans: service.searchScans,
    relayUrl: intake.url,

    /** What a person who asks for these barcodes sees, and the lookups behind it. */
    async lookUp(owner: Owner, values: readonly string[]) {
      const lookups: Lookup[] = [];
      const noting = {
        ...service,
        lookUp: async (...asked: Parameters<typeof service.lookUp>) => {
          const pending = await service.lookUp(...asked);
          pending.answer.then(
            (lookup) => lookups.push(lookup),
            () => undefined,
          );
          return pending;
        },
      };
      const deps = { ...shared, accounts, mirror, lookups: noting, permissions: { can: async () => true } };
      const context = { deps, actor: { owner, userId: 'U1' }, client: {}, reference: 'judge', topic: {} };
      const message = await lookUpValues(context as never, values);
      return { message, lookups };
    },

    async stop() {
      await intake.close();
      await mirror.stop();
      await accounts.close();
      await store.close();
    },
  };
}
