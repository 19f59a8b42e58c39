/** Reports on a store with scans of a relay: a clock that tests set, and a channel that keeps what was posted. */

import { type Clock, systemRandom } from '../../src/clock.js';
import { leastId } from '../../src/database/ids.js';
import { createJobs } from '../../src/database/jobs/runner.js';
import { silentLog } from '../../src/log.js';
import { createMetrics } from '../../src/metrics.js';
import { createChannelWorker } from '../../src/posts/channel-worker.js';
import { usualTimes } from '../../src/posts/delivery-times.js';
import type { FindOutcome, NoticePost, PostOutcome, Publisher } from '../../src/posts/index.js';
import { createNoticeJobs, createNotices } from '../../src/posts/notices.js';
import { createOutbox } from '../../src/posts/outbox/outbox.js';
import type { CountReportDeps } from '../../src/reports/count.js';
import { createReports } from '../../src/reports/index.js';
import type { Report } from '../../src/reports/report.js';
import type { ReportNotice, ReportPost } from '../../src/reports/report-post.js';
import { createScans } from '../../src/scans/index.js';
import { savedSearches } from '../../src/search/saved-searches.js';
import type { Store } from '../../src/workspaces/types.js';
import { owner, relaysOf } from '../helpers/relay.js';
import { storeReceived } from '../helpers/scans.js';

export interface SetClock extends Clock {
  at: number;
}

export function setClock(at: number): SetClock {
  const clock: SetClock = {
    at,
    now: () => clock.at,
    // Sleeps last until they are aborted: calls answer at once, so no timeout is due.
    sleep: (_ms, signal) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  };
  return clock;
}

export interface ReportChannel extends Publisher<ReportPost | NoticePost<ReportNotice>> {
  readonly posted: ReportPost[];
  readonly notified: Report[];
  /** The next outcomes; `isIn`: the message is in the channel, whatever the outcome says. */
  readonly scripts: { readonly isIn: boolean; readonly says: PostOutcome }[];
  readonly finds: FindOutcome[];
}

export function reportChannel(clock: Clock): ReportChannel {
  const channel: ReportChannel = {
    ...{ posted: [], notified: [], scripts: [], finds: [] },
    time: async () => clock.now(),
    edit: async () => ({ outcome: 'edited' }),
    open: async (_owner, person) => `D${person}`,
    admins: async () => [],
    async post(post) {
      if (post.kind === 'notice') {
        channel.notified.push(post.notice.report);
        return { outcome: 'delivered', ts: '1.0' };
      }
      const { isIn, says } = channel.scripts.shift() ?? { isIn: true, says: { outcome: 'delivered', ts: '1.0' } };
      if (isIn) {
        channel.posted.push(post);
      }
      return says;
    },
    async find({ key }) {
      const found = channel.posted.some((post) => post.key === key);
      return channel.finds.shift() ?? (found ? { outcome: 'found', ts: '1.0' } : { outcome: 'absent' });
    },
  };
  return channel;
}

export function countDeps(store: Store, clock: Clock): CountReportDeps {
  const relays = relaysOf(store);
  return {
    ...{ store, clock, scans: createScans(store.db), log: silentLog, relays },
    accounts: {
      open: () => ({
        names: {
          findNames: async () => (kind: string, id: string) => (kind === 'service' ? `Gate ${id}` : undefined),
          services: async () => [],
          users: async () => [],
          devices: async () => [],
        },
      }),
    } as never,
    savedSearch: (whose, id) => savedSearches.find({ store }, whose, id),
  };
}

let workers = 0;

/**
 * A worker of an instance of its own, and the outbox of that instance. `wrap`: what stands between them and their store
 * and channel.
 */
export function workerOf(
  store: Store,
  clock: Clock,
  channel: ReportChannel,
  wrap: <Part extends object>(part: Part) => Part = (part) => part,
  more: Partial<CountReportDeps> = {},
) {
  workers += 1;
  const instanceId = `instance ${workers}`;
  const metrics = createMetrics();
  const shared = { clock, random: systemRandom, log: silentLog, metrics, instanceId };
  const onPosts = () => undefined;
  const jobs = createJobs({ ...shared, store: { kind: store.kind, db: withWrittenBy(store.db, wrap) } });
  const outbox = wrap(createOutbox(store));
  const publisher = wrap<Publisher>(channel);
  const notices = createNoticeJobs(jobs, createNotices({ ...shared, store, publisher, onPosts }));
  const reports = createReports({ ...countDeps(store, clock), ...more, ...shared, store, jobs, notices, onPosts });
  const posting = createChannelWorker({
    ...{ ...shared, outbox, maker: reports.maker },
    backlog: { detailOf: () => '{}', scansOf: async () => new Map() },
    ...{ publisher, intervalMs: 0, worker: instanceId, onBlocked: () => undefined },
    // Tests set the clock, so no post may be held for a time.
    times: { ...usualTimes, holdMs: 0 },
  });
  const post = async () => {
    await outbox.heartbeat(instanceId, clock.now() + usualTimes.leaseMs);
    for (const queue of await outbox.claim(instanceId, clock.now(), 50)) {
      await posting.drain(queue, () => true, new AbortController().signal);
      await outbox.release(instanceId, queue, clock.now(), 0);
    }
  };
  /** Works on due reports and posts. @returns on how many reports the worker worked at first */
  const work = async () => {
    const first = await jobs.runDue();
    await post();
    await jobs.runDue();
    await jobs.runDue();
    await post();
    return first;
  };
  return { work, reports, metrics };
}

/** The database, whose transactions stand behind `wrap`. */
function withWrittenBy(db: Store['db'], wrap: <Part extends object>(part: Part) => Part): Store['db'] {
  return new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      const wrapped = name === 'transaction' || name === 'connection';
      return typeof value !== 'function'
        ? value
        : wrapped
          ? () => wrap({ execute: target[name]().execute.bind(target[name]()) })
          : value.bind(target);
    },
  });
}

let scans = 0;

export interface ScanFields {
  readonly at: number;
  readonly receivedAt?: number;
  readonly valid?: boolean;
  readonly finding?: string;
  readonly sid?: string;
  readonly udid?: string;
  readonly status?: string;
  readonly text?: string;
  readonly tid?: string;
}

/** Stores scans as the relay does, without its rules. */
export async function putScans(store: Store, relayId: string, given: readonly ScanFields[]): Promise<void> {
  const rows = given.map(({ at, receivedAt = at, valid = true, finding, sid, udid, status, text, tid }) => {
    scans += 1;
    return {
      ...{ ...owner, relay_id: relayId, received_at: receivedAt, tid: tid ?? `T-${scans}`, valid: valid ? 1 : 0 },
      id: `${leastId(receivedAt).slice(0, 10)}${String(scans).padStart(16, '0')}`,
      ...{ sid: sid ?? null, userid: null, udid: udid ?? null, scanid: null, given_status: status ?? null },
      ...{ given_text: text ?? null, finding: finding ?? (valid ? 'valid' : 'invalid') },
      scanned_at_utc: new Date(at).toISOString().slice(0, 19).replace('T', ' '),
      ...{ answer_text: text ?? '', answers: '[]', properties: '[]', raw: '[]', repeat_key: null, late: 0, why: null },
      ...{ reply: null, made_at: null, earlier: null },
    };
  });
  await storeReceived(store, rows);
}
