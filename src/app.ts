/** The composition root: opens the store, connects the parts, serves them on one port; the store is closed last. */
import { type Clock, createSettledClock, type Random, systemClock, systemRandom } from './clock.js';
import { createAccounts } from './codereadr/index.js';
import type { Config } from './config.js';
import { createAdmissionPurge } from './counters/admissions.js';
import { createRecordPurge } from './database/expired-records.js';
import { eraseAllJobs } from './database/jobs/job-rows.js';
import { createJobs } from './database/jobs/runner.js';
import { createExports, eraseExports, sweepChunks } from './exports/index.js';
import { createHealth } from './health.js';
import { createPictureReader, type PictureReader } from './images/index.js';
import type { Log } from './log.js';
import { createLookups, headlineOf } from './lookup/index.js';
import { createMaintenance } from './maintenance.js';
import { createMcp } from './mcp/index.js';
import { createMetrics, type Metrics } from './metrics.js';
import { createMirror } from './mirror/index.js';
import { createPageAccess, createPages } from './pages/index.js';
import { createPlaces, createPlacesMaker, erasePlaceLists } from './places/index.js';
import { createCallBudgets, createNoticeJobs, createNotices, createReceipts } from './posts/index.js';
import { createRefusalLog } from './refusal-log.js';
import {
  createDatabaseLookup,
  createDelivery,
  createIntake,
  createIpAllowList,
  createNameCache,
  createRefusalCounts,
  createRefusalPurge,
  createRelayPurge,
  createRelays,
  createRequiredDatabases,
  createScanErasure,
  eraseBarcodes,
  eraseHooks,
  senderOf,
} from './relay/index.js';
import { withdrawUninstalledPosts } from './relay/relays/erase.js';
import { createRemovedRelayPurge } from './relay/relays/removed-relays.js';
import { createPrune } from './relay/retention/retention.js';
import { createRemovedRulePurge } from './relay/rules/removed-rules.js';
import { createReports } from './reports/index.js';
import { createDeviceClocks } from './scans/device-clocks.js';
import { createScans, eraseServiceStates } from './scans/index.js';
import { createHttpServer, type RequestHandler } from './server.js';
import {
  createExportFiles,
  createExportRows,
  createPermissions,
  createPublisher,
  createSlack,
  createSlackAccess,
  erasedNotice,
  erasedNoticeMaker,
  eraseRecords,
  reportDeps,
  type SlackState,
  sealedSetUps,
} from './slack/index.js';
import { createWatchPurge } from './watches/expired.js';
import { createTriggerPurge, createWorkflowTriggers, sealedTriggers } from './workflows/index.js';
import { createErasures } from './workspaces/erasures.js';
import { openStore } from './workspaces/store.js';
import { createUninstalledPurge } from './workspaces/uninstalled.js';

/** External dependencies, which tests replace. */
export interface Ports {
  readonly log: Log;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly pictures?: PictureReader;
}

export interface App {
  /**
   * Listens on the port and starts the background work. Resolves with the port, and with a promise of what Slack says
   * first, which never rejects; rejects when the port is in use.
   */
  start(): Promise<{ readonly port: number; readonly slack: Promise<SlackState> }>;
  /**
   * A started app answers "not ready" for `DRAIN_SECONDS`; then it accepts nothing new, drains requests in flight and
   * closes the store. `stop` can be called at any time, once.
   */
  stop(): Promise<void>;
}

/** How long a request in flight may take once the port accepts no more: a device waits 15 s at most for its answer. */
const graceMs = 10_000;

/**
 * Opens the store and connects the parts. No port is open yet.
 * @throws StoreError when the database cannot be opened or migrated
 */
