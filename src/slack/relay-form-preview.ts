/**
 * Owns what the form of a relay shows of the last 100 scans: which of them it would have posted as the form stands. For a relay
 * that is there, of those it took; for a new one, of those on the account's record, which are asked for once a minute at most.
 */
import { AccountError, type Service } from '../account/types.js';
import { lastScans, type SeenScan } from '../desk/index.js';
import { type Owner, ownerKey } from '../ownership.js';
import { previewedScans, type Relay, type ScanOnRecord } from '../relay/index.js';
import type { Block } from './blocks/kit.js';
import { accountOf } from './connection.js';
import type { BaseContext } from './context.js';
import type { SlackDeps } from './deps.js';
import { anyService, type RelayChoice, severalServices } from './relay-notes.js';
import { saying } from './relay-settings/inputs.js';
import { previewBlocks } from './relay-settings/preview-blocks.js';

type Asking = Pick<BaseContext, 'deps' | 'asker'>;

const shownHere = 10;

/** Which services a relay is for, as the form says it. */
export function serviceIdsOf(service: string, relay?: Pick<Relay, 'serviceIds'>): readonly string[] {
  if (service === severalServices) {
    return relay?.serviceIds ?? [];
  }
  return service === anyService ? [] : [service];
}

/** What a relay that is there would have posted, had it been so. */
export async function previewOfChange(
  { deps }: Asking,
  relay: Relay,
  { service, channel, notable }: Partial<RelayChoice>,
): Promise<Block[]> {
  const changed: Relay = {
    ...relay,
    ...(service === undefined ? {} : { serviceIds: serviceIdsOf(service, relay) }),
    ...(channel === undefined ? {} : { channel }),
    ...(notable === undefined ? {} : { notable }),
  };
  return previewBlocks(await deps.relayRoom.insight.preview(changed, relay.settings), { most: shownHere });
}

/**
 * What a new relay would have posted. Nothing is asked before a service and a channel are chosen.
 * @param services the account's, where it tells them
 */
export async function previewOfNew(
  context: Asking,
  { service, channel, notable = 'all' }: Partial<RelayChoice>,
  services: readonly Service[] = [],
): Promise<Block[]> {
  if (service === undefined || channel === undefined) {
    return [saying('Choose a service and a channel, and you see here which of its last scans would have been posted.')];
  }
  const { deps, asker } = context;
  try {
    const recorded = await deps.relayRoom.recorded.last(asker.owner, service === anyService ? undefined : service);
    const scans = asSent(recorded, services);
    const planned = { owner: asker.owner, serviceIds: serviceIdsOf(service), channel, notable };
    return previewBlocks(await deps.relayRoom.insight.previewNew(planned, scans), {
      most: shownHere,
      onRecord: service === anyService ? 'account' : 'service',
    });
  } catch (error) {
    if (error instanceof AccountError) {
      deps.log.info({ code: error.code }, 'the last scans could not be listed for a relay');
      return [saying('The account could not tell its last scans just now. The relay can be made all the same.')];
    }
    throw error;
  }
}

/** A service that asks whoever it posts to tells no result of its own. */
function asSent(recorded: readonly SeenScan[], services: readonly Service[]): readonly ScanOnRecord[] {
  const asking = new Set(services.filter((each) => each.validationMethod === 'postback').map(({ id }) => id));
  return recorded.map(({ value, service, status, result, at = 0 }): ScanOnRecord => {
    const given = asking.has(service.id) ? undefined : statuses[status];
    return { value, serviceId: service.id, text: result, at, ...(given === undefined ? {} : { given }) };
  });
}

const statuses: Readonly<Partial<Record<SeenScan['status'], string>>> = {
  valid: '1',
  invalid: '0',
  not_validated: '-1',
};

export interface RecordedScans {
  /** The account's newest scans, of one service or of all. @throws AccountError */
  last(owner: Owner, serviceId: string | undefined): Promise<readonly SeenScan[]>;
}

const keptMs = 60_000;
const keptAtMost = 200;

/** A form is drawn again with each choice in it: the account is asked once. */
export function createRecordedScans(deps: Pick<SlackDeps, 'store' | 'accounts' | 'clock'>): RecordedScans {
  const kept = new Map<string, { readonly until: number; readonly scans: Promise<readonly SeenScan[]> }>();
  return {
    last(owner, serviceId) {
      const key = JSON.stringify([ownerKey(owner), serviceId]);
      const now = deps.clock.now();
      const known = kept.get(key);
      if (known && known.until > now) {
        return known.scans;
      }
      if (kept.size >= keptAtMost) {
        kept.clear();
      }
      const scans = accountOf(deps, owner).then((account) => lastScans(account, { serviceId }, previewedScans));
      kept.set(key, { until: now + keptMs, scans });
      scans.catch(() => kept.delete(key));
      return scans;
    },
  };
}
