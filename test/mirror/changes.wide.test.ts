/** Changes through Scandesk while pages of the account are on their way: what was changed is never undone. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createAccountMirrors } from '../../src/mirror/tables/accounts.js';
import { createDatabaseMirrors } from '../../src/mirror/tables/databases.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { mirrorOf, type TestMirror } from '../helpers/mirror.js';
import { owner } from '../helpers/relay.js';
import { type Call, type DeskHarness, startDesk } from '../lookup/harness.js';

onEachDatabase('a change through Scandesk', (databases) => {
  let account: DeskHarness;
  let store: Store;
  let id: string;
  let mirrors: TestMirror[] = [];

  const call = async (section: string, action: string, variables: Record<string, string>) => {
    const body = new URLSearchParams({ section, action, api_key: account.apiKey, direct: '1', ...variables });
    return await (await fetch(account.apiUrl, { method: 'POST', body })).text();
  };
  /** The account's answer to a call, as of now. */
  const answerNow = async (variables: URLSearchParams) => {
    const body = new URLSearchParams([...variables, ['direct', '1']]);
    return await (await fetch(account.apiUrl, { method: 'POST', body })).text();
  };
  const add = (value: string, validity = '1') => call('databases', 'addvalue', { database_id: id, value, validity });
  const isPage = ({ variables }: Call) =>
    !variables.has('direct') && variables.has('limit') && !variables.get('valuelike');
  const note = async (section: string, action: string, input: object, more: { unconfirmed?: boolean } = {}, by = 0) =>
    mirrors[by]!.mirror.noteChange(owner, account.account, { section, action, input: { ...input }, ...more });
  const mirrorOfIt = async () =>
    (await createDatabaseMirrors(store).of(owner)).find(({ databaseId }) => databaseId === id)!;
  /** What the copy says, as of now: not as of a view that was read before. */
  const inCopy = async (value: string) => (await mirrors[0]!.mirror.values([await mirrorOfIt()], value))[0]!;
  const startMirror = async (url: string, times: object) => {
    const own = await openTestStore(url);
    const made = mirrorOf(own, account.accounts, { pageSize: 12, times: { pollMs: 10, leaseMs: 600, ...times } });
    made.mirror.start();
    mirrors.push(made);
  };
  const start = async (times: object, instances = 1) => {
    const url = await databases.fresh();
    store = await openTestStore(url);
    await store.workspaces.connect(owner, account.apiKey, { connectedBy: 'U1', connectedAt: 5 });
    await store.workspaces.change(owner, { lookupDatabases: [id] });
    for (let n = 0; n < instances; n += 1) {
      await startMirror(url, times);
    }
    await expect
      .poll(
        async () =>
          (await mirrorOfIt())?.fetchedAt !== undefined && (await createAccountMirrors(store).of(owner))?.filled,
      )
      .toBe(true);
  };
  /** Holds the next page of this operation: answered now, delivered when told. */
  const holdPage = (operation: string) => {
    let deliver = () => {};
    const delivered = new Promise<void>((resolve) => {
      deliver = resolve;
    });
    const left = new Promise<void>((resolve) => {
      let isHeld = false;
      account.onWire(async (one) => {
        if (isHeld || one.operation !== operation || !isPage(one)) {
          return undefined;
        }
        isHeld = true;
        const answer = await answerNow(one.variables);
        resolve();
        await delivered;
        return answer;
      });
    });
    return { left, deliver };
  };

  beforeEach(async () => {
    account = await startDesk({ callsPerMinute: 1_000_000 });
    id = /<id>(\d+)/.exec(await call('databases', 'create', { database_name: 'Doors' }))?.[1] ?? '';
  });
  afterEach(async () => {
    account.onWire(() => undefined);
    for (const { mirror, store: own } of mirrors) {
      await mirror.stop();
      await own.close();
    }
    mirrors = [];
    await store.close();
    await account.close();
  });

  const slow = { freshMs: 3_600_000, fullMs: 3_600_000 };

  it.each(['clear', 'upload', 'delete'])(
    'a copied value is unsure after “%s” of its whole database, until the database is read again',
    async (action) => {
      for (let n = 0; n < 40; n += 1) {
        await add(`V-${n}`);
      }
      await start(slow);
      const page = holdPage('databases/showvalues');
      await mirrors[0]!.mirror.refresh(owner, id);
      await page.left;
      await (action === 'clear' ? call('databases', 'clear', { database_id: id }) : undefined);
      await note('databases', action, { database_id: id });
      expect(await inCopy('V-1')).toMatchObject({ kind: 'unsure' });
      page.deliver();
      await expect.poll(async () => (await mirrorOfIt()).fetchedAt).toBeDefined();
      expect(await inCopy('V-1')).toMatchObject(
        action === 'clear' ? { kind: 'absent' } : { kind: 'found', valid: true },
      );
    },
  );
});
