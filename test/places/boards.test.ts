/** A list's board: what its message shows, and when it is to be updated. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPlacesMaker } from '../../src/places/index.js';
import { toPost } from '../../src/posts/outbox/post.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { setPosts } from '../helpers/outbox.js';
import { owner } from '../helpers/relay.js';
import { createMovableClock } from '../judge/clock.js';
import { createWorld, settings } from './world.js';

const minute = 60_000;
const hour = 60 * minute;
const start = Date.UTC(2026, 2, 1, 18);

onEachDatabase('a board', (databases) => {
  let store: Store;
  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
  });
  afterAll(() => store.close());

  it('a board’s message is updated once its figures differ from those shown, also when an hour passes', async () => {
    const clock = createMovableClock(start);
    const world = await createWorld(store, clock);
    await world.places.create(owner, { name: 'Hall', settings }, 'U1');
    await store.db
      .updateTable('place_lists')
      .set({ reset_at: start - 30 * hour })
      .execute();
    let id = 0;
    const pass = async (value: string, way: 'in' | 'out', before: number) => {
      id += 1;
      const scan = { id: String(id), value, way, gate: 'g1', isOfAccount: false, arrivedAt: clock.now() };
      await world.receive({ ...scan, scannedAt: clock.now() - before });
    };
    for (let n = 0; n < 28; n += 1) await pass(`P${n}`, 'in', (28 - n) * hour);
    await pass('P0', 'out', 10 * minute);
    const { id: listId } = await world.list();
    expect(await world.places.showBoard(listId, 'C0HALL', 'U1')).toBe('shown');
    expect(await world.places.showBoard(listId, 'C0HALL', 'U1')).toBe('there');
    await world.fold();

    const maker = createPlacesMaker({
      store,
      clock,
      notices: { add: async () => undefined },
      onNotices: () => undefined,
    });
    const post = async () => toPost(await store.db.selectFrom('outbox').selectAll().executeTakeFirstOrThrow());
    const isDue = async () => {
      const rows = await store.db.selectFrom('message_updates').selectAll().execute();
      return rows.some((row) => row.due_at !== null);
    };
    /** Updates the message as the worker of message updates does. @returns what it shows */
    const update = async () => {
      const shown = await maker.of(await post(), undefined);
      await store.db.updateTable('message_updates').set({ due_at: null, updated_at: clock.now() }).execute();
      return (
        shown as unknown as {
          shows: {
            figures: { inside: number; counting: boolean; peak: { inside: number } };
            course: { most: number[] };
          };
        }
      ).shows;
    };
    await setPosts(store, { state: 'delivered', ts: '1.0', finished_at: clock.now() }).execute();
    const { figures, course } = await update();
    expect(figures.inside).toBe(27);
    expect(course.most.length).toBeLessThanOrEqual(20);
    expect(Math.max(...course.most)).toBe(figures.peak.inside);
    expect(course.most.at(-1)).toBe(28);

    await world.fold();
    expect(await isDue()).toBe(false);
    await pass('P27', 'in', 0);
    await pass('P1', 'out', 0);
    await world.fold();
    expect(await isDue()).toBe(true);
    expect((await update()).figures.inside).toBe(26);
    // An hour later, the scans above are no longer of the last hour.
    clock.advance(hour + minute);
    await world.fold();
    expect(await isDue()).toBe(true);
    await update();
    clock.advance(minute);
    await world.fold();
    expect(await isDue()).toBe(false);

    // A list that counts anew says so from the beginning.
    const list = await world.list();
    await world.places.change(list.id, { name: 'Hall', settings: { ...list.settings, refused: true } });
    expect(await isDue()).toBe(true);
    expect((await update()).figures.counting).toBe(true);
    await world.fold();
    expect(await isDue()).toBe(true);
    expect((await update()).figures.counting).toBe(false);

    await world.places.erase(owner, new AbortController().signal);
    await world.fold();
    expect(await isDue()).toBe(true);
    await update();

    const [board] = await world.places.boards(await world.list());
    await world.places.removeBoard(await world.list(), board!.key);
    expect(await isDue()).toBe(true);
    expect(await maker.of(await post(), undefined)).toMatchObject({ shows: 'gone' });
  });
});
