/**
 * Owns the record of what people change through Slack. What cannot be recorded is logged; it does not undo the change.
 */
import type { AuditEntry } from '../../workspaces/types.js';
import type { BaseContext } from './routing/context.js';

/** Stands behind the code of an outcome where the change may have been made all the same. */
export const unconfirmed = 'unconfirmed';

/** Whoever changes something. */
export type Recorder = Pick<BaseContext, 'deps' | 'asker' | 'reference' | 'changes'>;

/** `detail`: without secrets; nothing here looks for them. */
export async function record(
  { deps, asker, reference, changes }: Recorder,
  entry: Pick<AuditEntry, 'what'> & { readonly detail?: AuditEntry['detail']; readonly outcome?: string | undefined },
): Promise<void> {
  const row: AuditEntry = {
    at: deps.clock.now(),
    who: asker.userId,
    where: asker.channelId ?? 'home',
    what: entry.what,
    detail: entry.detail ?? {},
    outcome: entry.outcome ?? 'ok',
  };
  if (row.outcome === 'ok') {
    changes.add(row);
  }
  try {
    await deps.store.audit.add(asker.owner, row);
  } catch (error) {
    deps.log.error({ err: error, reference, what: entry.what }, 'a change could not be put on record');
  }
}
