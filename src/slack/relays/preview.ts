/**
 * The scans that every preview reads: a relay's own, and, where it has few, those that the account recorded of its
 * services before. Where there is no copy of them, the account is asked at most once a minute.
 */
import type { Clock } from '../../clock.js';
import { type Account, AccountError, type Service } from '../../codereadr/types.js';
import { lastScans, type SeenScan } from '../../lookup/index.js';
import {
  type AccountScan,
  type PlannedRelay,
  type PreviewedScan,
  type PreviewedScans,
  previewedScans,
  type Relay,
  type RelaySettings,
} from '../../relay/index.js';
import type { AccountSource } from '../../scans/index.js';
import { fromAccount } from '../../scans/seen-scan.js';
import { ever } from '../../scans/walk.js';
import { withTimeout } from '../../timeout.js';
import { SlackError } from '../bolt/errors.js';
import type { ActorContext } from '../bolt/routing/context.js';
import { accountOf } from '../connection/account.js';
import { servicesOf } from './load-views.js';
import { type ScansRead, type SpanChoice, spanOf } from './settings/rules/preview-span.js';

type Scope = ActorContext & { readonly person?: { readonly zone?: string | undefined } };

/** What a preview reads. `read`: in words for its reader, once it was read. */
export interface KnownScans extends PreviewedScans {
  readonly read: () => ScansRead;
}

export function knownScans(context: Scope, relay: PlannedRelay | Relay, span: SpanChoice = 'last'): KnownScans {
  const { clock, log } = context.deps;
  const { serviceIds } = relay;
  let missing: ScansRead['missing'];
  const recorded = async () => {
    missing = 'slow';
    return withTimeout<readonly AccountScan[]>(
      clock,
      timeoutMs,
      async (signal) => {
        try {
          const found = await recordedScans(context, relay, signal);
          missing = undefined;
          return found;
        } catch (error) {
          if (!(error instanceof AccountError || error instanceof SlackError)) {
            throw error;
          }
          log.info({ code: error.code }, 'the last scans could not be listed for a preview');
          missing = 'failed';
          return [];
        }
      },
      [],
    );
  };
  return {
    span: spanOf(span, clock.now(), context.person?.zone),
    recorded,
    read: () => ({ span, of: serviceIds.length === 1 ? 'service' : 'account', isNew: !('id' in relay), missing }),
  };
}

export interface PreviewedPosts {
  readonly scans: readonly PreviewedScan[];
  readonly read: ScansRead;
}

/** What a relay would have posted of these scans with these settings. */
export async function previewedPosts(
  context: Scope,
  relay: PlannedRelay | Relay,
  settings?: RelaySettings,
  span?: SpanChoice,
): Promise<PreviewedPosts> {
  const known = knownScans(context, relay, span);
  return { scans: await context.deps.relayStatus.preview(relay, settings, known), read: known.read() };
}

/** How long a form waits for the account's scans. */
const timeoutMs = 3_000;

/** The newest scans that the account recorded and this relay did not receive: those of the copy, where there is one. */
async function recordedScans(context: ActorContext, relay: PlannedRelay | Relay, signal: AbortSignal) {
  const { deps, actor } = context;
  const [service, ...others] = relay.serviceIds;
  const [account, copy] = await Promise.all([accountOf(deps, actor.owner), deps.mirror?.scansCopy(actor.owner)]);
  const [recorded, services] = await Promise.all([
    copy
      ? copiedScans(context, copy, relay, signal)
      : deps.lastRecordedScans(account, others.length === 0 ? service : undefined),
    servicesOf(context),
  ]);
  return toAccountScans(recorded, services ?? []);
}

async function copiedScans(
  { deps, actor }: ActorContext,
  copy: AccountSource,
  relay: PlannedRelay | Relay,
  signal: AbortSignal,
): Promise<readonly SeenScan[]> {
  const found: SeenScan[] = [];
  const isOwn = ({ relayId }: { readonly relayId: string }) => 'id' in relay && relayId === relay.id;
  for await (const { scans } of deps.scans.walk(actor.owner, copy, ever)) {
    for (const { recorded, received } of scans) {
      const isWanted = recorded && (relay.serviceIds.length === 0 || relay.serviceIds.includes(recorded.service.id));
      found.push(...(isWanted && !received.some(isOwn) ? [fromAccount(recorded)] : []));
    }
    if (found.length >= previewedScans || signal.aborted) {
      break;
    }
  }
  return found;
}

/** The account's scans for the preview. Where a service's postback URL decides, the scan carries no result. */
function toAccountScans(recorded: readonly SeenScan[], services: readonly Service[]): readonly AccountScan[] {
  const withPostback = new Set(services.filter((each) => each.validationMethod === 'postback').map(({ id }) => id));
  return recorded.map(({ value, service, status, result, at = 0 }): AccountScan => {
    const givenResult = withPostback.has(service.id) ? undefined : statuses[status];
    return {
      value,
      serviceId: service.id,
      text: result,
      at,
      ...(givenResult === undefined ? {} : { given: givenResult }),
    };
  });
}

const statuses: Readonly<Partial<Record<SeenScan['status'], string>>> = {
  valid: '1',
  invalid: '0',
  not_validated: '-1',
};

interface CachedScans {
  readonly until: number;
  readonly scans: Promise<readonly SeenScan[]>;
}

const cacheMs = 60_000;

/**
 * The account's newest scans, of one service or of all. They are cached for a minute, as each choice in a form redraws
 * it; a failed call is not cached. Each account has its own cache.
 */
export function createLastRecordedScans({ clock }: { readonly clock: Clock }) {
  const cache = new WeakMap<Account, Map<string | undefined, CachedScans>>();
  /** @throws AccountError */
  return (account: Account, serviceId: string | undefined): Promise<readonly SeenScan[]> => {
    const services = cache.get(account) ?? new Map<string | undefined, CachedScans>();
    cache.set(account, services);
    const now = clock.now();
    for (const [id, { until }] of services) {
      if (until <= now) {
        services.delete(id);
      }
    }
    const cachedService = services.get(serviceId);
    if (cachedService) {
      return cachedService.scans;
    }
    const scans = lastScans(account, { serviceId }, previewedScans);
    services.set(serviceId, { until: now + cacheMs, scans });
    scans.catch(() => services.delete(serviceId));
    return scans;
  };
}
