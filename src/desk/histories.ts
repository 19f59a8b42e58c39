/**
 * Owns a barcode's scans from both sides: what the account recorded and what the relay took that the account never saw.
 * Keeps what was read for a few minutes, so that paging through it does not ask for the same scans again.
 */
import type { Account, CallOptions, RecordedScan } from '../account/types.js';
import type { Clock } from '../clock.js';
import { type Owner, ownerKey } from '../ownership.js';
import { type Attempt, attempt } from './failure.js';
import type { ReceivedRecord, ReceivedScans } from './received.js';
import { firstPiece, mostScans, type Reading, readNewest, readOn } from './scan-reading.js';
import { fromAccount, fromRelay, type Names } from './seen-scan.js';
import type { Stream } from './streams.js';

export interface Subject {
  readonly owner: Owner;
  readonly account: Account;
  /** The barcode, exactly. */
  readonly value: string;
}

export interface Histories {
  /** The newest scans, asked afresh. Where the account fails: its error, and what the relay has. */
  newest(subject: Subject, options: CallOptions): Promise<{ streams: readonly Stream[]; account: Attempt<unknown> }>;
  /**
   * At least `wanted` scans where there are so many, from what was read in the last minutes where that is enough.
   * @throws AccountError
   */
  upTo(subject: Subject, wanted: number, options: CallOptions): Promise<readonly Stream[]>;
}

const keepMs = 5 * 60_000;
const keepMost = 200;

interface Kept {
  readonly at: number;
  readonly reading: Reading;
}

export function createHistories(deps: { clock: Clock; received?: ReceivedScans | undefined }): Histories {
  const keptByAccount = new WeakMap<Account, Map<string, Kept>>();

  function kept(account: Account): Map<string, Kept> {
    const found = keptByAccount.get(account) ?? new Map<string, Kept>();
    keptByAccount.set(account, found);
    return found;
  }

  function keep({ account, owner, value }: Subject, reading: Reading): Reading {
    const readings = kept(account);
    const key = JSON.stringify([ownerKey(owner), value]);
    readings.delete(key);
    readings.set(key, { at: deps.clock.now(), reading });
    for (const oldest of [...readings.keys()].slice(0, Math.max(0, readings.size - keepMost))) {
      readings.delete(oldest);
    }
    return reading;
  }

  function recall({ account, owner, value }: Subject): Reading | undefined {
    const found = kept(account).get(JSON.stringify([ownerKey(owner), value]));
    return found && deps.clock.now() - found.at < keepMs ? found.reading : undefined;
  }

  /** What the relay took and the account does not have: a scan with an account's id is the account's to tell. */
  async function fromTheRelay(
    subject: Subject,
    reading: Reading | undefined,
    wanted: number,
    options: CallOptions,
  ): Promise<Stream> {
    const limit = Math.min(Math.max(wanted, firstPiece), mostScans) + 1;
    const records = (await deps.received?.receivedScans(subject.owner, subject.value, limit)) ?? [];
    const own = reading ? records.filter((record) => record.scanId === undefined && !isIn(reading, record)) : records;
    const names = own.length > 0 ? await namesFor(subject.account, own, options) : undefined;
    return { scans: names ? own.map((record) => fromRelay(record, names)) : [], complete: records.length < limit };
  }

  async function streamsOf(
    subject: Subject,
    reading: Reading,
    wanted: number,
    options: CallOptions,
  ): Promise<readonly Stream[]> {
    const [relayed, secret = []] = await Promise.all([
      fromTheRelay(subject, reading, wanted, options),
      deps.received?.secretProperties?.(subject.owner),
    ]);
    const recorded = { ...reading, scans: reading.scans.map((scan) => fromAccount(without(secret, scan))) };
    return relayed.scans.length > 0 ? [recorded, relayed] : [recorded];
  }

  return {
    async newest(subject, options) {
      const account = await attempt(readNewest(subject.account, subject.value, options), options.signal);
      const streams = account.ok
        ? streamsOf(subject, keep(subject, account.value), firstPiece, options)
        : fromTheRelay(subject, undefined, firstPiece, options).then((relayed) => [relayed]);
      return { streams: await streams, account };
    },

    async upTo(subject, wanted, options) {
      const start = recall(subject) ?? (await readNewest(subject.account, subject.value, options));
      const reading = keep(subject, await readOn(subject.account, subject.value, start, wanted, options));
      return streamsOf(subject, reading, wanted, options);
    },
  };
}

function without(secret: readonly string[], scan: RecordedScan): RecordedScan {
  return secret.length === 0
    ? scan
    : { ...scan, properties: scan.properties.filter(({ name }) => !secret.includes(name)) };
}

/** A postback template may leave the scan id out: then the same service in the same second is the same scan. */
function isIn(reading: Reading, record: ReceivedRecord): boolean {
  return reading.scans.some(
    (scan) =>
      scan.service.id === record.serviceId &&
      Math.floor((fromAccount(scan).at ?? -1) / 1000) === Math.floor(record.at / 1000),
  );
}

/** Names are a help, not the answer: where they cannot be had, ids are shown. */
async function namesFor(account: Account, records: readonly ReceivedRecord[], options: CallOptions): Promise<Names> {
  const has = (field: 'serviceId' | 'userId' | 'udid') => records.some((record) => record[field] !== undefined);
  const [services, users, devices] = await Promise.all([
    has('serviceId') ? attempt(account.reference.services(options)) : undefined,
    has('userId') ? attempt(account.reference.users(options)) : undefined,
    has('udid') ? attempt(account.reference.devices(options)) : undefined,
  ]);
  return {
    services: services?.ok ? services.value : [],
    users: users?.ok ? users.value : [],
    devices: devices?.ok ? devices.value : [],
  };
}
