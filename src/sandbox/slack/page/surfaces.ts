/**
 * The surfaces (message, modal, Home tab) as the renderers see them: each sends the person's actions to the workspace.
 */
import type { Container } from '../api.js';
import { type Client, RequestFailed } from './client.js';
import type { Directory, Surface } from './context.js';
import type { FormState } from './form-state.js';
import { confirmDialog } from './shell/confirm.js';
import { actionFailed } from './shell/error-messages.js';

export type SurfaceOf = (kind: Surface['kind'], container: Container, form: FormState) => Surface;

export function createSurfaces(deps: {
  readonly client: Client;
  directory(): Directory;
  /** The open channel. */
  channel(): string | undefined;
  /** Tells whether a click in a modal is waiting for the app's acknowledgement. */
  busy(is: boolean): void;
  say(text: string): void;
}): SurfaceOf {
  const { client, say } = deps;
  return (kind, container, form) => ({
    kind,
    directory: deps.directory(),
    form,
    channel: deps.channel(),
    async act(blockId, actionId, action) {
      if (kind === 'modal') deps.busy(true);
      try {
        const values = form.values();
        const result = await client.act({ container, block_id: blockId, action_id: actionId, chosen: action, values });
        if (!result.ok) say(actionFailed(result.error ?? 'unknown'));
      } catch (error) {
        const refused = error instanceof RequestFailed && error.code !== 'unreachable';
        say(refused ? error.message : actionFailed(error instanceof RequestFailed ? error.code : 'unknown'));
      } finally {
        if (kind === 'modal') deps.busy(false);
      }
    },
    ask: (blockId, actionId, typedText) => client.options(container, blockId, actionId, typedText),
    upload: (file) => client.upload(file),
    confirm: (question) => confirmDialog(question, deps.directory()),
  });
}
