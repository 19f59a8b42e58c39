/** Records a service's state before its setup changes it, so that the setup can be undone. */
import type { Service } from '../../../codereadr/types.js';
import type { Relay } from '../../../relay/index.js';
import type { ViewContext } from '../../bolt/routing/context.js';
import type { SetUp } from './record-store.js';
import { relayIn, shownAddress } from './urls.js';

/** The service to change, and `connectedAt` of the connection whose account has it. */
export interface FoundService {
  readonly service: Service;
  readonly connectedAt: number | undefined;
}

/** Records the service's state before any change. If the service posts here, the URL of its earlier record is kept. */
export async function rememberBefore(
  { deps, actor }: ViewContext,
  relay: Relay,
  { service, connectedAt }: FoundService,
  symbologies: readonly string[],
) {
  const { serviceSetups } = deps;
  const { postbackUrl } = service;
  const isHere = postbackUrl !== undefined && relayIn(postbackUrl, deps.config.PUBLIC_URL) === relay.id;
  const earlierSetUp = (await serviceSetups.list(actor.owner, relay.id)).find((each) => each.serviceId === service.id);
  // A record from another account is about another service, even with the same id.
  const sameConnection = (earlierSetUp?.connectedAt ?? connectedAt) === connectedAt ? earlierSetUp : undefined;
  const settingsBefore = isHere
    ? {
        before: sameConnection?.before,
        beforeLost: sameConnection?.beforeLost,
        beforeShown: sameConnection?.beforeShown,
      }
    : { before: postbackUrl || undefined, beforeShown: postbackUrl ? shownAddress(postbackUrl) : undefined };
  const setUp: SetUp = {
    id: service.id,
    kind: sameConnection?.kind ?? 'changed',
    serviceId: service.id,
    serviceName: service.name,
    by: actor.userId,
    at: deps.clock.now(),
    symbologies: [...symbologies],
    ...settingsBefore,
    ...(connectedAt === undefined ? {} : { connectedAt }),
  };
  await serviceSetups.add(actor.owner, relay.id, setUp);
  return {
    setUp,
    /** Restores the earlier record of the service, for a setup that changed nothing. */
    forget: () =>
      earlierSetUp
        ? serviceSetups.add(actor.owner, relay.id, earlierSetUp)
        : serviceSetups.remove(actor.owner, relay.id, setUp.id),
  };
}
