/**
 * HTTP handler for scans. An XML answer makes the device forget the scan, so it is sent only after the commit. For a
 * scan that is not stored, the handler sends an error status and an empty body, and the device keeps it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createIds } from '../../database/ids.js';
import { codeOf } from '../../errors.js';
import type { ProcessDeps } from '../../process.js';
import type { RefusalLog } from '../../refusal-log.js';
import { createDeviceClocks, type DeviceClocks } from '../../scans/device-clocks.js';
import type { Store } from '../../workspaces/types.js';
import { createScanCommit } from '../commit/index.js';
import { type BodyLimits, createReadBody } from '../postback/body.js';
import { isForm, readForm } from '../postback/form.js';
import { boundaryOf, readMultipart } from '../postback/multipart.js';
import { createRateLimit, type RateOptions } from '../postback/rate-limit.js';
import { createRelaysById } from '../record/by-id.js';
import { RelayError, type RelayErrorCode } from '../record/errors.js';
import { createIpAllowList, type IpAllowList, senderOf } from '../record/ip-allow-list.js';
import type { CountRefusal } from '../refusals/count.js';
import { withTestScans } from '../relays/test-scan.js';
import type { DatabaseLookup, KnownNames } from '../validation/index.js';
import { createAuthenticator } from './authenticate.js';
import { createScanBatcher } from './batcher.js';
import { createCompiledRelays, createDecide, createRulesPort } from './decide.js';
import { createIngest } from './ingest.js';

export interface IntakeDeps extends Pick<ProcessDeps, 'clock' | 'random' | 'metrics'> {
  readonly store: Store;
  readonly refusals: RefusalLog;
  /** Counts a scan that a relay refused, for those who manage it. */
  readonly countRefusal?: CountRefusal;
  /** Called after each commit with posts, so that delivery need not wait for its next poll. */
  readonly onPosts: () => void;
  /** How many hours after it was made a scan may come: a later one is too late for a limit within a time. */
  readonly lateHours: number;
  /** Lookup in the account's databases; without it every value is unknown. */
  readonly databaseLookup?: DatabaseLookup;
  /** Names for answers and rules; without the names, answers show ids. */
  readonly names?: KnownNames;
  /** Trusted proxies (`X-Forwarded-For`); none by default. */
  readonly proxies?: IpAllowList;
  /** The devices' clocks, which others read too. */
  readonly deviceClocks?: DeviceClocks;
  readonly body?: Partial<BodyLimits>;
  readonly rate?: Partial<RateOptions>;
}

/** The longest body: a scan with a page of answers and properties is far smaller. */
const largestBody = 64 * 1024;
const bodyTimeoutMs = 10_000;
/** The usual rate limit. A gate scans a few barcodes a second; all gates of a stadium on one relay, a hundred. */
const usualRate: RateOptions = { perSecond: 500, burst: 2_000 };
/** How much of a refused body is read and dropped, so that the sender sees the status and no broken connection. */
const largestDrain = 1024 * 1024;

type Outcome = 'accepted' | 'repeat' | 'completed' | 'unknown' | 'method' | 'rate' | 'store' | 'full' | RelayErrorCode;

const statusOf: Readonly<Partial<Record<string, number>>> = {
  'relay.body_too_large': 413,
  'relay.body_slow': 408,
  'relay.body_cut': 400,
  'relay.not_a_form': 400,
  'relay.encoding': 400,
  'relay.nul': 400,
  'relay.no_barcode': 400,
  'relay.network': 403,
  'relay.proof': 403,
};

