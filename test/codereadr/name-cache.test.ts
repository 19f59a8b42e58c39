import { Keyv } from 'keyv';
import { afterEach, describe, expect, test } from 'vitest';
import type { AccountsDeps } from '../../src/codereadr/index.js';
import { databases, devices, services, users } from '../../src/codereadr/operations/index.js';
import type { Account } from '../../src/codereadr/types.js';
import { failure, handClock, openAccounts, type Server, send, settle, startServer, success, until } from './helper.js';

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const thing of open.splice(0).reverse()) {
    await thing.close();
  }
});

const documents: Readonly<Record<string, string>> = {
  services:
    '<service id="3"><name>Gate</name><validationmethod>postback</validationmethod><postback>https://d.example/relay/a/s3cret</postback><database>7</database><user id="12"/><question id="1"/></service>',
  users: '<user id="12"><username>bob</username><service id="3"/><limit>5</limit></user>',
  devices: '<device id="8"><udid>U</udid><devicename>Door</devicename></device>',
  databases: '<database id="7"><name>Tickets</name><count>3</count><case_sensitivity>0</case_sensitivity></database>',
  questions:
    '<count>1</count><question id="1"><text>Colour?</text><type>option</type><answer id="4">red</answer></question>',
};

async function rig(
  answer: (section: string) => string | undefined | 'silence',
  over: Partial<AccountsDeps> = {},
): Promise<{ server: Server; account: Account; store: Map<string, string>; again: () => Account }> {
  const store = new Map<string, string>();
  const server = await startServer(({ form }, response) => {
    const document = answer(form.get('section') ?? '');
    if (document === 'silence') {
      return;
    }
    if (document === undefined) {
      response.writeHead(503).end();
    } else {
      send(response, document);
    }
  });
  const start = () => {
    const accounts = openAccounts(server.url, { cache: (namespace) => new Keyv({ store, namespace }), ...over });
    open.push(accounts);
    return accounts.open('api-key');
  };
  open.push(server);
  return { server, account: start(), store, again: start };
}

const told = (section: string) => success(documents[section]);

