/**
 * The preview in the relay form: which of the last 100 scans the relay would have posted. An existing relay uses the
 * scans it received; a new one uses the account's, fetched at most once a minute.
 */
import type { Clock } from '../../../clock.js';
import { type Account, AccountError, type Service } from '../../../codereadr/types.js';
import { lastScans, type SeenScan } from '../../../lookup/index.js';
import { type AccountScan, previewedScans, type Relay } from '../../../relay/index.js';
import { withTimeout } from '../../../timeout.js';
import type { Block } from '../../block-kit/elements.js';
import { richText } from '../../block-kit/text.js';
import type { ActorContext } from '../../bolt/routing/context.js';
import { accountOf } from '../../connection/account.js';
import { cachedRuleNames } from '../../connection/cached-names.js';
import { previewBlocks } from '../settings/rules/preview-blocks.js';
import { anyService, type RelayChoice, severalServices } from './relay-form.js';

const maxLines = 10;

/** The services whose scans the relay posts, by the form's choice; empty: any service. */
export function serviceIdsOf(service: string, relay?: Pick<Relay, 'serviceIds'>): readonly string[] {
  if (service === severalServices) {
    return relay?.serviceIds ?? [];
  }
  return service === anyService ? [] : [service];
}

/** The preview of an existing relay: the posts that it would have made with these settings. */
export async function previewOfChange(
  { deps, actor }: ActorContext,
  relay: Relay,
  { service, channel, notable }: Partial<RelayChoice>,
): Promise<Block[]> {
  const changedRelay: Relay = {
    ...relay,
    ...(service === undefined ? {} : { serviceIds: serviceIdsOf(service, relay) }),
    ...(channel === undefined ? {} : { channel }),
    ...(notable === undefined ? {} : { notable }),
  };
  const [scans, nameOf] = await Promise.all([
    deps.relayStatus.preview(changedRelay, relay.settings),
    cachedRuleNames({ deps, actor }, relay.settings.rules),
  ]);
  return previewBlocks(scans, { most: maxLines, nameOf });
}

/**
 * The posts that a new relay would have made. No scans are fetched before a service and a channel are chosen.
 * @param services the account's, if it lists them
 */
export async function previewOfNew(
  context: ActorContext,
  { service, channel, notable = 'all' }: Partial<RelayChoice>,
  services: readonly Service[] = [],
): Promise<Block[]> {
  if (service === undefined || channel === undefined) {
    return [richText('Choose a service and a channel to preview which recent scans would have been posted.')];
  }
  return withTimeout(
    context.deps.clock,
    timeoutMs,
    () => previewOfRecorded(context, { service, channel, notable }, services),
    [richText('Loading recent scans takes longer than usual. Choose again in a moment to see the preview.')],
  );
}

/** How long the form waits for its preview. */
const timeoutMs = 3_000;

async function previewOfRecorded(
  { deps, actor }: ActorContext,
  { service, channel, notable }: RelayChoice,
  services: readonly Service[],
): Promise<Block[]> {
  try {
    const account = await accountOf(deps, actor.owner);
    const recorded = await deps.lastRecordedScans(account, service === anyService ? undefined : service);
    const scans = toAccountScans(recorded, services);
    const planned = { owner: actor.owner, serviceIds: serviceIdsOf(service), channel, notable };
    return previewBlocks(await deps.relayStatus.previewNew(planned, scans), {
      most: maxLines,
      onRecord: service === anyService ? 'account' : 'service',
    });
  } catch (error) {
    if (error instanceof AccountError) {
      deps.log.info({ code: error.code }, 'the last scans could not be listed for a relay');
      return [richText('Recent scans could not be loaded for a preview. You can still create the relay.')];
    }
    throw error;
  }
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
