import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';

onEachDatabase('the audit', ({ fresh }) => {
  let store: Store;
  let now = 1_795_276_351_000;
  const owner = { installation: 'E1', team: 'T1' };
  const entry = (at: number, detail: Record<string, unknown> = {}) => ({
    at,
    who: 'U1',
    where: 'C1',
    what: 'services/update',
    detail,
    outcome: 'ok',
  });

  beforeAll(async () => {
    store = await openTestStore(await fresh(), { clock: { ...systemClock, now: () => now } });
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    await store.db.deleteFrom('audit').execute();
  });

  const times = async (page: { limit: number; before?: string }) =>
    (await store.audit.list(owner, page)).map(({ at }) => at);

  it('the audit log stores entries unchanged', async () => {
    const detail = { name: 'Gate "A"\0', nested: { ids: ['007'] }, gone: null, half: '\ud83d' };
    await store.audit.add(owner, entry(5, detail));
    expect(await store.audit.list(owner, { limit: 10 })).toEqual([{ ...entry(5, detail), id: expect.any(String) }]);
  });

  it('the audit log can be filtered by person, and by section', async () => {
    const rows = [
      { ...entry(1), who: 'U1', what: 'scans/delete' },
      { ...entry(2), who: 'U2', what: 'scan_properties/create' },
      { ...entry(3), who: 'U1', what: 'relay/pause' },
      { ...entry(4), who: 'U2', what: 'scans' },
    ];
    for (const row of rows) {
      await store.audit.add(owner, row);
    }
    const shown = async (filter: { who?: string; sections?: readonly string[] }) =>
      (await store.audit.list(owner, { limit: 10, ...filter })).map(({ at }) => at);
    expect(await shown({ who: 'U1' })).toEqual([3, 1]);
    expect(await shown({ sections: ['scans', 'scan_properties'] })).toEqual([2, 1]);
    expect(await shown({ who: 'U2', sections: ['scans', 'relay'] })).toEqual([]);
    expect(await shown({})).toEqual([4, 3, 2, 1]);
  });

  it('the audit log is read newest first, page after page, also within one millisecond', async () => {
    for (let at = 1; at <= 25; at++) {
      now += at % 3 === 0 ? 1 : 0;
      await store.audit.add(owner, entry(at));
    }
    const seen: number[] = [];
    let before: string | undefined;
    for (;;) {
      const page = await store.audit.list(owner, { limit: 10, ...(before ? { before } : {}) });
      if (page.length === 0) {
        break;
      }
      seen.push(...page.map(({ at }) => at));
      before = page.at(-1)?.id;
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => 25 - n));
  });

  it('the audit log of a workspace shows its own entries only', async () => {
    await store.audit.add(owner, entry(1));
    await store.audit.add({ installation: 'E1', team: 'T2' }, entry(2));
    await store.audit.add({ installation: 'E2', team: 'T1' }, entry(3));
    expect(await times({ limit: 10 })).toEqual([1]);
  });

  it('the audit log deletes entries past their days, however many there are', async () => {
    const rows = Array.from({ length: 2_300 }, (_, n) => ({
      id: `a${String(n).padStart(5, '0')}`,
      ...owner,
      ...entry(n),
      detail: '{}',
    }));
    for (let at = 0; at < rows.length; at += 500) {
      await store.db
        .insertInto('audit')
        .values(rows.slice(at, at + 500))
        .execute();
    }
    expect(await store.audit.prune(2_298)).toBe(2_298);
    expect(await times({ limit: 10 })).toEqual([2_299, 2_298]);
    expect(await store.audit.prune(2_298)).toBe(0);
  });

  it('the audit log reports an entry that it cannot read', async () => {
    await store.audit.add(owner, entry(1));
    await store.db.updateTable('audit').set({ detail: '{"half' }).execute();
    await expect(store.audit.list(owner, { limit: 1 })).rejects.toMatchObject({ code: 'store.record_broken' });
    await store.db.updateTable('audit').set({ detail: '[1]' }).execute();
    await expect(store.audit.list(owner, { limit: 1 })).rejects.toMatchObject({ code: 'store.record_broken' });
  });
});
