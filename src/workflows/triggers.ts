/** Webhook triggers of a workspace's workflows: their URLs are sealed, and opened to start a workflow or to reseal. */
import { z } from 'zod';
import type { Clock } from '../clock.js';
import { readJson } from '../database/stored-json.js';
import { codeOf } from '../errors.js';
import { type Owner, ownerKey } from '../ownership.js';
import type { SealedKind } from '../workspaces/rotate-keys.js';
import type { SealContext, Store } from '../workspaces/types.js';
import { createStartWorkflow, type StartOutcome, type TriggerVariables } from './start-workflow.js';
import { hooksOrigin, triggerIdOf, triggerUrlIn } from './trigger-url.js';

export const triggerNamespace = 'workflow-triggers';
/** A stored trigger. `keptAt`: when its URL was last entered. */
const triggerSchema = z.object({ sealed: z.string(), keptAt: z.number().default(0) });
const storedShape = z.object({ value: triggerSchema.pick({ keptAt: true }) });

function sealContext({ installation, team }: Owner, id: string): SealContext {
  return { purpose: 'workflow-trigger', installation, record: `${team}:${id}` };
}

function triggerOf(key: string): { readonly owner: Owner; readonly id: string } {
  const [installation = '', team = '', id = ''] = key.split(':');
  return { owner: { installation, team }, id };
}

/** The trigger in a stored row. */
export function readTrigger(key: string, value: string) {
  return { ...triggerOf(key), ...readJson(storedShape, value, 'workflow trigger').value };
}

/** The kind of sealed record, for key rotation. */
export const sealedTriggers: SealedKind = {
  namespace: triggerNamespace,
  reseal(key, record, again) {
    const { owner, id } = triggerOf(key);
    const { sealed, keptAt } = triggerSchema.parse(record);
    return { sealed: again(sealed, sealContext(owner, id)), keptAt };
  },
};

export function createWorkflowTriggers(deps: {
  readonly store: Pick<Store, 'keyv' | 'sealer'>;
  readonly clock: Clock;
  /** The URL of Slack's Web API. */
  readonly apiUrl: string;
}) {
  const { store, clock } = deps;
  const { sealer } = store;
  const records = store.keyv<z.output<typeof triggerSchema>>(triggerNamespace);
  const origin = hooksOrigin(deps.apiUrl);
  const startWorkflow = createStartWorkflow();
  const keyOf = (owner: Owner, id: string) => `${ownerKey(owner)}:${id}`;
  const noUrl = { outcome: 'refused', code: 'workflow.no_url' } as const;

  const urlOf = async (owner: Owner, id: string): Promise<string | undefined> => {
    const stored = await records.get(keyOf(owner, id));
    try {
      return stored && triggerUrlIn(sealer.open(triggerSchema.parse(stored).sealed, sealContext(owner, id)), origin);
    } catch (error) {
      // The sealing key is gone: a person has to enter the URL again.
      if (codeOf(error) === 'store.seal_broken') {
        return undefined;
      }
      throw error;
    }
  };

  return {
    /** The id of the trigger with this URL; undefined: the text is not the URL of a trigger. Nothing is stored. */
    idOf(text: string): string | undefined {
      const url = triggerUrlIn(text, origin);
      return url === undefined ? undefined : triggerIdOf(url);
    },

    /** Seals and stores the URL, if the text is the URL of a trigger. */
    async storeUrl(owner: Owner, text: string): Promise<void> {
      const url = triggerUrlIn(text, origin);
      if (url !== undefined) {
        const id = triggerIdOf(url);
        await records.set(keyOf(owner, id), { sealed: sealer.seal(url, sealContext(owner, id)), keptAt: clock.now() });
      }
    },

    async start(owner: Owner, id: string, variables: TriggerVariables, signal: AbortSignal): Promise<StartOutcome> {
      const url = await urlOf(owner, id);
      return url === undefined ? noUrl : await startWorkflow(url, variables, signal);
    },

    /** Starts the workflow of a URL that is not stored. */
    async startByUrl(text: string, variables: TriggerVariables, signal: AbortSignal): Promise<StartOutcome> {
      const url = triggerUrlIn(text, origin);
      return url === undefined ? noUrl : await startWorkflow(url, variables, signal);
    },
  };
}

export type WorkflowTriggers = ReturnType<typeof createWorkflowTriggers>;