describe('names', () => {
  test('names are fetched once and cached for five minutes, also for an account that is opened again', async () => {
    const clock = handClock();
    const { server, account, again } = await rig(told, { clock });
    for (const { names: reference } of [account, account, again()]) {
      expect(await reference.services()).toEqual([
        { id: '3', name: 'Gate', validationMethod: 'postback', databaseId: '7', userIds: ['12'], questionIds: ['1'] },
      ]);
      expect(await reference.users()).toEqual([{ id: '12', username: 'bob', serviceIds: ['3'], limit: '5' }]);
      expect(await reference.devices()).toEqual([{ id: '8', udid: 'U', name: 'Door' }]);
      expect(await reference.databases()).toEqual([
        { id: '7', name: 'Tickets', count: 3, serviceIds: [], caseSensitive: false },
      ]);
      expect(await reference.questions()).toEqual([
        { id: '1', text: 'Colour?', type: 'option', answers: [{ id: '4', text: 'red' }] },
      ]);
    }
    expect(server.seen).toHaveLength(5);
    await clock.advance(4 * 60_000);
    await account.names.users();
    expect(server.seen).toHaveLength(5);
    await clock.advance(2 * 60_000);
    await account.names.users();
    expect(server.seen).toHaveLength(6);
  });

  test('reading only cached names costs no API call, and returns nothing before names were fetched', async () => {
    const { server, account } = await rig(told);
    expect(await account.names.cached('devices')).toBeUndefined();
    expect(server.seen).toHaveLength(0);
    await account.names.devices();
    expect(await account.names.cached('devices')).toEqual([{ id: '8', udid: 'U', name: 'Door' }]);
    expect(server.seen).toHaveLength(1);
  });

  test('names that a change made outdated are fetched again, and still shown while the account is down', async () => {
    let isUp = true;
    const { server, account } = await rig((section) => (isUp ? told(section) : undefined));
    await account.names.devices();
    await account.client.call(devices.update, { device_id: '8', device_name: 'Gate' });
    isUp = false;
    const known = [{ id: '8', udid: 'U', name: 'Door' }];
    expect(await account.names.cached('devices')).toEqual(known);
    expect(await account.names.devices()).toEqual(known);
    const asked = server.seen.length;
    isUp = true;
    await account.names.devices();
    await account.names.devices();
    expect(server.seen.length).toBe(asked + 1);
  });

  test('one API call fetches the account’s names for many callers', async () => {
    const { server, account } = await rig(told);
    await Promise.all(Array.from({ length: 50 }, () => account.names.users()));
    expect(server.seen).toHaveLength(1);
  });

  test('a caller who asks for names while they are being stored in the cache causes no second call', async () => {
    const store = new Map<string, unknown>();
    let write = () => {};
    const slow = new Keyv({
      store: {
        get: (key: string) => store.get(key),
        set: async (key: string, value: unknown) => {
          await new Promise<void>((resolve) => {
            write = resolve;
          });
          store.set(key, value);
        },
        delete: (key: string) => store.delete(key),
        clear: () => store.clear(),
      },
    });
    const { server, account } = await rig(told, { cache: () => slow });
    const first = account.names.users();
    await until(() => server.seen.length === 1);
    await settle();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await account.names.users()).toMatchObject([{ username: 'bob' }]);
    expect(server.seen).toHaveLength(1);
    write();
    await first;
  });

  test('names requested before the cached names were dropped are not cached', async () => {
    let release = () => {};
    const server = await startServer(async (_, response) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      send(response, told('users'));
    });
    const accounts = openAccounts(server.url);
    open.push(server, accounts);
    const { names: reference } = accounts.open('api-key');
    const before = reference.users();
    await until(() => server.seen.length === 1);
    await reference.forget('users');
    release();
    await before;
    const after = reference.users();
    await until(() => server.seen.length === 2);
    release();
    await after;
  });

  test('the name cache keeps two accounts apart and contains no API key and no URL', async () => {
    const { account, store } = await rig(told);
    await account.names.services();
    await account.names.users();
    const kept = JSON.stringify([...store]);
    expect(kept).toContain('Gate');
    expect(kept).not.toContain('api-key');
    expect(kept).not.toContain('s3cret');
    const other = openAccounts('http://127.0.0.1:9/api/', { cache: (namespace) => new Keyv({ store, namespace }) });
    open.push(other);
    await expect(other.open('other').names.services()).rejects.toMatchObject({ code: 'account.unreachable' });
  });

  test('cached names are dropped for one kind of resource, or for all', async () => {
    const { server, account } = await rig(told);
    const { names: reference } = account;
    await reference.users();
    await reference.devices();
    await reference.forget('users');
    await reference.users();
    await reference.devices();
    expect(server.seen).toHaveLength(3);
    await reference.forget();
    await reference.users();
    await reference.devices();
    expect(server.seen).toHaveLength(5);
  });

  test('a change drops the cached names that it affects, and a refused change drops none', async () => {
    let refuse = false;
    const { server, account } = await rig((section) => (refuse ? failure('216', 'taken') : told(section)));
    const { names: reference, client } = account;
    await reference.databases();
    await reference.devices();
    await client.call(databases.update, { database_id: '7', database_name: 'Seats' });
    await reference.databases();
    await reference.devices();
    expect(server.seen).toHaveLength(4);
    await client.call(services.delete, { service_id: ['3'] });
    await reference.databases();
    expect(server.seen).toHaveLength(6);
    refuse = true;
    await client.call(databases.update, { database_id: '7', database_name: 'Seats' }).catch(() => {});
    await reference.databases();
    expect(server.seen).toHaveLength(7);
  });
});