export function createIntake(deps: IntakeDeps) {
  const { store, clock, random, refusals, metrics, countRefusal = () => undefined } = deps;
  const authenticator = createAuthenticator({ relays: createRelaysById(store.db), clock });
  const tryAcquire = createRateLimit({ clock, ...usualRate, ...deps.rate });
  const readBody = createReadBody({ clock, maxBytes: largestBody, timeoutMs: bodyTimeoutMs, ...deps.body });
  const { databaseLookup, names, lateHours } = deps;
  const compiledRelays = createCompiledRelays({ databaseLookup, names, lateHours });
  const proxies = deps.proxies ?? createIpAllowList([]);
  const decide = withTestScans(createDecide(compiledRelays));
  const commit = createScanCommit(store, createRulesPort(compiledRelays));
  const batcher = createScanBatcher({ commit, decide, clock, random });
  const makeId = createIds(clock, random);
  const { checkSender, ingest } = createIngest({
    authenticator,
    compiledRelays,
    batcher,
    clock,
    makeId,
    deviceClocks: deps.deviceClocks ?? createDeviceClocks(store.db),
  });

  const count = (outcome: Outcome): void => metrics.relayScans.inc({ outcome });

  const receive = async (req: IncomingMessage, res: ServerResponse, relayId: string, secret: string): Promise<void> => {
    const arrivedAt = clock.now();
    const relay = await authenticator.authenticate(relayId, secret);
    const sender = () => senderOf(req, proxies);
    if (relay === undefined) {
      count('unknown');
      countRefusal(relayId, 'relay.secret', sender());
      refuse(req, res, 404);
      return;
    }
    checkSender(relay, sender);
    if (!tryAcquire(relayId)) {
      count('rate');
      countRefusal(relayId, 'relay.rate', sender());
      refuse(req, res, 429, { 'retry-after': '1' });
      return;
    }
    const type = req.headers['content-type'];
    const boundary = boundaryOf(type);
    if (boundary === undefined && !isForm(type)) {
      throw new RelayError('relay.not_a_form', 'the body is not a form in UTF-8');
    }
    const body = await readBody(req);
    const variables = boundary === undefined ? readForm(body) : readMultipart(body, boundary);
    const ingested = await ingest(relay, { sender, variables });
    if (ingested.kind === 'unknown') {
      count('unknown');
      countRefusal(relayId, 'relay.secret', sender());
      refuse(req, res, 404);
      return;
    }
    if (ingested.kind === 'changed') {
      count('store');
      refuse(req, res, 503, { 'retry-after': '1' });
      return;
    }
    answer(res, ingested.document);
    const { result } = ingested;
    count(result.kind === 'stored' ? 'accepted' : result.kind);
    if (result.kind === 'stored') {
      metrics.relayFindings.inc({ finding: result.scan.finding ?? 'valid' });
    }
    metrics.relaySeconds.observe(Math.max(0, clock.now() - arrivedAt) / 1_000);
    if (result.kind !== 'repeat' && result.posts > 0) {
      deps.onPosts();
    }
  };

  const fail = (req: IncomingMessage, res: ServerResponse, relayId: string, error: unknown): void => {
    if (error instanceof RelayError) {
      count(error.code);
      // A sender that went away was told nothing, and tries again.
      if (error.code !== 'relay.body_cut') {
        countRefusal(relayId, error.code, senderOf(req, proxies));
      }
      refusals.add(req, {
        level: 'warn',
        message: 'a scan was refused',
        code: error.code,
        details: { relay: relayId },
      });
      refuse(req, res, statusOf[error.code] ?? 400);
    } else {
      count(codeOf(error) === 'store.full' ? 'full' : 'store');
      const details = { relay: relayId, err: error };
      refusals.add(req, { level: 'error', message: 'a scan could not be stored', code: codeOf(error), details });
      refuse(req, res, 503, { 'retry-after': '5' });
    }
  };

  return {
    /** Handles every request under `/relay/`. Never throws and never rejects. */
    handle(req: IncomingMessage, res: ServerResponse): void {
      const [, relayId, secret] = /^\/relay\/([\w-]{1,64})\/([\w-]{1,128})(?:\?|$)/.exec(req.url ?? '') ?? [];
      if (relayId === undefined || secret === undefined) {
        count('unknown');
        refuse(req, res, 404);
        return;
      }
      if (req.method !== 'POST') {
        count('method');
        refuse(req, res, 405, { allow: 'POST' });
        return;
      }
      receive(req, res, relayId, secret).catch((error: unknown) => fail(req, res, relayId, error));
    },
  };
}

function answer(res: ServerResponse, document: string): void {
  res.writeHead(200, { 'content-type': 'text/xml', 'content-length': Buffer.byteLength(document) }).end(document);
}

function refuse(req: IncomingMessage, res: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  if (res.headersSent || res.destroyed) {
    return;
  }
  if (!req.complete) {
    let drained = 0;
    req.on('data', (chunk: Buffer) => {
      drained += chunk.length;
      if (drained > largestDrain) {
        req.destroy();
      }
    });
    // An error without a listener would end the process when a sender disconnects early.
    req.on('error', () => undefined);
    req.resume();
  }
  const closing = status === 408 ? { connection: 'close' } : {};
  res.writeHead(status, { 'content-length': 0, ...closing, ...headers }).end();
}
