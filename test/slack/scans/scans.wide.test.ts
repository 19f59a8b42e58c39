import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { read } from '../block-kit/reading.js';
import { connect, untilCopied } from '../connected.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

describe('searching scans in Slack', () => {
  let testApp: TestApp;
  let ada: Person;
  let mia: Person;
  const text = (message: { readonly blocks?: unknown }) => read(message.blocks as never);

  beforeAll(async () => {
    testApp = await startTestApp({ settings: { MIRROR_SHARE: '90', ACCOUNT_CALLS_PER_MINUTE: '6000' } });
    ada = testApp.person('U0ADA');
    mia = testApp.person('U0MIA');
    expect(text(await mia.command('/scans today'))).toContain('connect');
    await connect(ada);
    await untilCopied(mia);
  }, 90_000);
  afterAll(() => testApp?.stop());

  it('a search finds a barcode in another form where no scan has the typed text, as its card does', async () => {
    const scanner = `${testApp.accountUrl}/scanner/`;
    const { users, devices } = (await (await fetch(`${scanner}state`)).json()) as Record<string, { id: string }[]>;
    for (const value of ['5400000002649', 'PASS-7A']) {
      await fetch(`${scanner}scan`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ service_id: '1203', user_id: users?.[0]?.id, device_id: devices?.[0]?.id, value }),
      });
    }
    await eventually(
      async () => text(await mia.command('/scans PASS-7A')).includes('1 scan'),
      'the scans in the copy',
      60_000,
    );
    for (const typed of ['0105400000002649', '(01)05400000002649(10)LOT1', 'https://id.gs1.org/01/05400000002649']) {
      const found = text(await mia.command(`/scans ${typed}`));
      expect(found).toContain(`barcode in any form: ${typed}`);
      expect(found).toContain('1 scan');
      expect(found).toContain('5400000002649');
    }
    expect(text(await mia.command('/scans pass-7a'))).toMatch(/barcode contains pass-7a\s*1 scan[\s\S]*PASS-7A/);
    // In quotes, every character counts; a serial number is never left out.
    expect(text(await mia.command('/scans "pass-7a"'))).toContain('Nothing found');
    expect(text(await mia.command('/scans 010540000000264921SN1'))).toContain('Nothing found');
  });
});
