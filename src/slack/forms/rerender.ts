/**
 * Rerenders of a form after a choice in it: only the last of several choices is drawn, whichever is handled last. A
 * form that was submitted or replaced meanwhile is not redrawn, so as not to cover what is shown once: a webhook URL.
 */
import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import type { ModalView } from '../block-kit/elements.js';
import { slackErrorCode } from '../bolt/errors.js';

/** A choice in a form. `view`: the form when the choice was made. */
interface Choice {
  readonly client: WebClient;
  readonly action: { readonly action_ts: string };
  readonly inside: { readonly view: { readonly id: string; readonly hash?: string } };
}

interface RerenderState {
  /** The `action_ts` of the last choice. All have the same length, so they compare as numbers do. */
  last: string;
  /** The end of the running update: updates run one at a time. */
  turn: Promise<void>;
  /** Maps a hash to the hash that Scandesk's own update made of it: a person may choose before they see the update. */
  readonly after: Map<string, string>;
}

const maxForms = 1_000;

export function createRerenders() {
  const forms = new LRUCache<string, RerenderState>({ max: maxForms });

  function stateOf(id: string): RerenderState {
    const state = forms.get(id) ?? { last: '', turn: Promise.resolve(), after: new Map<string, string>() };
    forms.set(id, state);
    return state;
  }

  return {
    async draw({ client, action, inside }: Choice, makeView: () => Promise<ModalView>): Promise<void> {
      const { id, hash: seenHash } = inside.view;
      const state = stateOf(id);
      const chosenAt = action.action_ts;
      if (chosenAt < state.last) {
        return;
      }
      state.last = chosenAt;
      const view = await makeView();
      const updating = state.turn.then(async () => {
        if (state.last !== chosenAt) {
          return;
        }
        const hash = latestHash(state.after, seenHash);
        const now = await update(client, { view_id: id, view, ...(hash === undefined ? {} : { hash }) });
        if (hash !== undefined && now !== undefined) {
          state.after.set(hash, now);
        }
      });
      state.turn = updating.catch(() => {});
      await updating;
    },
  };
}

function latestHash(after: ReadonlyMap<string, string>, hash: string | undefined): string | undefined {
  let now = hash;
  while (now !== undefined && after.has(now)) {
    now = after.get(now);
  }
  return now;
}

/** Updates the form and returns its new hash; undefined where the form is gone or shows another view. */
async function update(
  client: WebClient,
  request: { readonly view_id: string; readonly view: ModalView; readonly hash?: string },
): Promise<string | undefined> {
  try {
    return (await client.views.update(request)).view?.hash;
  } catch (error) {
    const word = slackErrorCode(error);
    if (word === 'hash_conflict' || word === 'not_found') {
      return undefined;
    }
    throw error;
  }
}
