/**
 * Rerenders of a form after a choice in it: only the last of several choices is drawn, whichever is handled last. A
 * form that was submitted or replaced meanwhile is not redrawn, so as not to cover what is shown once: a webhook URL.
 * What was entered in a field that a choice hides is there again once the field is.
 */
import type { ViewOutput } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import { blockNamed } from '../block-kit/block-names.js';
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
  lastAt: string;
  /** The end of the running update: updates run one at a time. */
  updating: Promise<void>;
  /** Maps a hash to the hash that Scandesk's own update made of it: a person may choose before they see the update. */
  readonly nextHashes: Map<string, string>;
  /** What was last entered in each input that can be drawn with it again. */
  entered: StateValues;
}

type StateValues = ViewOutput['state']['values'];

const maxForms = 1_000;

export function createRerenders() {
  const forms = new LRUCache<string, RerenderState>({ max: maxForms });

  function stateOf(id: string): RerenderState {
    const state = forms.get(id) ?? {
      lastAt: '',
      updating: Promise.resolve(),
      nextHashes: new Map<string, string>(),
      entered: {},
    };
    forms.set(id, state);
    return state;
  }

  return {
    /**
     * The state of a form's inputs, with what was entered in those that a choice hid, which Slack drops. It is kept in
     * this process alone: a form's metadata is too short for texts, and holds no secrets.
     */
    remembered({ id, state: { values } }: ViewOutput): Pick<ViewOutput, 'state'> {
      const state = stateOf(id);
      // What is in the form comes first: of a varying block, the newest is read, and only that is kept.
      state.entered = { ...values, ...state.entered, ...values };
      const isShown = (name = '') => blockNamed(Object.keys(values), name) !== undefined;
      const isKept = (block: string, inputs: StateValues[string]) =>
        block in values ||
        !(isShown(block.split('~')[0]) || Object.values(inputs).some(({ type }) => type === 'file_input'));
      state.entered = Object.fromEntries(
        Object.entries(state.entered).filter(([block, inputs]) => isKept(block, inputs)),
      );
      return { state: { values: state.entered } };
    },

    /** Forgets what was entered in inputs that are hidden: the form was saved, or a part of it was removed. */
    forget(id: string): void {
      stateOf(id).entered = {};
    },

    async draw({ client, action, inside }: Choice, makeView: () => Promise<ModalView>): Promise<void> {
      const { id, hash: seenHash } = inside.view;
      const state = stateOf(id);
      const chosenAt = action.action_ts;
      if (chosenAt < state.lastAt) {
        return;
      }
      state.lastAt = chosenAt;
      const view = await makeView();
      const thisUpdate = state.updating.then(async () => {
        if (state.lastAt !== chosenAt) {
          return;
        }
        const hash = latestHash(state.nextHashes, seenHash);
        const newHash = await update(client, { view_id: id, view, ...(hash === undefined ? {} : { hash }) });
        if (hash !== undefined && newHash !== undefined) {
          state.nextHashes.set(hash, newHash);
        }
      });
      state.updating = thisUpdate.catch(() => {});
      await thisUpdate;
    },
  };
}

function latestHash(nextHashes: ReadonlyMap<string, string>, hash: string | undefined): string | undefined {
  let latest = hash;
  while (latest !== undefined && nextHashes.has(latest)) {
    latest = nextHashes.get(latest);
  }
  return latest;
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
