/** A store whose transactions go through `around`, which may let them run, delay them or fail them. */
import type { Store } from '../../src/workspaces/types.js';

export function withTransactions(store: Store, around: (run: () => Promise<unknown>) => Promise<unknown>): Store {
  const db = new Proxy(store.db, {
    get(target, name) {
      if (name === 'transaction') {
        const execute = (work: Parameters<ReturnType<typeof target.transaction>['execute']>[0]) =>
          around(() => target.transaction().execute(work));
        return () => ({ execute });
      }
      const found: unknown = Reflect.get(target, name, target);
      return typeof found === 'function' ? found.bind(target) : found;
    },
  });
  return { ...store, db };
}
