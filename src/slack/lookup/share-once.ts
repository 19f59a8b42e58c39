/**
 * The guard against double clicks on *Share*: a claim in the store, which holds across processes. The claim of a
 * process that died before it posted ends after a minute.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { recordStore } from '../../workspaces/record-store.js';
import type { Actor, SlackDeps } from '../bolt/routing/deps.js';

const claims = recordStore('lookup-shared', z.object({ at: z.number(), posted: z.boolean() }));

const postingMs = 60_000;

/** @param storedId the stored card, shared once in each channel; undefined: the card is shared at each click */
export async function shareOnce(
  deps: Pick<SlackDeps, 'store' | 'clock'>,
  { owner, channelId }: Actor,
  storedId: string | undefined,
  share: () => Promise<void>,
): Promise<void> {
  if (storedId === undefined) {
    return await share();
  }
  const id = createHash('sha256')
    .update(JSON.stringify([channelId, storedId]))
    .digest('base64url');
  const sharedAt = deps.clock.now();
  let isMine = false;
  await claims.update(deps, owner, id, (before) => {
    isMine = before === undefined || (!before.posted && sharedAt - before.at > postingMs);
    return isMine ? { at: sharedAt, posted: false } : before;
  });
  if (!isMine) {
    return;
  }
  try {
    await share();
  } catch (error) {
    await claims.update(deps, owner, id, () => undefined);
    throw error;
  }
  await claims.update(deps, owner, id, () => ({ at: sharedAt, posted: true }));
}
