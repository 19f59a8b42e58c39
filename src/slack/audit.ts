/**
 * Owns the record of what people change through Slack. What cannot be recorded is logged; it does not undo the change.
 */
import type { AuditEntry } from '../store/types.js';
import type { BaseContext } from './context.js';

/** `detail`: without secrets; nothing here looks for them. */
export async function record(
  { deps, asker, reference }: Pick<BaseContext, 'deps' | 'asker' | 'reference'>,
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
  try {
    await deps.store.audit.add(asker.owner, row);
  } catch (error) {
    deps.log.error({ err: error, reference, what: entry.what }, 'a change could not be put on record');
  }
}
