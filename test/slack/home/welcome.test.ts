import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.js';
import { welcome } from '../../../src/slack/home/welcome.js';
import { read } from '../block-kit/reading.js';
import { eventually, startTestApp, type TestApp } from '../test-app.js';

describe('the app’s Messages tab', () => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await startTestApp();
  });
  afterAll(() => testApp.stop());

  const open = (as: string) => testApp.post('/sandbox/home', { as, tab: 'messages' });
  const posts = async () => (await testApp.calls()).filter(({ method }) => method === 'chat.postMessage');

  test('the Messages tab welcomes a person who opens it for the first time, and nobody twice or a guest', async () => {
    await open('U0MIA');
    const [first] = await eventually(async () => {
      const calls = await posts();
      return calls.length > 0 ? calls : undefined;
    }, 'the welcome');
    expect(read((first!.body as { blocks: never }).blocks)).toContain('Send me a barcode, or a photo of one');
    await open('U0MIA');
    await open('U0GUS');
    await open('U0ADA');
    await eventually(async () => ((await posts()).length > 1 ? true : undefined), 'the other person’s welcome');
    const channels = (await posts()).map(({ body }) => (body as { channel: string }).channel);
    expect(new Set(channels).size).toBe(2);
    expect(channels).toHaveLength(2);
  });

  test('the Messages tab posts one welcome where two instances hear of it, and another only where Slack refused the first', async () => {
    const stores = [await testApp.openStore(), await testApp.openStore()];
    const sent: string[] = [];
    const refused = Object.assign(new Error('down'), {
      ...{ code: 'slack_webapi_platform_error', data: { error: 'service_unavailable' } },
    });
    const opening = (at: number, fails?: Error, userId = 'U0NEW') => {
      const client = {
        chat: {
          postMessage: ({ channel }: { channel: string }) => {
            sent.push(channel);
            return fails ? Promise.reject(fails) : Promise.resolve();
          },
        },
      };
      const owner = { installation: 'T0HARBOUR', team: 'T0HARBOUR' };
      const context = { deps: { store: stores[at], clock: systemClock }, client, actor: { owner, userId } };
      return welcome(context as never, 'D1');
    };
    await expect(opening(0, refused)).rejects.toThrow('down');
    await Promise.all([opening(0), opening(1), opening(1)]);
    expect(sent).toEqual(['D1', 'D1']);
    // Slack may have posted it: its answer was lost.
    await expect(opening(0, new Error('lost'), 'U0OLD')).rejects.toThrow('lost');
    await opening(1, undefined, 'U0OLD');
    expect(sent).toHaveLength(3);
    await Promise.all(stores.map((store) => store.close()));
  });
});
