/**
 * Owns the moment between a request and its listener: who asks, and whether they may.
 */
import { loadingView } from '../problem/loading.js';
import type { CommandContext } from '../routing/context.js';
import type { Person, Who } from './permissions.js';

/** Longer than it usually takes to ask Slack who somebody is; short enough for the trigger to live. */
const permissionPatienceMs = 900;

/**
 * Who asks, once it is known that they may. Where that takes a while and a window is to open, it opens as loading, since
 * its trigger would not live.
 * @throws SlackRoomError `slack.not_allowed`
 */
export async function admitted(
  { deps, client, asker, window }: Pick<CommandContext, 'deps' | 'client' | 'asker' | 'window'>,
  { who, opens }: { readonly who: Who; readonly opens?: string | undefined },
): Promise<Person> {
  const checking = deps.permissions.demand(client, asker, who);
  if (opens) {
    const stop = new AbortController();
    const late = deps.clock.sleep(permissionPatienceMs, stop.signal).then(
      () => true,
      () => false,
    );
    const isLate = await Promise.race([checking.then(() => false), late]).finally(() => stop.abort());
    if (isLate) {
      await window.show(loadingView(opens));
    }
  }
  return await checking;
}
