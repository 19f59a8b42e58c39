import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { read } from '../block-kit/reading.js';
import { accountKey, eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

describe('roles and access', () => {
  let testApp: TestApp;
  let ada: Person;
  beforeAll(async () => {
    testApp = await startTestApp();
    ada = testApp.person('U0ADA');
    await ada.say('/scandesk connect');
    await ada.submit(await ada.seesWindow('Connect account'), {
      key: { 'connect.key': { type: 'plain_text_input', value: accountKey } },
    });
    await ada.close(await ada.seesForm('connect.databases'));
  });
  afterAll(() => testApp.stop());

  test('a command’s window opens though Slack is slow to identify people, and says that nothing was done', async () => {
    const other = await startTestApp({ rules: { triggerMs: 3000 } });
    try {
      await other.rules({ faults: [{ method: 'users.info', times: 1, as: 'timeout' }] });
      const boss = other.person('U0ADA');
      await boss.say('/scandesk connect');
      const loading = await eventually(() => boss.window(), 'a window');
      expect(loading.callback_id).toBe('loading');
      const told = await eventually(async () => {
        const view = await boss.window();
        return view?.callback_id === 'problem' ? view : undefined;
      }, 'word of the trouble in the window');
      expect(read(told.view.blocks)).toContain('couldn’t verify who you are, so nothing was done.');
    } finally {
      await other.stop();
    }
  });
});
