import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits, retrieveServices } from '../../src/codereadr/operations/index.js';
import type { Accounts } from '../../src/codereadr/types.js';
import {
  failure,
  type HandClock,
  handClock,
  openAccounts,
  type Server,
  send,
  startServer,
  success,
  until,
} from './helper.js';

const minute = 60_000;

describe('opened accounts', () => {
  let server: Server;
  let clock: HandClock;
  let accounts: Accounts;
  /** The responses held back; undefined: each request is answered at once. */
  let held: ServerResponse[] | undefined;
  beforeEach(async () => {
    held = undefined;
    clock = handClock();
    server = await startServer((request, response) => {
      if (held) {
        held.push(response);
      } else {
        send(response, request.form.get('api_key') === 'bad' ? failure('100', 'no such key') : success());
      }
    });
    accounts = openAccounts(server.url, { clock, callsPerMinute: 2 });
  });
  afterEach(async () => {
    await accounts.close();
    await server.close();
  });

  const ask = (key: string) =>
    accounts
      .open(key)
      .client.call(retrieveServices, {}, { maxWaitMs: 0 })
      .then(
        () => 'answered',
        (error: { code: string }) => error.code,
      );

  it('an API key keeps its client while the key is used, and gets a new client after 15 unused minutes', async () => {
    const first = accounts.open('key');
    await clock.advance(14 * minute);
    expect(accounts.open('key')).toBe(first);
    await clock.advance(14 * minute);
    expect(accounts.open('key')).toBe(first);
    await clock.advance(15 * minute);
    accounts.open('other');
    expect(accounts.open('key')).not.toBe(first);
  });

  it('an API key that the account refuses gets a new client, but no new budget of calls', async () => {
    const first = accounts.open('bad');
    expect(await ask('bad')).toBe('account.key_refused');
    expect(accounts.open('bad')).not.toBe(first);
    expect(await ask('bad')).toBe('account.key_refused');
    expect(await ask('bad')).toBe('account.quota');
    expect(server.seen).toHaveLength(2);
    await clock.advance(minute);
    expect(await ask('bad')).toBe('account.key_refused');
  });

  it('a disconnected API key that is opened again gets no new budget of calls', async () => {
    const first = accounts.open('key');
    expect(await ask('key')).toBe('answered');
    expect(await ask('key')).toBe('answered');
    accounts.forget('key');
    expect(accounts.open('key')).not.toBe(first);
    expect(await ask('key')).toBe('account.quota');
  });

  it('a disconnected API key’s client lasts while a call is under way, whose answer other callers share', async () => {
    held = [];
    const first = accounts.open('key');
    const asked = ask('key');
    await until(() => held?.length === 1);
    accounts.forget('key');
    expect(accounts.open('key')).toBe(first);
    const again = ask('key');
    send(held[0]!, success());
    expect(await Promise.all([asked, again])).toEqual(['answered', 'answered']);
    expect(server.seen).toHaveLength(1);
    expect(accounts.open('key')).not.toBe(first);
  });

  it('a disconnected API key that is opened again knows the calls left from the account’s last answer', async () => {
    held = [];
    const asked = accounts.open('key').client.call(limits.retrieve, {});
    await until(() => held?.length === 1);
    send(held[0]!, success('<minute left="1" limit="2"/><day left="7" limit="9"/>'));
    await asked;
    accounts.forget('key');
    expect(accounts.open('key').client.callsLeft()).toMatchObject({ day: { left: 7, limit: 9 } });
  });
});
