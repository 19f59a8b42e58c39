/**
 * A barcode's scans in some spellings: the account's, from the copy kept here or as it just answered for each, and those
 * that only relays received. The account's answers are cached for a few minutes, with their age, so that paging does not
 * fetch them again.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.js';
import { type Attempt, attempt } from '../../codereadr/attempt.js';
import { asAnswered, isLostInAnswers, mayLackSeparators, sameSpelling } from '../../codereadr/barcode-equality.js';
import type { Account, CallOptions } from '../../codereadr/types.js';
import type { ScansCopy } from '../../mirror/index.js';
import { type Owner, ownerKey } from '../../ownership.js';
import { otherText } from '../../scans/account/account-scan-rows.js';
import { type AccountSource, liveSource, type Scan, type Scans } from '../../scans/index.js';
import { openScanContext, type ReceivingRelays } from '../../scans/scan-context.js';
import { type SeenScan, seen } from '../../scans/seen-scan.js';
import { ever } from '../../scans/walk.js';
import { firstPiece, type Reading, readOn, readTop } from './scan-reading.js';

export interface Stream {
  /** The scans, newest first. */
  readonly scans: readonly SeenScan[];
  /** Whether there are no further scans. */
  readonly complete: boolean;
  /** How many scans there are, where that is known without reading all. */
  readonly total?: number;
}

export interface BarcodeQuery {
  readonly owner: Owner;
  readonly account: Account;
  /** The barcode to the letter. */
  readonly value: string;
}

/** The spellings of one barcode whose scans are read. */
export interface Spelled extends BarcodeQuery {
  readonly spellings: readonly string[];
}

/** Whether the copy can be read for a value: it may hold scans of another barcode that reads like it. */
export function isCopied(value: string): boolean {
  return !isLostInAnswers(value) && !mayLackSeparators(value);
}

const ttlMs = 5 * 60_000;
const mostCached = 200;
/** How many scans of a barcode are read from the copy. */
const mostCopied = 500;

interface CachedReading {
  /** The time as of which the account answered. */
  readonly at: number;
  readonly reading: Reading;
}

