/** The guard against double clicks in one process: a second click on a record during the first does nothing. */
import { type Owner, ownerKey } from '../../ownership.js';

declare module '../bolt/routing/context.js' {
  interface ListenerDeps {
    readonly whileIdle: WhileIdle;
  }
}

/** Runs the work on the owner's record, unless other work on it runs. */
export type WhileIdle = (owner: Owner, id: string, work: () => Promise<void>) => Promise<void>;

export function createWhileIdle(): WhileIdle {
  const busy = new Set<string>();
  return async (owner, id, work) => {
    const key = JSON.stringify([ownerKey(owner), id]);
    if (!busy.has(key)) {
      busy.add(key);
      await work().finally(() => busy.delete(key));
    }
  };
}
