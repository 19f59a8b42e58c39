/**
 * The path of a new webhook URL, sealed to carry it from the modal that shows the URL to the service setup, and on to
 * further test scans. Only the person it is sealed for can unseal it, for an hour; then a new URL is made.
 */
import { z } from 'zod';
import type { ActorContext } from '../../bolt/routing/context.js';

const hourMs = 3_600_000;
const sealedShape = z.object({ path: z.string(), at: z.number() });

function sealFor({ actor: { owner, userId } }: ActorContext, relay: string) {
  return { purpose: 'relay-address', installation: owner.installation, record: `${owner.team}:${relay}:${userId}` };
}

export function sealWebhookPath(context: ActorContext, relay: string, path: string): string {
  const { deps } = context;
  return deps.store.sealer.seal(JSON.stringify({ path, at: deps.clock.now() }), sealFor(context, relay));
}

/** The webhook URL's path with its secret; undefined if `sealed` is absent, expired, or another person's. */
export function openWebhookPath(context: ActorContext, relay: string, sealed: string | undefined): string | undefined {
  if (sealed === undefined) {
    return undefined;
  }
  try {
    const { path, at } = sealedShape.parse(JSON.parse(context.deps.store.sealer.open(sealed, sealFor(context, relay))));
    return context.deps.clock.now() - at < hourMs ? path : undefined;
  } catch {
    return undefined;
  }
}
