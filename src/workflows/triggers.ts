/** Webhook triggers of a workspace's workflows: their URLs, sealed, which are read only to start a workflow. */
import { z } from 'zod';
import { codeOf } from '../errors.js';
import { type Owner, ownerKey } from '../ownership.js';
import type { SealedKind } from '../workspaces/rotate-keys.js';
import type { SealContext, Store } from '../workspaces/types.js';
import { createStartWorkflow, type StartOutcome, type TriggerVariables } from './start-workflow.js';
import { hooksOrigin, triggerIdOf, triggerUrlIn } from './trigger-url.js';

export interface WorkflowTriggers {
  /** The trigger's id; undefined: the text is not the URL of one. Nothing is stored. */
  idOf(text: string): string | undefined;
  /** Seals and stores the URL, if it is one. */
  keep(owner: Owner, text: string): Promise<void>;
  start(owner: Owner, id: string, variables: TriggerVariables, signal: AbortSignal): Promise<StartOutcome>;
  /** Starts the workflow of a URL that is not stored. */
  startBy(text: string, variables: TriggerVariables, signal: AbortSignal): Promise<StartOutcome>;
}

const namespace = 'workflow-triggers';
const shape = z.object({ sealed: z.string() });

function boundTo({ installation, team }: Owner, id: string): SealContext {
  return { purpose: 'workflow-trigger', installation, record: `${team}:${id}` };
}

/** For key rotation. */
export const sealedTriggers: SealedKind = {
  namespace,
  reseal(key, record, again) {
    const [installation = '', team = '', id = ''] = key.split(':');
    return { sealed: again(shape.parse(record).sealed, boundTo({ installation, team }, id)) };
  },
};

export function createWorkflowTriggers(deps: {
  readonly store: Pick<Store, 'keyv' | 'sealer'>;
  /** Of Slack's Web API. */
  readonly apiUrl: string;
}): WorkflowTriggers {
  const { sealer } = deps.store;
  const records = deps.store.keyv<z.output<typeof shape>>(namespace);
  const origin = hooksOrigin(deps.apiUrl);
  const startWorkflow = createStartWorkflow();
  const keyOf = (owner: Owner, id: string) => `${ownerKey(owner)}:${id}`;
  const unknown = { outcome: 'refused', code: 'workflow.no_url' } as const;

  const urlOf = async (owner: Owner, id: string): Promise<string | undefined> => {
    const stored = await records.get(keyOf(owner, id));
    try {
      return stored && triggerUrlIn(sealer.open(shape.parse(stored).sealed, boundTo(owner, id)), origin);
    } catch (error) {
      // Its key is gone: a person has to enter the URL again.
      if (codeOf(error) === 'store.seal_broken') {
        return undefined;
      }
      throw error;
    }
  };

  return {
    idOf(text) {
      const url = triggerUrlIn(text, origin);
      return url === undefined ? undefined : triggerIdOf(url);
    },

    async keep(owner, text) {
      const url = triggerUrlIn(text, origin);
      if (url !== undefined) {
        const id = triggerIdOf(url);
        await records.set(keyOf(owner, id), { sealed: sealer.seal(url, boundTo(owner, id)) });
      }
    },

    async start(owner, id, variables, signal) {
      const url = await urlOf(owner, id);
      return url === undefined ? unknown : await startWorkflow(url, variables, signal);
    },

    async startBy(text, variables, signal) {
      const url = triggerUrlIn(text, origin);
      return url === undefined ? unknown : await startWorkflow(url, variables, signal);
    },
  };
}