export function createHistories(deps: {
  readonly clock: Clock;
  readonly scans: Pick<Scans, 'walk'>;
  readonly relays?: ReceivingRelays | undefined;
}) {
  const cacheByAccount = new WeakMap<Account, LRUCache<string, CachedReading>>();

  function cacheOf(account: Account): LRUCache<string, CachedReading> {
    const found = cacheByAccount.get(account) ?? new LRUCache<string, CachedReading>({ max: mostCached });
    cacheByAccount.set(account, found);
    return found;
  }

  function cache({ account, owner, value }: BarcodeQuery, read: CachedReading): CachedReading {
    cacheOf(account).set(JSON.stringify([ownerKey(owner), value]), read);
    return read;
  }

  function cached({ account, owner, value }: BarcodeQuery, notBefore: number): CachedReading | undefined {
    const found = cacheOf(account).get(JSON.stringify([ownerKey(owner), value]));
    return found && found.at >= notBefore && deps.clock.now() - found.at < ttlMs ? found : undefined;
  }

  async function readNow({ account, value }: BarcodeQuery, options: CallOptions): Promise<CachedReading> {
    let at = deps.clock.now();
    const reading = await readTop(account, value, firstPiece, {
      ...options,
      answeredAsOf: (asOf) => {
        at = asOf;
      },
    });
    return { at, reading };
  }

  /** The newest scans in these spellings. An account that ignores case answers with others: the databases say if they count. */
  async function newestScans(
    { owner, value, spellings }: Spelled,
    account: AccountSource | undefined,
    maxScans: number,
    since: number = ever.from,
  ): Promise<{ readonly scans: readonly Scan[]; readonly complete: boolean }> {
    const foundScans: Scan[] = [];
    for await (const { scans } of deps.scans.walk(owner, account, {
      ...ever,
      from: since,
      barcode: { match: 'is', text: value },
    })) {
      foundScans.push(...scans.filter((scan) => spellings.some((spelling) => isSpelled(scan, spelling))));
      if (foundScans.length > maxScans) {
        return { scans: foundScans.slice(0, maxScans), complete: false };
      }
    }
    return { scans: foundScans, complete: since === ever.from };
  }

  async function show(subject: BarcodeQuery, scans: readonly Scan[], options: CallOptions): Promise<Stream['scans']> {
    const context = await (await openScanContext(deps.relays, subject, options))(scans);
    return scans.map((scan) => seen(deps.relays ? scan : withoutKinds(scan), context));
  }

  return {
    /**
     * The newest scans of one spelling, from the account. `at`: the time as of which they are known.
     * @param sharing which answers to equal calls may be shared
     */
    async newest(
      subject: BarcodeQuery,
      options: CallOptions,
      sharing?: Pick<CallOptions, 'version' | 'anew'>,
    ): Promise<{ account: Attempt<Reading>; at: number }> {
      const askedAt = deps.clock.now();
      const read = await attempt(readNow(subject, { ...options, ...sharing }), options.signal);
      if (!read.ok) {
        return { account: read, at: askedAt };
      }
      const { at, reading } = cache(subject, read.value);
      return { account: { ok: true, value: reading }, at };
    },

    /** The newest scans of the copy, with the relays'. Undefined: the copy cannot tell, or is not sure of one of them. */
    async copied(
      subject: Spelled,
      { connection, round }: Pick<ScansCopy, 'connection' | 'round'>,
      options: CallOptions,
      maxScans = mostCopied,
    ): Promise<Stream | undefined> {
      if (!isCopied(subject.value)) {
        return undefined;
      }
      const found = await newestScans(subject, { connection }, maxScans);
      const scans = found.scans.filter((scan) => scan.round !== otherText || scan.received.length > 0);
      // A scan that the last complete pass did not meet may be deleted.
      return scans.some((scan) => scan.round !== undefined && scan.round !== otherText && scan.round < round)
        ? undefined
        : { scans: await show(subject, scans, options), complete: found.complete };
    },

    /**
     * At least `wanted` of the account's scans of one spelling where there are that many, from the cache where that is
     * enough and not older than `notBefore`. `at`: the time as of which they are known.
     * @throws AccountError
     */
    async readAtLeast(subject: BarcodeQuery, wanted: number, options: CallOptions, notBefore = 0) {
      const start = cached(subject, notBefore) ?? (await readNow(subject, options));
      const { account, value } = subject;
      const reading = await readOn(account, value, start.reading, wanted, options);
      return cache(subject, { at: start.at, reading });
    },

    /**
     * The scans that the account answered, with those that only relays received. An incomplete answer limits the list
     * to its oldest scan: earlier ones are unknown.
     * @param readings the answers by spelling; one without an answer has only the relays' scans
     */
    async answered(
      subject: Spelled,
      readings: readonly (Reading | undefined)[],
      maxScans: number,
      options: CallOptions,
    ): Promise<Stream> {
      const now = deps.clock.now();
      // Each scan counts once: an account that ignores case finds it under each spelling.
      const own = readings.map(
        (reading, n) => reading?.scans.filter(({ value }) => sameSpelling(subject.spellings[n]!, value)) ?? [],
      );
      const cuts = readings.flatMap((reading) => (reading && !reading.complete ? reading : []));
      const oldestAt = cuts.map(({ scans }) => Math.min(...liveSource(scans, now).live.map(({ at }) => at)));
      const source = liveSource(own.flat(), now);
      const most = Math.max(maxScans, source.live.length + firstPiece);
      const { scans, complete } = await newestScans(subject, source, most, Math.max(ever.from, ...oldestAt));
      const totals = readings.map((reading, n) => (reading && cuts.includes(reading) ? reading.total : own[n]!.length));
      const total = totals.reduce<number>((sum, one) => sum + (one ?? Number.NaN), 0);
      return {
        scans: await show(subject, scans, options),
        complete: complete && cuts.length === 0,
        ...(cuts.length === 0 || Number.isNaN(total) ? {} : { total }),
      };
    },
  };
}

export type Histories = ReturnType<typeof createHistories>;

/** A scan of which nobody says what its relay does now: without relays, what it was says nothing. */
function withoutKinds(scan: Scan): Scan {
  return { ...scan, received: scan.received.map(({ kind: _, ...rest }) => rest) };
}

/** Whether a scan has this spelling. A relay's scan is known exactly; the account's answer may lack characters. */
function isSpelled({ value, recorded, received }: Scan, wanted: string): boolean {
  return received.length > 0 ? value === wanted : sameSpelling(wanted, asAnswered(recorded?.value ?? value));
}
