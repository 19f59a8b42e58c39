/**
 * Status of a relay for the people who run it: waiting posts and dead letters, revoked secrets, mirror age, mutes, test
 * scans and rule previews.
 */
import type { Clock } from '../../clock.js';
import { fold } from '../../codereadr/barcode-equality.js';
import { namesOfScan, noNames } from '../../codereadr/names.js';
import type { NameOf } from '../../codereadr/types.js';
import { ruleCounter, ruleCounterName, withSameAs } from '../../counters/counters.js';
import type { MirrorState } from '../../mirror/index.js';
import type { Owner } from '../../ownership.js';
import type { DeviceClocks, WrongClock } from '../../scans/device-clocks.js';
import { createScanStore, utcMoment } from '../../scans/received/received-scan-rows.js';
import type { MuteFact } from '../../watches/facts.js';
import { createWatchAndMuteStore, type Mute } from '../../watches/watch-and-mute-rows.js';
import type { Store } from '../../workspaces/types.js';
import { acceptsService, type ReceivedScan, type Relay, rulesIn, toReceivedScan } from '../record/relay.js';
import { defaultSettings, needNames, type RelaySettings, type Rule } from '../record/settings.js';
import { ruleChannelsOf } from '../rules/index.js';
import { type PreviewedScan, preview } from '../rules/preview.js';
import { ruleCountOf } from '../rules/ready.js';
import {
  createValidate,
  type DatabaseLookup,
  type KnownOf,
  previewValidation,
  type ValidationPreview,
} from '../validation/index.js';
import { readCurrentCounts, readRuleCounts, sameAsBy } from './current-counts.js';
import { createRelayStatusStore, type DeadLetterReason, type RevokedSecret } from './status-table.js';

export interface RelayReport {
  readonly deadLetters: readonly DeadLetterReason[];
  /** The error code of the last failure of the first waiting post, if that was tried. */
  readonly lastFailure?: string | undefined;
  /** The revoked secrets, the latest first. */
  readonly revokedSecrets: readonly RevokedSecret[];
  /** The mirrors of the databases that the relay validates against, as far as they exist. */
  readonly mirrors: readonly MirrorState[];
  /** The channels with a mute that affects the relay, one entry for each mute. */
  readonly muted: readonly string[];
  /** The devices with wrong clocks that this relay heard last. */
  readonly wrongClocks: readonly WrongClock[];
}

/** A relay that somebody is about to create. */
export type PlannedRelay = Pick<Relay, 'owner' | 'serviceIds' | 'channel' | 'notable'>;

/** A scan as the account's record has it. No relay received it: its `relayId` in a preview is `noRelay`. */
export interface AccountScan {
  readonly value: string;
  readonly serviceId: string;
  /** The service's own result: `1`, `0` or `-1`. Undefined where its postback URL decides. */
  readonly given?: string;
  readonly text: string;
  readonly at: number;
}

/** The state of a test scan's post. */
export type TestPostState = 'not_there' | 'pending' | 'posted' | 'dead';

export interface RelayNames {
  readonly serviceName: string;
  readonly rules: readonly Rule[];
}

export const previewedScans = 100;

/** The scans that a preview reads: the last ones, at most `most`, made from `since` on. */
export interface PreviewSpan {
  readonly most: number;
  readonly since?: number | undefined;
}

/** What a preview reads. `recorded`: the account's last scans, read where the relay itself has fewer than are wanted. */
export interface PreviewedScans {
  readonly span?: PreviewSpan | undefined;
  readonly recorded?: (() => Promise<readonly AccountScan[]>) | undefined;
}

const revokedShown = 5;

/** How far the account's time of a scan, in whole seconds, may be from the relay's. */
const sameScanMs = 2_000;

