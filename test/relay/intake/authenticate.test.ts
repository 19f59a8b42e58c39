import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/clock.js';
import { createAuthenticator } from '../../../src/relay/intake/authenticate.js';
import type { RelayAccess } from '../../../src/relay/record/records.js';
import { hashSecret } from '../../../src/relay/record/webhook-secret.js';

const owner = { installation: 'T1', team: 'T1' };
const access = (settings: string): RelayAccess => ({
  relayId: 'r',
  owner,
  settings,
  secrets: [{ id: 's1', hash: hashSecret('right') }],
});

describe('authentication of senders', () => {
  const open = (look: () => Promise<RelayAccess | undefined>) => {
    let now = 1_000_000;
    let looks = 0;
    const clock: Clock = { now: () => now, sleep: () => new Promise((done) => setTimeout(done, 50)) };
    const authenticator = createAuthenticator({
      relays: {
        access: () => {
          looks += 1;
          return look();
        },
      },
      clock,
    });
    return { authenticator, looks: () => looks, pass: (ms: number) => (now += ms) };
  };

  it('a sender with a valid secret is authenticated, and one database query serves several of its scans', async () => {
    const { authenticator, looks } = open(async () => access('{}'));
    expect(await authenticator.authenticate('r', 'right')).toEqual({
      relayId: 'r',
      secretId: 's1',
      owner,
      settings: '{}',
    });
    expect(await authenticator.authenticate('r', 'right')).toMatchObject({ secretId: 's1' });
    expect(await authenticator.authenticate('r', 'wrong')).toBeUndefined();
    expect(looks()).toBe(2);
  });

  it('authentication accepts a known secret while the repeated query of the database hangs', async () => {
    const says: (() => Promise<RelayAccess>)[] = [async () => access('old'), () => new Promise(() => undefined)];
    const { authenticator, looks, pass } = open(() => says.shift()!());
    await authenticator.authenticate('r', 'right');
    pass(3_000);
    expect(await authenticator.authenticate('r', 'right')).toMatchObject({ settings: 'old' });
    expect(await authenticator.authenticate('r', 'right')).toMatchObject({ settings: 'old' });
    expect(looks()).toBe(2);
  });

  it('authentication asks again for a relay that was changed while it was read, and keeps no answer from before', async () => {
    const reads: ((access: RelayAccess) => void)[] = [];
    const { authenticator, looks } = open(() => new Promise((done) => reads.push(done)));
    const before = authenticator.authenticate('r', 'right');
    authenticator.forget('r');
    const after = authenticator.authenticate('r', 'right');
    reads[1]!(access('new'));
    reads[0]!(access('old'));
    expect(await before).toMatchObject({ settings: 'old' });
    expect(await after).toMatchObject({ settings: 'new' });
    expect(await authenticator.authenticate('r', 'right')).toMatchObject({ settings: 'new' });
    expect(looks()).toBe(2);
  });

  it('authentication uses a relay’s new settings once the repeated query of the relay has returned', async () => {
    const says = ['old', 'new'];
    const { authenticator, pass } = open(async () => access(says.shift() ?? ''));
    await authenticator.authenticate('r', 'right');
    pass(3_000);
    expect(await authenticator.authenticate('r', 'right')).toMatchObject({ settings: 'old' });
    await new Promise((done) => setImmediate(done));
    expect(await authenticator.authenticate('r', 'right')).toMatchObject({ settings: 'new' });
  });

  it('authentication fails with store.unavailable where the database does not answer in time', async () => {
    const { authenticator } = open(() => new Promise(() => undefined));
    await expect(authenticator.authenticate('r', 'right')).rejects.toMatchObject({ code: 'store.unavailable' });
  });
});
