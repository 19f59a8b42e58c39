/**
 * Keyv's requirements for a storage: the cases of `@keyv/test-suite` (github.com/jaredwray/keyv, MIT), rewritten
 * because that package depends on a database that compiles on install. Time is vitest's fake Date; nothing waits.
 */
import { Keyv, type KeyvStoreAdapter } from 'keyv';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

/** @param makeStore returns a new adapter over the same storage each time */
export function keyvStorageSuite(makeStore: () => KeyvStoreAdapter): void {
  const open = (namespace?: string) => new Keyv({ store: makeStore(), ...(namespace ? { namespace } : {}) });

  beforeEach(async () => {
    await Promise.all([open().clear(), open('keyv1').clear(), open('keyv2').clear()]);
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const pass = (ms: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  };

  async function entriesOf(keyv: Keyv): Promise<[string, unknown][]> {
    const entries: [string, unknown][] = [];
    for await (const entry of keyv.iterator?.(undefined) ?? []) {
      entries.push(entry as [string, unknown]);
    }
    return entries.sort(([a], [b]) => (a < b ? -1 : 1));
  }

  describe('Keyv’s operations', () => {
    it('Keyv’s operations return promises', async () => {
      const keyv = open();
      const answers = [keyv.set('foo', 'bar'), keyv.get('foo'), keyv.has('foo'), keyv.delete('foo'), keyv.clear()];
      expect(answers.every((answer) => answer instanceof Promise)).toBe(true);
      await Promise.all(answers);
    });

    it('Keyv’s set returns true, and the value is stored', async () => {
      const keyv = open();
      expect(await keyv.set('foo', 'bar')).toBe(true);
      expect(await keyv.get('foo')).toBe('bar');
    });

    it('Keyv’s set replaces the value and its time to live', async () => {
      const keyv = open();
      await keyv.set('foo', 'bar', 1000);
      await keyv.set('foo', 'baz');
      pass(1001);
      expect(await keyv.get('foo')).toBe('baz');
    });

    it('a Keyv value with a time to live is gone after that time', async () => {
      const keyv = open();
      await keyv.set('foo', 'bar', 1000);
      expect(await keyv.get('foo')).toBe('bar');
      expect(await keyv.has('foo')).toBe(true);
      pass(1001);
      expect(await keyv.get('foo')).toBeUndefined();
      expect(await keyv.has('foo')).toBe(false);
    });

    it('an unknown Keyv key has no value', async () => {
      expect(await open().get('foo')).toBeUndefined();
    });

    it('several Keyv keys are read at once, in the requested order', async () => {
      const keyv = open();
      await keyv.set('foo', 'bar', 3000);
      await keyv.set('foo1', 'bar1', 3000);
      await keyv.set('foo2', 'bar2', 3000);
      expect(await keyv.get(['foo2', 'foo', 'foo1', 'foo'])).toEqual(['bar2', 'bar', 'bar1', 'bar']);
    });

    it('several Keyv keys are read at once, unknown and expired keys among them', async () => {
      const keyv = open();
      await keyv.set('foo', 'bar');
      await keyv.set('foo1', 'bar1', 1);
      await keyv.set('foo2', 'bar2');
      pass(30);
      expect(await keyv.get(['foo', 'foo1', 'foo2', 'foo3'])).toEqual(['bar', undefined, 'bar2', undefined]);
    });

    it('several unknown Keyv keys, and an empty list of keys, have no values', async () => {
      const keyv = open();
      expect(await keyv.get(['foo', 'foo1', 'foo2'])).toEqual([undefined, undefined, undefined]);
      expect(await keyv.get([])).toEqual([]);
    });

    it('several Keyv values are set at once, each with its own time to live', async () => {
      const keyv = open();
      const set = await keyv.setMany([
        { key: 'foo', value: 'bar' },
        { key: 'foo1', value: 'bar1', ttl: 1000 },
        { key: 'foo', value: 'again' },
      ]);
      expect(set).toEqual([true, true, true]);
      expect(await keyv.get(['foo', 'foo1'])).toEqual(['again', 'bar1']);
      pass(1001);
      expect(await keyv.get(['foo', 'foo1'])).toEqual(['again', undefined]);
      expect(await keyv.setMany([])).toEqual([]);
    });

    it('Keyv’s delete returns whether the key existed', async () => {
      const keyv = open();
      expect(await keyv.delete('foo')).toBe(false);
      await keyv.set('foo', 'bar');
      expect(await keyv.delete('foo')).toBe(true);
      expect(await keyv.get('foo')).toBeUndefined();
      expect(await keyv.delete('foo')).toBe(false);
    });

    it('several Keyv keys are deleted at once', async () => {
      const keyv = open();
      expect(await keyv.delete(['foo', 'foo1', 'foo2'])).toBe(false);
      await keyv.set('foo', 'bar');
      await keyv.set('foo1', 'bar1');
      await keyv.set('foo2', 'bar2');
      expect(await keyv.delete(['foo', 'foo1'])).toBe(true);
      expect(await keyv.get(['foo', 'foo1', 'foo2'])).toEqual([undefined, undefined, 'bar2']);
      expect(await keyv.delete([])).toBe(false);
    });

    it('Keyv’s clear removes every key, and returns nothing', async () => {
      const keyv = open();
      expect(await keyv.clear()).toBeUndefined();
      await keyv.set('foo', 'bar');
      await keyv.set('fizz', 'buzz');
      expect(await keyv.clear()).toBeUndefined();
      expect(await keyv.get(['foo', 'fizz'])).toEqual([undefined, undefined]);
    });

    it('Keyv’s has answers for one key or for several keys', async () => {
      const keyv = open();
      await keyv.set('foo', 'bar');
      expect(await keyv.has('foo')).toBe(true);
      expect(await keyv.has('fizz')).toBe(false);
      expect(await keyv.has(['fizz', 'foo', 'foo'])).toEqual([false, true, true]);
      expect(await keyv.has([])).toEqual([]);
    });

    it('Keyv’s disconnect resolves', async () => {
      await expect(open().disconnect()).resolves.toBeUndefined();
    });
  });

  describe('Keyv’s values', () => {
    it.each<[string, unknown]>([
      ['false', false],
      ['null', null],
      ['undefined', undefined],
      ['zero', 0],
      ['a string', 'bar'],
      ['an empty string', ''],
      ['a string that begins with a colon', ':base64:bar'],
      ['an object', { fizz: 'buzz' }],
      ['bytes', Buffer.from('bar')],
      ['an object with bytes in it', { buff: Buffer.from('buzz') }],
      ['one quotation mark', '"'],
      ['one apostrophe', "'"],
      ['two apostrophes', "''"],
      ['a NUL', 'a\0b'],
      ['half a surrogate pair', 'a\ud83d'],
    ])('a Keyv value can be %s', async (_what, value) => {
      const keyv = open();
      await keyv.set('foo', value);
      expect(await keyv.get('foo')).toEqual(value);
    });

    it('a Keyv value can be a huge integer with a serializer that supports it', async () => {
      const keyv = new Keyv({
        store: makeStore(),
        serialize: (data) => JSON.stringify({ ...data, value: String(data.value) }),
        deserialize: (text) => {
          const data = JSON.parse(text);
          return { ...data, value: BigInt(data.value) };
        },
      });
      await keyv.set('foo', 9_223_372_036_854_775_807n);
      expect(await keyv.get('foo')).toBe(9_223_372_036_854_775_807n);
    });

    it('a Keyv value cannot be a symbol', async () => {
      const keyv = open();
      await expect(keyv.set('foo', Symbol('value'))).rejects.toThrow('symbol cannot be serialized');
    });

    it.each(["'", '"', '%', '_', 'a:b', 'ü', 'a\\b', '1'])('a Keyv key can be %s', async (key) => {
      const keyv = open();
      await keyv.set(key, 'value');
      await keyv.set(`${key}x`, 'other');
      expect(await keyv.get(key)).toBe('value');
    });
  });

  describe('Keyv’s namespaces', () => {
    it('each Keyv namespace has its own values', async () => {
      const [one, two] = [open('keyv1'), open('keyv2')];
      await one.set('foo', 'keyv1');
      await two.set('foo', 'keyv2');
      expect(await one.get('foo')).toBe('keyv1');
      expect(await two.get('foo')).toBe('keyv2');
    });

    it('a Keyv delete affects its own namespace only', async () => {
      const [one, two] = [open('keyv1'), open('keyv2')];
      await one.set('foo', 'keyv1');
      await two.set('foo', 'keyv2');
      expect(await one.delete('foo')).toBe(true);
      expect(await one.get('foo')).toBeUndefined();
      expect(await two.get('foo')).toBe('keyv2');
    });

    it('a Keyv clear affects its own namespace only', async () => {
      const [one, two] = [open('keyv1'), open('keyv2')];
      for (const keyv of [one, two]) {
        await keyv.set('foo', 1);
        await keyv.set('bar', 2);
      }
      await one.clear();
      expect(await one.get(['foo', 'bar'])).toEqual([undefined, undefined]);
      expect(await two.get(['foo', 'bar'])).toEqual([1, 2]);
    });

    it('a Keyv namespace can be set on the storage', () => {
      const store = makeStore();
      expect(store.namespace).toBeUndefined();
      store.namespace = 'keyv1';
      expect(store.namespace).toBe('keyv1');
    });
  });

  describe('Keyv’s iterator', () => {
    it('Keyv’s iterator is asynchronous', () => {
      expect(typeof open().iterator?.(undefined)[Symbol.asyncIterator]).toBe('function');
    });

    it('Keyv’s iterator yields every value once, page after page', async () => {
      const keyv = open();
      const entries = Array.from({ length: 250 }, (_, n) => ({ key: `key ${n}`, value: n }));
      await keyv.setMany(entries);
      expect(new Map(await entriesOf(keyv))).toEqual(new Map(entries.map(({ key, value }) => [key, value])));
    });

    it('Keyv’s iterator yields nothing of another namespace on the same storage', async () => {
      const store = makeStore();
      const one = new Keyv({ store, namespace: 'keyv1' });
      await one.set('a', 1);
      const two = new Keyv({ store, namespace: 'keyv2' });
      await two.set('a', 2);
      await two.set('b', 3);
      expect(await entriesOf(two)).toEqual([
        ['a', 2],
        ['b', 3],
      ]);
    });

    it('Keyv’s iterator leaves out expired values', async () => {
      const keyv = open();
      await keyv.set('old', 1, 200);
      await keyv.set('foo', 'bar');
      pass(250);
      expect(await entriesOf(keyv)).toEqual([['foo', 'bar']]);
    });
  });
}
