/**
 * A barcode's scans from both sources: the account's records, and the relay's scans that are not among them. The
 * account's are cached for a few minutes, so that paging does not fetch the same scans again.
 */

import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.js';
import { type Attempt, attempt } from '../../codereadr/attempt.js';
import { sameSpelling } from '../../codereadr/barcode-equality.js';
import type { Account, CallOptions, RecordedScan } from '../../codereadr/types.js';
import { type Owner, ownerKey } from '../../ownership.js';
import type { RelayValidator } from '../../relay/index.js';
import { pairScans } from '../../scans/same-scan.js';
import { fromAccount, fromRelay } from '../../scans/seen-scan.js';
import type { ReceivedRecord, ReceivedScans } from './received.js';
import { namesFor, validatedBy } from './received-names.js';
import { firstPiece, mostScans, type Reading, readNewest, readOn } from './scan-reading.js';
import type { Stream } from './streams.js';

export interface BarcodeQuery {
  readonly owner: Owner;
  readonly account: Account;
  /** The barcode, exactly. */
  readonly value: string;
}

export interface Histories {
  /**
   * The newest scans, from the account. Where it fails: its error, and the relay's scans.
   * @param sharing whose answer the scans may come from
   */
  newest(
    subject: BarcodeQuery,
    options: CallOptions,
    sharing?: Pick<CallOptions, 'version' | 'anew' | 'answeredAsOf'>,
  ): Promise<{ streams: readonly Stream[]; account: Attempt<Reading> }>;
  /** Scans of the account that are known already, with the relay's. */
  recalled(subject: BarcodeQuery, reading: Reading, options: CallOptions): Promise<readonly Stream[]>;
  /**
   * At least `wanted` scans where there are that many, from the cache where that is enough.
   * @throws AccountError
   */
  upTo(subject: BarcodeQuery, wanted: number, options: CallOptions): Promise<readonly Stream[]>;
}

const ttlMs = 5 * 60_000;
const mostCached = 200;

interface CachedReading {
  readonly at: number;
  readonly reading: Reading;
}

interface Received {
  readonly records: readonly ReceivedRecord[];
  readonly relays: readonly RelayValidator[];
  /** There are no others. */
  readonly complete: boolean;
}

export function createHistories(deps: { clock: Clock; received?: ReceivedScans | undefined }): Histories {
  const cacheByAccount = new WeakMap<Account, LRUCache<string, CachedReading>>();

  function cacheOf(account: Account): LRUCache<string, CachedReading> {
    const found = cacheByAccount.get(account) ?? new LRUCache<string, CachedReading>({ max: mostCached });
    cacheByAccount.set(account, found);
    return found;
  }

  function cache({ account, owner, value }: BarcodeQuery, reading: Reading): Reading {
    cacheOf(account).set(JSON.stringify([ownerKey(owner), value]), { at: deps.clock.now(), reading });
    return reading;
  }

  function cached({ account, owner, value }: BarcodeQuery): Reading | undefined {
    const found = cacheOf(account).get(JSON.stringify([ownerKey(owner), value]));
    return found && deps.clock.now() - found.at < ttlMs ? found.reading : undefined;
  }

  /** The relay's scans, some of which the account has too. */
  async function loadReceived({ owner, value }: BarcodeQuery, wanted: number): Promise<Received> {
    const limit = Math.min(Math.max(wanted, firstPiece), mostScans) + 1;
    const records = (await deps.received?.receivedScans(owner, value, limit)) ?? [];
    const relays = records.length > 0 ? ((await deps.received?.relayValidators?.(owner)) ?? []) : [];
    return { records, relays, complete: records.length < limit };
  }

  async function relayed(
    { account }: BarcodeQuery,
    { records, relays, complete }: Received,
    options: CallOptions,
  ): Promise<Stream> {
    const names = records.length > 0 ? await namesFor(account, records, options) : undefined;
    return {
      scans: names ? records.map((record) => fromRelay(record, names, validatedBy(record, relays))) : [],
      complete,
    };
  }

  async function streamsOf(
    subject: BarcodeQuery,
    reading: Reading,
    wanted: number,
    options: CallOptions,
  ): Promise<readonly Stream[]> {
    const [received, secret = []] = await Promise.all([
      loadReceived(subject, wanted),
      deps.received?.secretProperties?.(subject.owner),
    ]);
    // An account that ignores case answers with other spellings: whether they count, the databases say.
    const spelled = reading.scans.filter((scan) => sameSpelling(subject.value, scan.value));
    const { recordOf, covered } = pairScans(spelled, received.records);
    const recorded = {
      ...reading,
      scans: spelled.map((scan) => {
        const record = recordOf.get(scan);
        const relay = record && validatedBy(record, received.relays);
        return { ...fromAccount(without(secret, scan)), ...(relay === undefined ? {} : { validatedBy: relay }) };
      }),
    };
    const records = received.records.filter((record) => !covered.has(record));
    const own = await relayed(subject, { ...received, records }, options);
    return own.scans.length > 0 ? [recorded, own] : [recorded];
  }

  return {
    async newest(subject, options, sharing) {
      const reading = readNewest(subject.account, subject.value, { ...options, ...sharing });
      const account = await attempt(reading, options.signal);
      const streams = account.ok
        ? streamsOf(subject, cache(subject, account.value), firstPiece, options)
        : loadReceived(subject, firstPiece).then(async (received) => [await relayed(subject, received, options)]);
      return { streams: await streams, account };
    },

    recalled: (subject, reading, options) => streamsOf(subject, reading, firstPiece, options),

    async upTo(subject, wanted, options) {
      const start = cached(subject) ?? (await readNewest(subject.account, subject.value, options));
      const reading = cache(subject, await readOn(subject.account, subject.value, start, wanted, options));
      return streamsOf(subject, reading, wanted, options);
    },
  };
}

function without(secret: readonly string[], scan: RecordedScan): RecordedScan {
  return secret.length === 0
    ? scan
    : { ...scan, properties: scan.properties.filter(({ name }) => !secret.includes(name)) };
}
