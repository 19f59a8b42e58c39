/** What the blocks of a message, a modal or the app's home can do: each surface acts in the person's name at the workspace. */
import type { Container } from '../api.js';
import { type Client, RequestFailed } from './client.js';
import type { Directory, Surface } from './context.js';
import type { FormState } from './form-state.js';
import { confirmDialog } from './shell/confirm.js';
import { actionFailed } from './shell/words.js';

export type SurfaceOf = (kind: Surface['kind'], container: Container, form: FormState) => Surface;

export function createSurfaces(deps: {
  readonly client: Client;
  directory(): Directory;
  /** The channel that is open. */
  channel(): string | undefined;
  /** A click in a modal waits for the app's word. */
  busy(is: boolean): void;
  say(text: string): void;
}): SurfaceOf {
  const { client, say } = deps;
  return (kind, container, form) => ({
    kind,
    directory: deps.directory(),
    form,
    channel: deps.channel(),
    async act(blockId, actionId, chosen) {
      if (kind === 'modal') deps.busy(true);
      try {
        const values = form.values();
        const result = await client.act({ container, block_id: blockId, action_id: actionId, chosen, values });
        if (!result.ok) say(actionFailed(result.error ?? 'unknown'));
      } catch (error) {
        const refused = error instanceof RequestFailed && error.code !== 'unreachable';
        say(refused ? error.message : actionFailed(error instanceof RequestFailed ? error.code : 'unknown'));
      } finally {
        if (kind === 'modal') deps.busy(false);
      }
    },
    ask: (blockId, actionId, typed) => client.options(container, blockId, actionId, typed),
    upload: (file) => client.upload(file),
    confirm: (question) => confirmDialog(question, deps.directory()),
  });
}
