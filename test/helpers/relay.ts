/**
 * Shared fixtures of relay tests: a relay in a store, a scan as a device posts it, an intake over real HTTP, and a fake
 * Slack channel.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock, systemRandom } from '../../src/clock.js';
import { type Log, silentLog } from '../../src/log.js';
import { createMetrics, type Metrics } from '../../src/metrics.js';
import type { Owner } from '../../src/ownership.js';
import { createRefusalLog } from '../../src/refusal-log.js';
import { createIntake, createRelays, type IntakeDeps, type Relays } from '../../src/relay/index.js';
import type { RelayRecord } from '../../src/relay/record/records.js';
import type { Store } from '../../src/workspaces/types.js';

export const owner: Owner = { installation: 'T0HARBOUR', team: 'T0HARBOUR' };
export const stranger: Owner = { installation: 'T0OTHER', team: 'T0OTHER' };

export function relaysOf(store: Store, onPosts: () => void = () => undefined): Relays {
  return createRelays({ store, clock: systemClock, random: systemRandom, onPosts });
}

export type RelayInput = Parameters<Relays['create']>[0];

export const gate = {
  owner,
  serviceIds: [],
  serviceName: 'Main gate',
  channel: 'C0GATE',
  notable: 'all',
  createdBy: 'U0ADMIN',
} satisfies RelayInput;

export interface TestIntake {
  readonly url: string;
  readonly metrics: Metrics;
  close(): Promise<void>;
}

/** The intake on an HTTP server of its own. */
export async function startIntake(
  store: Store,
  { log = silentLog, ...options }: Partial<IntakeDeps> & { log?: Log } = {},
): Promise<TestIntake> {
  const metrics = createMetrics();
  const intake = createIntake({
    store,
    clock: systemClock,
    random: systemRandom,
    refusals: createRefusalLog({
      log,
      clock: systemClock,
      senderOf: (request) => request.socket.remoteAddress,
    }),
    metrics,
    onPosts: () => undefined,
    lateHours: 24,
    ...options,
  });
  const server = createServer({ keepAliveTimeout: 65_000 }, intake.handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    metrics,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The intake's outcome counters. */
export async function outcomes(metrics: Metrics): Promise<Record<string, number>> {
  const { values } = await metrics.relayScans.get();
  return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome as string, value]));
}

let counter = 0;

/** The variables of a scan as a device sends them; each scan has its own time by default. */
export function scanForm(fields: Record<string, string> = {}): Record<string, string> {
  counter += 1;
  const at = new Date(Date.UTC(2026, 4, 1) + counter * 1_000);
  return {
    tid: `A-${counter}`,
    sid: '101',
    userid: '7',
    udid: 'device-1',
    scanned_at_utc: at.toISOString().slice(0, 19).replace('T', ' '),
    ...fields,
  };
}

export interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly body: string;
}

/** Posts a form as a device does. */
export async function postScan(url: string, form: Record<string, string> | string): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
  });
  return { status: response.status, type: response.headers.get('content-type'), body: await response.text() };
}

/** A relay record as the store returns it. */
export function relayRecord(fields: Partial<RelayRecord> = {}): RelayRecord {
  return { id: 'relay1', ...gate, settings: '{}', counting: {}, createdAt: 0, ...fields };
}
