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

  test('the Messages tab posts one welcome where two instances hear of it, and another where the first failed', async () => {
    const stores = [await testApp.openStore(), await testApp.openStore()];
    const sent: string[] = [];
    const opening = (at: number, fails = false) => {
      const client = {
        chat: {
          postMessage: ({ channel }: { channel: string }) => {
            sent.push(channel);
            return fails ? Promise.reject(new Error('down')) : Promise.resolve();
          },
        },
      };
      const owner = { installation: 'T0HARBOUR', team: 'T0HARBOUR' };
      const context = { deps: { store: stores[at], clock: systemClock }, client, actor: { owner, userId: 'U0NEW' } };
      return welcome(context as never, 'D1');
    };
    await expect(opening(0, true)).rejects.toThrow('down');
    await Promise.all([opening(0), opening(1), opening(1)]);
    expect(sent).toEqual(['D1', 'D1']);
    await Promise.all(stores.map((store) => store.close()));
  });
});
