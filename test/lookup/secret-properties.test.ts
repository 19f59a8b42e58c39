import { afterEach, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { createLookups } from '../../src/lookup/index.js';
import { type DeskHarness, owner, startDesk, xml } from './harness.js';

let harness: DeskHarness;
afterEach(() => harness.close());

const scan = `<count>1</count><scan id="1"><device id="1">Gate</device><service id="1">In</service><user id="1">ada</user>
  <status>1</status><tid>A</tid><result>Hi</result><timestamp>2026-03-01 12:00:00</timestamp>
  <properties><gps_location>48.1,11.5</gps_location></properties></scan>`;

it('a lookup hides a property that is a secret shared by a device and the relay', async () => {
  harness = await startDesk();
  harness.onWire(({ operation }) => (operation === 'scans/retrieve' ? xml(scan) : undefined));
  const asked: unknown[] = [];
  const placeSeen = async (secret: readonly string[]) => {
    const relays = {
      validators: async () => [],
      secretProperties: async (of: unknown) => {
        asked.push(of);
        return secret;
      },
    };
    const desk = createLookups({ clock: systemClock, scans: harness.scans, relays });
    const { history } = await desk.lookup({ owner, account: harness.account, value: 'A' });
    return history.scans.map(({ place }) => place?.text);
  };
  expect(await placeSeen([])).toEqual(['48.1, 11.5']);
  expect(await placeSeen(['gps_location'])).toEqual([undefined]);
  expect(asked[0]).toEqual(owner);
});
