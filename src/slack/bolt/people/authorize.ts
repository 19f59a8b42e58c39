/** The permission check before a listener runs. */
import { loadingView } from '../problem/loading.js';
import type { CommandContext } from '../routing/context.js';
import type { Person, RequiredRole } from './permissions.js';

/** Longer than Slack usually takes to say who somebody is; short enough for the trigger to live. */
const permissionPatienceMs = 900;

/**
 * Resolves to the person once they are allowed. If the check is slow, a loading modal opens first: the trigger
 * would expire otherwise.
 * @throws SlackError `slack.not_allowed`
 */
export async function authorize(
  { deps, client, actor, modal }: Pick<CommandContext, 'deps' | 'client' | 'actor' | 'modal'>,
  { role, modalTitle }: { readonly role: RequiredRole; readonly modalTitle?: string | undefined },
): Promise<Person> {
  const checking = deps.permissions.require(client, actor, role);
  if (modalTitle) {
    const stop = new AbortController();
    const late = deps.clock.sleep(permissionPatienceMs, stop.signal).then(
      () => true,
      () => false,
    );
    const isLate = await Promise.race([checking.then(() => false), late]).finally(() => stop.abort());
    if (isLate) {
      await modal.show(loadingView(modalTitle));
    }
  }
  return await checking;
}
