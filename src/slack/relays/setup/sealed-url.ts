/**
 * A new webhook URL, sealed to carry it from the modal that showed it to the service setup. It can be unsealed for an
 * hour and only by its creator; afterwards a new URL is made.
 */
import { z } from 'zod';
import type { ActorContext } from '../../bolt/routing/context.js';

const hour = 3_600_000;
const shape = z.object({ path: z.string(), at: z.number() });

function sealFor({ actor: { owner, userId } }: ActorContext, relay: string) {
  return { purpose: 'relay-address', installation: owner.installation, record: `${owner.team}:${relay}:${userId}` };
}

export function sealAddress(context: ActorContext, relay: string, path: string): string {
  const { deps } = context;
  return deps.store.sealer.seal(JSON.stringify({ path, at: deps.clock.now() }), sealFor(context, relay));
}

/** The webhook URL's path with its secret; undefined if the sealed one expired, is another person's, or is absent. */
export function openWebhookPath(context: ActorContext, relay: string, sealed: string | undefined): string | undefined {
  if (sealed === undefined) {
    return undefined;
  }
  try {
    const { path, at } = shape.parse(JSON.parse(context.deps.store.sealer.open(sealed, sealFor(context, relay))));
    return context.deps.clock.now() - at < hour ? path : undefined;
  } catch {
    return undefined;
  }
}