describe('while the account is in trouble', () => {
  test.each<[string, string | undefined]>([
    ['broken', undefined],
    ['out of calls', failure('111', 'used up')],
  ])('while the account is %s and a minute afterwards, the last known names are used', async (_, trouble) => {
    const clock = handClock();
    let down = false;
    const { account } = await rig((section) => (down ? trouble : told(section)), { clock });
    await account.names.users();
    down = true;
    await clock.advance(6 * 60_000);
    expect(await account.names.users()).toMatchObject([{ username: 'bob' }]);
    down = false;
    await clock.advance(60_000);
    expect(await account.names.users()).toMatchObject([{ username: 'bob' }]);
  });

  test('while the account is slow, the last known names are used after a second', async () => {
    const clock = handClock();
    let slow = false;
    const { account, server } = await rig((section) => (slow ? 'silence' : told(section)), { clock });
    await account.names.users();
    slow = true;
    await clock.advance(6 * 60_000);
    let served: unknown;
    const names = account.names.users().then((users) => {
      served = users;
    });
    await until(() => server.seen.length === 2);
    await clock.advance(900);
    expect(served).toBeUndefined();
    await clock.advance(100);
    await names;
    expect(served).toMatchObject([{ username: 'bob' }]);
    await clock.advance(30_000);
  });

  test('a refused API key is reported as refused, and a failing account without cached names as failing', async () => {
    const clock = handClock();
    let answer: string | undefined;
    const { account } = await rig((section) => (section === 'users' ? answer : undefined), { clock });
    await expect(account.names.devices()).rejects.toMatchObject({ code: 'account.broken' });
    answer = told('users');
    await account.names.users();
    answer = failure('100', 'API key is invalid');
    await clock.advance(6 * 60_000);
    await expect(account.names.users()).rejects.toMatchObject({ code: 'account.key_refused' });
  });

  test('a refused API key leaves the last names, with their age, to a caller who takes older ones, after a change too', async () => {
    const clock = handClock();
    let answer = told('users');
    const { account } = await rig(() => answer, { clock });
    await account.names.users();
    const fetchedAt = clock.now();
    await account.client.call(users.update, { user_id: '12', username: 'eve' });
    answer = failure('100', 'API key is invalid');
    for (const freshMs of [0, Number.POSITIVE_INFINITY]) {
      await clock.advance(60_000);
      let age: number | undefined;
      const answeredAsOf = (at: number) => {
        age = clock.now() - at;
      };
      const names = await account.names.users({ list: { freshMs, waitMs: 1_000 }, answeredAsOf });
      expect(names).toMatchObject([{ username: 'bob' }]);
      expect(age).toBe(clock.now() - fetchedAt);
    }
  });

  test('cached names older than a day are not used', async () => {
    const clock = handClock();
    let down = false;
    const { account } = await rig((section) => (down ? undefined : told(section)), { clock });
    await account.names.users();
    down = true;
    await clock.advance(25 * 3_600_000);
    await expect(account.names.users()).rejects.toMatchObject({ code: 'account.broken' });
  });

  test('a name cache that fails causes no error: names are fetched from the account', async () => {
    const failing = new Keyv({
      throwOnErrors: true,
      store: {
        get: () => Promise.reject(new Error('disk full')),
        set: () => Promise.reject(new Error('disk full')),
        delete: () => Promise.reject(new Error('disk full')),
        clear: () => Promise.reject(new Error('disk full')),
      },
    });
    failing.on('error', () => {});
    const { account, server } = await rig(told, { cache: () => failing });
    expect(await account.names.users()).toMatchObject([{ username: 'bob' }]);
    await account.client.call(users.update, { user_id: '12', username: 'eve' });
    expect(server.seen).toHaveLength(2);
  });

  test('a cached value that is not a list of names is not used', async () => {
    const clock = handClock();
    const { account, server, store } = await rig(told, { clock });
    await account.names.users();
    const [key] = [...store.keys()];
    store.set(key ?? '', JSON.stringify({ value: { at: clock.now(), items: [{ id: 7 }] } }));
    await clock.advance(3_000);
    expect(await account.names.users()).toMatchObject([{ username: 'bob' }]);
    expect(server.seen).toHaveLength(2);
  });
});
