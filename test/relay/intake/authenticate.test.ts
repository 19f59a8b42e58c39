import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/clock.js';
import { createAuthenticator } from '../../../src/relay/intake/authenticate.js';
import type { RelayAccess } from '../../../src/relay/relays/records.js';
import { hashSecret } from '../../../src/relay/relays/secrets/webhook-secret.js';

const owner = { installation: 'T1', team: 'T1' };
const access = (settings: string): RelayAccess => ({
  relayId: 'r',
  owner,
  settings,
  secrets: [{ id: 's1', hash: hashSecret('right') }],
});

describe('the door of a relay', () => {
  const open = (look: () => Promise<RelayAccess | undefined>) => {
    let now = 1_000_000;
    let looks = 0;
    const clock: Clock = { now: () => now, sleep: () => new Promise((done) => setTimeout(done, 50)) };
    const door = createAuthenticator({
      relays: {
        access: () => {
          looks += 1;
          return look();
        },
      },
      clock,
    });
    return { door, looks: () => looks, pass: (ms: number) => (now += ms) };
  };

  it('lets in whoever knows a live secret, and looks once for many', async () => {
    const { door, looks } = open(async () => access('{}'));
    expect(await door.enter('r', 'right')).toEqual({ secretId: 's1', owner, settings: '{}' });
    expect(door.enter('r', 'right')).toMatchObject({ secretId: 's1' });
    expect(await door.enter('r', 'wrong')).toBeUndefined();
    expect(looks()).toBe(2);
  });

  it('goes on with what it knows while it looks again, so that a silent database holds nobody up', async () => {
    const says: (() => Promise<RelayAccess>)[] = [async () => access('old'), () => new Promise(() => undefined)];
    const { door, looks, pass } = open(() => says.shift()!());
    await door.enter('r', 'right');
    pass(3_000);
    expect(door.enter('r', 'right')).toMatchObject({ settings: 'old' });
    expect(door.enter('r', 'right')).toMatchObject({ settings: 'old' });
    expect(looks()).toBe(2);
  });

  it('knows soon what it looked at again', async () => {
    const says = ['old', 'new'];
    const { door, pass } = open(async () => access(says.shift() ?? ''));
    await door.enter('r', 'right');
    pass(3_000);
    expect(door.enter('r', 'right')).toMatchObject({ settings: 'old' });
    await new Promise((done) => setImmediate(done));
    expect(door.enter('r', 'right')).toMatchObject({ settings: 'new' });
  });

  it('says that nobody can tell, where the store says nothing in time', async () => {
    const { door } = open(() => new Promise(() => undefined));
    await expect(door.enter('r', 'right')).rejects.toMatchObject({ code: 'store.unavailable' });
  });
});
