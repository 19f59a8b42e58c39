/** Which of the account’s scans a preview reads. */
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.js';
import type { RecordedScan } from '../../../src/codereadr/types.js';
import type { PlannedRelay, Relay } from '../../../src/relay/index.js';
import type { Scan } from '../../../src/scans/index.js';
import { knownScans } from '../../../src/slack/relays/preview.js';

const named = (id: string) => ({ id, name: id });
const recorded = (value: string, service: string): RecordedScan => ({
  ...{ id: value, value, status: 'valid', result: 'OK', timestamp: '2026-11-30 10:00:00' },
  ...{ device: named('d'), service: named(service), user: named('u'), answers: [], properties: [] },
});
const scan = (value: string, service: string, relayIds: readonly string[] = []): Scan => ({
  ...{ id: value, at: 0, value, recorded: recorded(value, service) },
  received: relayIds.map((relayId) => ({ relayId })) as unknown as Scan['received'],
});

/** A workspace with these scans in its copy, whose account is not to be asked for scans. */
function workspace(scans: readonly Scan[]) {
  const deps = {
    clock: systemClock,
    store: { workspaces: { apiKey: async () => 'key' } },
    accounts: { open: () => ({ names: { services: async () => [] } }) },
    mirror: { scansCopy: async () => ({ connection: 1 }) },
    scans: {
      async *walk() {
        yield { reached: 0, scans };
      },
    },
    lastRecordedScans: () => Promise.reject(new Error('the account was asked')),
  };
  return { deps, actor: { owner: { installation: 'T1', team: 'T1' } } } as never;
}

it('a preview takes the scans of the relay’s services from the copy, without those that the relay received', async () => {
  const relay = { id: 'r1', serviceIds: ['1', '2'] } as unknown as Relay;
  const context = workspace([scan('A', '1'), scan('B', '3'), scan('C', '2', ['r1']), scan('D', '2', ['r2'])]);
  const known = knownScans(context, relay);
  expect((await known.recorded!()).map(({ value }) => value)).toEqual(['A', 'D']);
  expect(known.read()).toEqual({ span: 'last', of: 'account', isNew: false, missing: undefined });
});

it('a preview of a planned relay for any service takes all scans of the copy', async () => {
  const relay = { serviceIds: [] } as unknown as PlannedRelay;
  const known = knownScans(workspace([scan('A', '1'), scan('B', '3', ['r2'])]), relay);
  expect((await known.recorded!()).map(({ value, given }) => [value, given])).toEqual([
    ['A', '1'],
    ['B', '1'],
  ]);
  expect(known.read()).toMatchObject({ isNew: true, missing: undefined });
});