export function createRelayStatus(deps: {
  store: Pick<Store, 'db'>;
  clock: Clock;
  mirror?: { states(owner: Owner): Promise<readonly MirrorState[]> } | undefined;
  databaseLookup?: DatabaseLookup | undefined;
  /** The names of the account's services, users and devices; called only where a rule uses them. */
  namesOf?: ((owner: Owner) => Promise<NameOf>) | undefined;
  lateHours: number;
  deviceClocks?: Pick<DeviceClocks, 'wrong'> | undefined;
}) {
  const { mirror, lateHours } = deps;
  const store = createRelayStatusStore(deps.store.db);
  const scans = createScanStore(deps.store.db);
  const watchesAndMutes = createWatchAndMuteStore(deps.store.db);

  const mirrorsOf = async ({ owner, settings: { judging } }: Relay): Promise<readonly MirrorState[]> =>
    judging.kind === 'database' && mirror
      ? (await mirror.states(owner)).filter(({ databaseId }) => judging.databaseIds.includes(databaseId))
      : [];

  /** Watches and mutes as a commit would see them, for a preview. */
  const watchedAndMuted = async (owner: Owner, relayId: string) => {
    const now = deps.clock.now();
    const [watches, mutes] = await Promise.all([
      watchesAndMutes.watches.list(owner, now),
      watchesAndMutes.mutes.list(owner, now),
    ]);
    return {
      watches: ({ tid }: ReceivedScan) => watches.filter(({ value, loan }) => value === tid && !loan),
      mutes: ({ tid }: ReceivedScan) => mutes.flatMap((mute) => muteFact(mute, relayId, tid)),
    };
  };

  /** The last scans of a relay's services, oldest first: its own, and, before these, those that the account recorded. */
  const lastOf = async (
    relay: PlannedRelay | Relay,
    { span: { most, since } = { most: previewedScans }, recorded }: PreviewedScans = {},
  ) => {
    const { owner } = relay;
    const own =
      'id' in relay
        ? (await scans.ofRelay(owner, relay.id, { limit: most, since })).scans.map(toReceivedScan).reverse()
        : [];
    const before = own[0]?.receivedAt ?? Number.POSITIVE_INFINITY;
    // The account has a relay's scan at its device's time, which may be before the scan arrived.
    const isOwn = ({ value, at }: AccountScan) =>
      own.some(
        ({ tid, scannedAtUtc, receivedAt }) =>
          tid === value && Math.abs((utcMoment(scannedAtUtc) ?? receivedAt) - at) < sameScanMs,
      );
    const older = own.length < most ? ((await recorded?.()) ?? []) : [];
    const accountScans = older
      .filter(
        (scan) =>
          (since === undefined || scan.at >= since) &&
          scan.at < before &&
          acceptsService(relay, scan.serviceId) &&
          !isOwn(scan),
      )
      .sort((one, other) => one.at - other.at)
      .slice(own.length - most)
      .map((scan, at) => asReceived(owner, scan, at));
    return { own, accountScans };
  };

  return {
    async report(relay: Relay): Promise<RelayReport> {
      const { owner, id } = relay;
      const [deadLetters, lastFailure, revokedSecrets, mirrors, mutes] = await Promise.all([
        store.deadLetters(owner, id),
        store.lastFailure(owner, id),
        store.revokedSecrets(owner, id, revokedShown),
        mirrorsOf(relay),
        watchesAndMutes.mutes.list(owner, deps.clock.now()),
      ]);
      const muted = mutes.filter((mute) => appliesTo(mute, relay)).map(({ channel }) => channel);
      const wrongClocks = (deps.deviceClocks?.wrong(deps.clock.now()) ?? []).filter(({ relayId }) => relayId === id);
      return { deadLetters, lastFailure, revokedSecrets, mirrors, muted, wrongClocks };
    },

    /**
     * The last scans of a relay, or of one that is planned (100, unless a span is given), newest first, without test
     * scans, each with the posts that it would have under these settings, which may be none. Result codes are the stored
     * ones. Only the relay's own scans have its counts.
     */
    async preview(
      relay: PlannedRelay | Relay,
      settings: RelaySettings = defaultSettings,
      wanted?: PreviewedScans,
    ): Promise<readonly PreviewedScan[]> {
      const { own: inOrder, accountScans } = await lastOf(relay, wanted);
      const [watchFacts, nameOf] = await Promise.all([
        watchedAndMuted(relay.owner, 'id' in relay ? relay.id : noRelay),
        (needNames(settings.rules) && deps.namesOf?.(relay.owner)) || noNames,
      ]);
      const known = { settings, relay, ...watchFacts, names: (scan: ReceivedScan) => namesOfScan(nameOf, scan) };
      const older = await preview({ ...known, scans: accountScans, total: () => undefined });
      if (!('id' in relay)) {
        return older.toReversed();
      }
      const sameAs = sameAsBy(settings.judging, await mirrorsOf({ ...relay, settings }));
      const countedScans = inOrder.map((scan) => withSameAs(scan, sameAs(scan)));
      const rules = settings.rules.flatMap((rule) => ruleCountOf(rule) ?? []);
      const [totals, ruleCounts] = await Promise.all([
        readCurrentCounts(deps.store.db, relay, inOrder, sameAs),
        readRuleCounts(deps.store.db, relay, rules, countedScans),
      ]);
      const totalOf = new Map(totals);
      const received = await preview({
        ...known,
        scans: inOrder,
        total: (subject, scan) => totalOf.get(scan)?.[subject],
        ruleTotal: (rule, scan) => ruleCounts.get(ruleCounterName(ruleCounter(rule, withSameAs(scan, sameAs(scan))))),
        sameAs,
      });
      return [...older, ...received].toReversed();
    },

    /** The last scans that would have another result under these settings; their barcodes cost no API call. */
    async previewValidation(
      relay: Relay,
      settings: RelaySettings,
      wanted?: PreviewedScans,
    ): Promise<ValidationPreview> {
      const read = await lastOf(relay, wanted);
      const knownOf: KnownOf = async ({ judging }, scan) => {
        if (judging.kind !== 'database') {
          const sameAs = judging.kind === 'list' && !judging.exact ? { sameAs: fold(scan.tid) } : {};
          return { prefetched: {}, ...sameAs };
        }
        const found = await deps.databaseLookup?.askMirrors(relay.owner, judging, scan.tid);
        return found ? { ...found, prefetched: { known: found.known } } : { prefetched: {} };
      };
      return previewValidation(relay.settings, settings, read, { knownOf, lateHours });
    },

    /** Names of the owner's relays and their rules, by id; removed relays with the names they had last. */
    async named(owner: Owner, ids: readonly string[]): Promise<ReadonlyMap<string, RelayNames>> {
      const found = await store.named(owner, ids);
      return new Map(
        found.map(({ id, serviceName, settings }) => [id, { serviceName, rules: rulesIn(settings) }] as const),
      );
    },

    /** The state of a test scan's post. `value`: the scan's barcode. `code`: the last failure. */
    async testPost({ owner, id }: Relay, value: string): Promise<{ state: TestPostState; code?: string | undefined }> {
      const [post] = await store.posts(owner, id, value);
      if (post === undefined) {
        return { state: 'not_there' };
      }
      const state = post.state === 'delivered' ? 'posted' : post.state === 'dead' ? 'dead' : 'pending';
      return { state, code: post.code };
    },
  };
}

