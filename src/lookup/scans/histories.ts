/**
 * A barcode's scans in one spelling: the account's, from the copy kept here or as it just answered, and those that only
 * relays received. The account's answers are cached for a few minutes, so that paging does not fetch them again.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.js';
import { type Attempt, attempt } from '../../codereadr/attempt.js';
import { asAnswered, sameSpelling } from '../../codereadr/barcode-equality.js';
import type { Account, CallOptions } from '../../codereadr/types.js';
import type { ScansCopy } from '../../mirror/index.js';
import { type Owner, ownerKey } from '../../ownership.js';
import { type AccountSource, liveSource, type Scan, type Scans } from '../../scans/index.js';
import { openScanContext, type ReceivingRelays } from '../../scans/scan-context.js';
import { seen } from '../../scans/seen-scan.js';
import { ever } from '../../scans/walk.js';
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
   * The newest scans, from the account. Where it fails: its error, and the relays' scans.
   * @param sharing whose answer the scans may come from
   */
  newest(
    subject: BarcodeQuery,
    options: CallOptions,
    sharing?: Pick<CallOptions, 'version' | 'anew' | 'answeredAsOf'>,
  ): Promise<{ stream: Stream; account: Attempt<Reading> }>;
  /** The newest scans of the copy, with the relays'. Undefined: the copy is not sure of one of them. */
  copied(subject: BarcodeQuery, copy: ScansCopy, options: CallOptions): Promise<Stream | undefined>;
  /**
   * At least `wanted` scans where there are that many, from the cache where that is enough.
   * @throws AccountError
   */
  upTo(subject: BarcodeQuery, wanted: number, options: CallOptions): Promise<Stream>;
}

const ttlMs = 5 * 60_000;
const mostCached = 200;
/** The scans of a barcode that are read from the copy. */
const mostCopied = 500;

interface CachedReading {
  readonly at: number;
  readonly reading: Reading;
}

export function createHistories(deps: {
  readonly clock: Clock;
  readonly scans: Pick<Scans, 'walk'>;
  readonly relays?: ReceivingRelays | undefined;
}): Histories {
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

  /** The newest scans in this spelling. An account that ignores case answers with others: the databases say if they count. */
  async function newestScans(
    { owner, value }: BarcodeQuery,
    account: AccountSource | undefined,
    most: number,
    from: number = ever.from,
  ): Promise<{ readonly scans: readonly Scan[]; readonly complete: boolean }> {
    const found: Scan[] = [];
    for await (const { scans } of deps.scans.walk(owner, account, {
      ...ever,
      from,
      barcode: { match: 'is', text: value },
    })) {
      found.push(...scans.filter((scan) => isSpelled(scan, value)));
      if (found.length > most) {
        return { scans: found.slice(0, most), complete: false };
      }
    }
    return { scans: found, complete: from === ever.from };
  }

  async function shown(subject: BarcodeQuery, scans: readonly Scan[], options: CallOptions): Promise<Stream['scans']> {
    const context = await (await openScanContext(deps.relays, subject, options))(scans);
    return scans.map((scan) => seen(scan, context));
  }

  /** What the account answered, with what relays received meanwhile. */
  async function streamOf(
    subject: BarcodeQuery,
    reading: Reading,
    wanted: number,
    options: CallOptions,
  ): Promise<Stream> {
    const source = liveSource(reading.scans, deps.clock.now());
    // Before the oldest scan of an answer that is not whole, nothing is known.
    const oldest = reading.complete ? undefined : Math.min(...source.live.map(({ at }) => at));
    const { scans, complete } = await newestScans(
      subject,
      source,
      Math.max(wanted, reading.scans.length + firstPiece),
      oldest,
    );
    return {
      scans: await shown(subject, scans, options),
      complete: complete && reading.complete,
      ...(reading.total === undefined ? {} : { total: reading.total }),
    };
  }

  return {
    async newest(subject, options, sharing) {
      const newest = readNewest(subject.account, subject.value, { ...options, ...sharing });
      const account = await attempt(newest, options.signal);
      if (account.ok) {
        return { stream: await streamOf(subject, cache(subject, account.value), firstPiece, options), account };
      }
      const { scans, complete } = await newestScans(subject, undefined, firstPiece);
      return { stream: { scans: await shown(subject, scans, options), complete }, account };
    },

    async copied(subject, { connection, round }, options) {
      const { scans, complete } = await newestScans(subject, { connection }, mostCopied);
      // What the last complete pass did not meet may be deleted.
      return scans.some((scan) => scan.round !== undefined && scan.round < round)
        ? undefined
        : { scans: await shown(subject, scans, options), complete };
    },

    async upTo(subject, wanted, options) {
      const start = cached(subject) ?? (await readNewest(subject.account, subject.value, options));
      const reading = cache(subject, await readOn(subject.account, subject.value, start, wanted, options));
      return await streamOf(subject, reading, Math.min(wanted, mostScans), options);
    },
  };
}

/** What a relay received is known exactly, what the account answered may lack characters. */
function isSpelled({ value, recorded, received }: Scan, wanted: string): boolean {
  return received.length > 0 ? value === wanted : sameSpelling(wanted, asAnswered(recorded?.value ?? value));
}
