import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ShownView } from '../../../src/sandbox/slack/api.js';
import { accountKey, type Person, startTestApp, type TestApp } from '../test-app.js';
import { choose, closeAll, connect, makeRelay, parts, radio, reads, text, typed } from './relay-stage.js';

const field = 'relay.service.field';

describe('setting a service up from Slack', () => {
  let testApp: TestApp;
  let ada: Person;
  const lines: string[] = [];
  beforeAll(async () => {
    testApp = await startTestApp({ lines, settings: { POST_INTERVAL_MS: '0' } });
    ada = testApp.person('U0ADA');
    await connect(ada);
  });
  afterAll(() => testApp?.stop());
  afterEach(() => closeAll(ada));

  async function call(variables: Record<string, string>): Promise<string> {
    const body = new URLSearchParams({ api_key: accountKey, ...variables });
    return (await fetch(`${testApp.accountUrl}/api/`, { method: 'POST', body })).text();
  }
  /** The postback URL that the account reports for a service; empty if there is none. */
  const postbackOf = async (id: string) =>
    /<postback>([^<]*)<\/postback>/.exec(
      await call({ section: 'services', action: 'retrieve', service_id: id }),
    )?.[1] ?? '';

  /** Creates a relay, and opens the set-up form on top of the window that shows its webhook URL. */
  async function openForm(
    more: Parameters<typeof makeRelay>[1] = {},
  ): Promise<{ form: ShownView; url: string; id: string }> {
    const { made, url, id } = await makeRelay(ada, { channel: 'C0FRONTGATE', ...more });
    await ada.click(made, 'relay.service.open');
    return { form: await ada.seesWindow('Set up a service'), url, id };
  }
  const ended = () => ada.seesWindow('Service set up');
  const undo = (view: ShownView) => ada.click(view, 'relay.service.undo');

  it('a set-up asks again if the service’s URL changed while the form was open; undo restores that URL', async () => {
    const { form } = await openForm({ service: '1206' });
    const before = await postbackOf('1206');
    const update = { section: 'services', action: 'update', service_id: '1206' };
    await call({ ...update, postback_url: 'https://scans.example.com/hooks/s3cr3t-9/in?x=1' });
    await ada.submit(form);
    const again = await reads(ada, 'First check below what will be replaced');
    expect(text(again)).toContain('it posts to scans.example.com/hooks/… now');
    expect(JSON.stringify(again.view)).not.toContain('s3cr3t');
    await ada.submit(again);
    await undo(await ended());
    await reads(ada, 'again. Not restored');
    expect(await postbackOf('1206')).toBe('https://scans.example.com/hooks/s3cr3t-9/in?x=1');
    await call({ ...update, postback_url: before });
  });

  it('the undo of a set-up leaves a service’s URL that somebody changed after the set-up', async () => {
    const before = await postbackOf('1206');
    const { form } = await openForm({ service: '1206' });
    await ada.submit(form);
    const done = await ended();
    const update = { section: 'services', action: 'update', service_id: '1206' };
    await call({ ...update, postback_url: 'https://elsewhere.example.com/' });
    await undo(done);
    await reads(ada, 'was changed since then, so it was left as it is.');
    expect(await postbackOf('1206')).toBe('https://elsewhere.example.com/');
    await call({ ...update, postback_url: before });
  });

  it('a set-up reports success if the account made the change but sent an unreadable answer', async () => {
    const before = await postbackOf('1206');
    const { form, url } = await openForm({ service: '1206' });
    await testApp.accountFaults({ next: [{ operation: 'services/update', as: 'truncated', times: 1 }] });
    await ada.submit(form);
    const done = await ended();
    expect(text(done)).toContain('Done. Everything works.');
    expect(await postbackOf('1206')).toBe(url);
    await undo(done);
    await reads(ada, 'again. Not restored');
    expect(await postbackOf('1206')).toBe(before);
  });

  it('a set-up shows its form again with the entered name if another service already has this name', async () => {
    await openForm({ service: '1206' });
    const direct = await choose(ada, 'service.mode', radio('direct'), 'relay.service.redraw');
    await ada.submit(direct, parts({ 'service.name': typed('VIP lounge') }, field));
    const again = await reads(ada, 'Another service already has this name');
    expect(JSON.stringify(again.view.blocks)).toContain('"initial_value":"VIP lounge"');
  });
});
