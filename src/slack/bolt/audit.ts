/** The writer of the audit log. An entry that cannot be written is logged; the change that it records stays. */
import type { AuditEntry } from '../../workspaces/types.js';
import type { BaseContext } from './routing/context.js';

/** The mark that follows the error code in an entry's outcome: the change may have been made after all. */
export const unconfirmed = 'unconfirmed';

export type Recorder = Pick<BaseContext, 'deps' | 'actor' | 'reference' | 'changes'>;

/** `detail` must hold no secrets: they are not filtered here. */
export async function record(
  { deps, actor, reference, changes }: Recorder,
  entry: Pick<AuditEntry, 'what'> & { readonly detail?: AuditEntry['detail']; readonly outcome?: string | undefined },
): Promise<void> {
  const row: AuditEntry = {
    at: deps.clock.now(),
    who: actor.userId,
    where: actor.channelId ?? 'home',
    what: entry.what,
    detail: entry.detail ?? {},
    outcome: entry.outcome ?? 'ok',
  };
  if (row.outcome === 'ok') {
    changes.add(row);
  }
  try {
    await deps.store.audit.add(actor.owner, row);
  } catch (error) {
    deps.log.error({ err: error, reference, what: entry.what }, 'an audit entry could not be written');
  }
}