export async function createApp(config: Config, ports: Ports): Promise<App> {
  const { log, clock = systemClock, random = systemRandom } = ports;
  const metrics = createMetrics({ processFigures: config.METRICS });
  const store = await openStore({
    url: config.DATABASE_URL,
    secretKeys: config.secretKeys,
    clock,
    random,
    log,
    sealed: [sealedSetUps, sealedTriggers],
  });
  const hooks = [eraseExports, eraseAllJobs, ...eraseHooks(clock), erasePlaceLists, eraseServiceStates];
  for (const hook of hooks) {
    store.onErase(hook);
  }
  const accounts = createAccounts({
    apiUrl: config.ACCOUNT_API_URL,
    generatorUrl: config.BARCODE_API_URL,
    cache: (namespace, options) => store.keyv(namespace, options),
    clock,
    random,
    log,
    metrics,
    callsPerMinute: config.ACCOUNT_CALLS_PER_MINUTE,
  });
  const proxies = createIpAllowList(config.TRUSTED_PROXIES);
  const refusals = createRefusalLog({ log, clock, senderOf: (request) => senderOf(request, proxies) });
  const pictures = ports.pictures ?? createPictureReader({ clock, log });
  const shared = { config, clock, random, log, metrics, store, refusals, pictures };
  const scans = createScans(store.db);
  const deviceClocks = createDeviceClocks(store.db);
  const access = createSlackAccess(shared);
  const instanceId = random.bytes(12).toString('hex');
  const mirror = createMirror({
    ...shared,
    accounts,
    instanceId,
    required: createRequiredDatabases(shared),
    share: config.MIRROR_SHARE / 100,
  });
  const mirrored = config.MIRROR_SHARE === 0 ? {} : { mirror };
  const { clientFor, slackClock } = access.clients;
  const workflows = createWorkflowTriggers({ store, clock, apiUrl: config.SLACK_API_URL });
  const publisher = createPublisher({
    ...shared,
    clientFor,
    slackClock,
    accounts,
    workflows,
    budgets: createCallBudgets(store.db),
  });
  const onPosts = () => delivery.notify();
  const jobs = createJobs({ ...shared, instanceId });
  const notices = createNoticeJobs(jobs, createNotices({ store, publisher, clock, log, onPosts }));
  const relays = createRelays({ ...shared, onPosts, onSettings: mirror.wake, mirror });
  const places = createPlaces({
    ...shared,
    accounts,
    instanceId,
    relays,
    onPosts,
    open: publisher.open,
    ...mirrored,
  });
  const placesMaker = createPlacesMaker({ store, clock, notices, onNotices: () => delivery.pollNotices() });
  const refusalCounts = createRefusalCounts(shared);
  const intake = createIntake({
    ...shared,
    deviceClocks,
    countRefusal: refusalCounts.count,
    onPosts,
    databaseLookup: createDatabaseLookup({ ...shared, accounts, mirror }),
    names: createNameCache({ ...shared, accounts }),
    proxies,
    lateHours: config.LATE_HOURS,
  });
  const exports = createExports({
    ...shared,
    accounts,
    instanceId,
    jobs,
    scans,
    places,
    relays,
    ...mirrored,
    notices,
    onPosts,
    files: createExportFiles({ log, clientFor, open: publisher.open, permissions: createPermissions(shared), places }),
    rows: createExportRows({ ...shared, accounts, places }),
  });
  const reports = createReports({
    ...reportDeps({ ...shared, accounts, relays, scans, places, ...mirrored }),
    jobs,
    notices,
    onPosts,
  });
  const delivery = createDelivery({
    deviceClocks,
    ...shared,
    ...mirrored,
    publisher,
    instanceId,
    makers: { report: reports.maker, export: exports.maker, list: placesMaker, workspace: erasedNoticeMaker },
    intervalMs: config.POST_INTERVAL_MS,
  });
  const scanErasure = createScanErasure(store, clock);
  const erasures = createErasures({
    ...shared,
    jobs,
    steps: [
      scanErasure.eraseAll,
      (owner) => mirror.erase(owner),
      eraseRecords(shared),
      (owner) => exports.erase(owner),
      (owner) => eraseBarcodes(store.db, owner),
      (owner, _at, stopping) => places.erase(owner, stopping),
    ],
    onErased: erasedNotice(notices),
  });
  const receiving = { receipts: createReceipts(store.db), onReceipt: onPosts };
  const slack = createSlack(
    {
      ...shared,
      accounts,
      relays,
      scans,
      places,
      erasures,
      exports,
      reports,
      workflows,
      deviceClocks,
      ...receiving,
      ...mirrored,
    },
    access,
  );
  const lookups = createLookups({ clock, scans, relays, ...mirrored, greenMs: config.GREEN_MINUTES * 60_000 });
  const pages = createPages({
    ...shared,
    accounts,
    access: createPageAccess(shared),
    lookUp: async (owner, value) => {
      const [apiKey, settings] = await Promise.all([store.workspaces.apiKey(owner), store.workspaces.settings(owner)]);
      const databaseIds = settings.lookupDatabases;
      if (apiKey === undefined) {
        return undefined;
      }
      const lookup = await lookups.lookup({ owner, account: accounts.open(apiKey), value, databaseIds });
      return { ...lookup, headline: headlineOf(lookup) };
    },
  });

  const settledClock = createSettledClock(clock);
  const maintenance = createMaintenance({
    store,
    expiredRecords: createRecordPurge(store, settledClock),
    expiredWatches: createWatchPurge(store, settledClock),
    oldRefusals: createRefusalPurge(store, settledClock),
    removedRelays: createRemovedRelayPurge(store, clock),
    removedRules: createRemovedRulePurge(store, clock),
    exportChunks: () => sweepChunks(store.db),
    unusedTriggers: createTriggerPurge(store, settledClock),
    withdrawUninstalledPosts: (now) => withdrawUninstalledPosts(store, now),
    prune: createPrune(store, clock),
    oldAdmissions: createAdmissionPurge(store, settledClock, { lateHours: config.LATE_HOURS }),
    uninstalled: createUninstalledPurge({
      store,
      steps: [createRelayPurge(store, clock), store.audit.erase],
      isInstalled: access.install.isInstalled,
    }),
    clock,
    log,
    auditDays: config.AUDIT_DAYS,
    scanDays: config.SCAN_DAYS,
  });

  const health = createHealth({ store, log, slackState: access.install.slack.state });
  const http = createHttpServer({
    log,
    clock,
    routes: [
      { path: '/relay/', handle: intake.handle },
      { path: '/pages/', handle: pages.handle },
      { path: '/slack/', handle: slack.requestListener },
      ...(config.MCP ? [{ path: '/mcp', handle: createMcp(slack.listenerDeps) }] : []),
      { path: '/healthz', handle: health.healthz },
      { path: '/readyz', handle: health.readyz },
      ...(config.METRICS ? [{ path: '/metrics', handle: serveMetrics(metrics) }] : []),
      { path: '/', handle: greeting },
    ],
  });

  return {
    start: async () => {
      const port = await http.listen(config.PORT, config.HOST);
      const slackState = slack.start();
      refusalCounts.start();
      delivery.start();
      mirror.start();
      maintenance.start();
      jobs.start();
      places.folder.start();
      health.phase = 'serving';
      return { port, slack: slackState };
    },
    stop: async () => {
      if (health.phase === 'serving') {
        health.phase = 'stopping';
        await clock.sleep(config.DRAIN_SECONDS * 1_000);
      }
      await http.close(graceMs);
      await slack.stop(graceMs);
      await refusalCounts.stop();
      await pictures.stop();
      await delivery.stop();
      await mirror.stop();
      await maintenance.stop();
      await jobs.stop();
      await places.folder.stop();
      await accounts.close();
      await store.close();
    },
  };
}

function serveMetrics(metrics: Metrics): RequestHandler {
  return async (_req, res) => {
    const text = await metrics.registry.metrics();
    res.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text);
  };
}

const greeting: RequestHandler = (_req, res) => {
  res.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('Scandesk is running.\n');
};