export type RelayStatus = ReturnType<typeof createRelayStatus>;

/** Validation by default settings: without limits, no scan is too late. */
const validateByDefault = createValidate(defaultSettings, { lateHours: Number.POSITIVE_INFINITY });
export const noRelay = '';

/** The account's scan as a new relay would receive it. */
function asReceived(
  owner: Owner,
  { value, serviceId, given, text: givenText, at }: AccountScan,
  index: number,
): ReceivedScan {
  const scan = {
    id: String(index),
    relayId: noRelay,
    owner,
    receivedAt: at,
    tid: value,
    sid: serviceId,
    givenText,
    ...(given === undefined ? {} : { givenStatus: given }),
    answers: [],
    properties: [],
  };
  const counted = { ofSubject: () => ({ seen: 0, accepted: 0 }), admitted: () => 0, ofRule: () => 0 };
  const input = { scan: { ...scan, secretId: '', submit: [] }, counts: counted };
  const { valid, finding, text } = validateByDefault(input);
  return { ...scan, valid, finding, text };
}

/** Whether the mute affects the relay. A value may come to any relay that posts in the mute's channel. */
function appliesTo({ what, channel }: Mute, relay: Relay): boolean {
  const { rules } = relay.settings;
  const posts = rules.length === 0 ? [relay.channel] : ruleChannelsOf(relay.settings).map(({ channel }) => channel);
  return posts.includes(channel) && (what.kind === 'value' || what.relayId === relay.id);
}

/** The mute as a commit would see it; empty if it does not affect the relay or the barcode. */
function muteFact({ id, channel, what, posts }: Mute, relayId: string, tid: string): MuteFact[] {
  const applies = what.kind === 'value' ? what.value === tid : what.relayId === relayId;
  const limit = posts === undefined ? {} : { limit: { id, posts } };
  return applies ? [{ channel, what: what.kind === 'rule' ? { rule: what.ruleId } : what.kind, ...limit }] : [];
}
