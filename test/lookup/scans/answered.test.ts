/** The scans of several spellings, each as the account answered for it: one list, that says how far it reaches. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.js';
import type { RecordedScan } from '../../../src/codereadr/types.js';
import { createHistories } from '../../../src/lookup/scans/histories.js';
import { createScans } from '../../../src/scans/index.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { owner } from '../../helpers/relay.js';

const noon = Date.UTC(2026, 2, 1, 12);
const nobody = { id: '', name: '' };
const names = ['Case-1', 'case-1', 'CASE-1', 'cASE-1'];

const scan = (value: string, at: number, id = `${value} ${at}`): RecordedScan => ({
  ...{ id, value, status: 'valid', result: '', device: nobody, service: nobody, user: nobody },
  ...{ timestamp: new Date(noon + at * 1_000).toISOString().slice(0, 19).replace('T', ' ') },
  ...{ answers: [], properties: [] },
});

onEachDatabase('the account’s answers for several spellings', ({ fresh }) => {
  let store: Store;
  beforeAll(async () => {
    store = await openTestStore(await fresh());
  });
  afterAll(() => store.close());

  const answered = async (
    readings: readonly (
      | { readonly scans: readonly RecordedScan[]; readonly complete: boolean; readonly total?: number }
      | undefined
    )[],
  ) => {
    const histories = createHistories({ clock: systemClock, scans: createScans(store.db) });
    const subject = { owner, account: {} as never, value: names[0]!, spellings: names.slice(0, readings.length) };
    return await histories.answered(subject, readings, 50, {});
  };
  const ids = ({ scans }: { readonly scans: readonly { readonly id?: string | undefined }[] }) =>
    scans.map(({ id }) => id);

  it('the account’s scans of several spellings are one list, newest first, each scan once', async () => {
    const [first, second] = [
      [scan(names[0]!, 9), scan(names[0]!, 5)],
      [scan(names[1]!, 7), scan(names[1]!, 1)],
    ];
    const list = await answered([
      // An account that ignores case finds a scan under each spelling.
      { scans: [first[0]!, second[0]!, first[1]!, second[1]!], complete: true },
      { scans: [first[0]!, second[0]!, first[1]!, second[1]!], complete: true },
    ]);
    expect(ids(list)).toEqual(['Case-1 9', 'case-1 7', 'Case-1 5', 'case-1 1']);
    expect(list).toMatchObject({ complete: true });
  });

  it('the account’s scans of several spellings go back only as far as every spelling’s list does', async () => {
    const whole = { scans: [scan(names[1]!, 7), scan(names[1]!, 1)], complete: true };
    const list = await answered([{ scans: [scan(names[0]!, 9), scan(names[0]!, 5)], complete: false }, whole]);
    expect(ids(list)).toEqual(['Case-1 9', 'case-1 7', 'Case-1 5']);
    expect(list.complete).toBe(false);
    expect(list.total).toBeUndefined();
    const counted = await answered([{ scans: [scan(names[0]!, 9)], complete: false, total: 30 }, whole]);
    expect(counted.total).toBe(32);
  });

  it('the account’s scans of several spellings omit only scans that are older than the whole list', async () => {
    const times = fc
      .uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 12 })
      .map((all) => all.sort((a, b) => b - a));
    const answers = fc.array(fc.record({ times, read: fc.integer({ min: 1, max: 12 }) }), {
      ...{ minLength: 2, maxLength: 4 },
    });
    await fc.assert(
      fc.asyncProperty(answers, async (spellings) => {
        const list = await answered(
          spellings.map(({ times: all, read }, n) => ({
            scans: all.slice(0, read).map((at) => scan(names[n]!, at)),
            complete: read >= all.length,
          })),
        );
        const everything = spellings.flatMap(({ times: all }, n) => all.map((at) => ({ id: `${names[n]} ${at}`, at })));
        const oldest = Math.min(...list.scans.map(({ at }) => (at! - noon) / 1_000));
        const missing = everything.filter(({ id }) => !ids(list).includes(id));
        expect(missing.every(({ at }) => at <= oldest)).toBe(true);
        expect(list.complete).toBe(spellings.every(({ times: all, read }) => read >= all.length));
        expect(!list.complete || missing.length === 0).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('the account’s scans of several spellings are listed even if the call for one spelling failed', async () => {
    expect(ids(await answered([undefined, { scans: [scan(names[1]!, 7)], complete: true }]))).toEqual(['case-1 7']);
  });
});
