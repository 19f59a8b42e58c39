/** A store whose transactions go through `around`, which may run, delay or fail them. In the
 * test, at least one transaction has to run. */
import type { Store } from '../../src/workspaces/types.js';
import { arm } from './faults/reached.js';

export function withTransactions(store: Store, around: (run: () => Promise<unknown>) => Promise<unknown>): Store {
  let ran = false;
  const db = new Proxy(store.db, {
    get(target, name) {
      if (name === 'transaction') {
        const execute = (work: Parameters<ReturnType<typeof target.transaction>['execute']>[0]) => {
          ran = true;
          return around(() => target.transaction().execute(work));
        };
        return () => ({ execute });
      }
      const found: unknown = Reflect.get(target, name, target);
      return typeof found === 'function' ? found.bind(target) : found;
    },
  });
  arm(db, () => (ran ? [] : ['no transaction ran']));
  return { ...store, db };
}
