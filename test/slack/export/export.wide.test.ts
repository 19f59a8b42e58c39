/** Exports in Slack: from the results of a search and the list of a database's values to the file. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ShownMessage } from '../../../src/sandbox/slack/api.js';
import { read } from '../block-kit/reading.js';
import { connect, onRecord, untilCopied } from '../connected.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

describe('exporting in Slack', () => {
  let testApp: TestApp;
  let ada: Person;
  let mia: Person;
  const text = (message: { readonly blocks?: unknown }) => read(message.blocks as never);
  const chosen = (value: string) => ({ type: 'radio_buttons', selected_option: { value } });

  const startCopied = async () => {
    const app = await startTestApp({ settings: { MIRROR_SHARE: '90', ACCOUNT_CALLS_PER_MINUTE: '6000' } });
    await connect(app.person('U0ADA'));
    await untilCopied(app.person('U0MIA'));
    return app;
  };

  beforeAll(async () => {
    testApp = await startCopied();
    ada = testApp.person('U0ADA');
    mia = testApp.person('U0MIA');
  }, 90_000);
  afterAll(() => testApp?.stop());

  /** Searches, opens the form, and sends it; resolves with the view that follows. */
  const ask = async (who: Person, search: string, to: 'person' | 'channel', channel = 'C0GENERAL', mode = 'exact') => {
    const found = await who.command(`/scans ${search}`, channel);
    expect((await who.clickMessage(found, 'export.scans')).ok).toBe(true);
    const form = await who.seesForm('export.form');
    await who.submit(form, {
      'export.mode': { 'export.field': chosen(mode) },
      'export.to': { 'export.field': chosen(to) },
    });
    return {
      found,
      next: () =>
        eventually(async () => {
          const view = await who.window();
          return view && view.callback_id !== 'loading' ? view : undefined;
        }, 'the next view'),
    };
  };
  const withFile = (messages: readonly ShownMessage[], before: ReadonlySet<string>) =>
    messages.find(({ ts, files }) => files !== undefined && !before.has(ts));
  const tsOf = (messages: readonly ShownMessage[]) => new Set(messages.map(({ ts }) => ts));

  it('an export’s file arrives as the only direct message, though Slack refuses three tries to share it', async () => {
    const before = tsOf(await mia.directMessages());
    await testApp.rules({
      faults: [
        { method: 'chat.postMessage', times: 1, as: 'refused', error: 'duplicate_message_not_found' },
        { method: 'files.completeUploadExternal', times: 3, as: 'refused', error: 'internal_error' },
      ],
    });
    const { next } = await ask(mia, 'since 2020-01-01', 'person');
    await next();
    await eventually(async () => withFile(await mia.directMessages(), before), 'the file', 30_000);
    const others = async () => (await mia.directMessages()).filter(({ ts, files }) => !before.has(ts) && !files);
    await eventually(async () => (await others()).length === 0, 'the message that found the conversation to be gone');
  });

  /** Makes Slack refuse files, so that an export waits until Slack takes files again. */
  const holdFiles = (app = testApp) =>
    app.rules({ faults: [{ method: 'files.getUploadURLExternal', times: 1_000, as: '503' }] });
  const heldBack = (since: number, app = testApp) =>
    eventually(
      async () => (await app.calls(since)).some(({ method, ok }) => method === 'files.getUploadURLExternal' && !ok),
      'a try to send the file',
    );
  const letGo = (app = testApp) => app.rules({ faults: [] });
  const lastCall = async (app = testApp) => (await app.calls()).at(-1)?.n ?? 0;

  it.each(['reset', 'die', '500'] as const)(
    'an export is announced as started where its window cannot be updated (%s), and runs once',
    async (as) => {
      const all = async () => [...(await mia.messages()), ...(await mia.directMessages())];
      const before = tsOf(await all());
      for (let view = await mia.window(); view; view = await mia.window()) {
        await mia.close(view);
      }
      const found = await mia.command('/scans since 2020-01-01 invalid');
      await mia.clickMessage(found, 'export.scans');
      const form = await mia.seesForm('export.form');
      await testApp.rules({ faults: [{ method: 'views.update', as, times: 20 }] });
      await mia.submit(form, { 'export.to': { 'export.field': chosen('person') } });
      const told = async () => (await all()).flatMap((message) => (before.has(message.ts) ? [] : text(message))).join();
      await eventually(async () => (await told()).includes('Export started.') || undefined, 'that it started');
      expect(await told()).not.toMatch(/Something went wrong|can’t reach Slack|trouble right now/);
      await eventually(async () => withFile(await mia.directMessages(), before), 'the file');
      const files = (await mia.directMessages()).filter(({ ts, files }) => files !== undefined && !before.has(ts));
      expect(files).toHaveLength(1);
      await testApp.rules({ faults: [] });
    },
  );

  it('an export’s progress message is deleted even if the first deletion fails', async () => {
    const before = tsOf(await ada.directMessages());
    // Slack takes the file slowly: else the file would come before there is a progress message to delete.
    await testApp.rules({
      faults: [
        { method: 'files.getUploadURLExternal', times: 2, as: '503' },
        { method: 'chat.delete', as: 'reset', times: 1 },
      ],
    });
    await ask(ada, 'since 2020-01-01 invalid', 'person');
    await eventually(async () => withFile(await ada.directMessages(), before), 'the file');
    await eventually(
      async () => !(await ada.directMessages()).some((message) => text(message).includes('Exporting')),
      'the progress to be gone',
      60_000,
    );
  }, 90_000);

  it('an export for a deactivated person sends no file, and its channel is told so', async ({ onTestFinished }) => {
    // Another app is started: this one keeps for a minute what it knows of Mia.
    const fresh = await startCopied();
    onTestFinished(() => fresh.stop());
    const [admin, asker] = [fresh.person('U0ADA'), fresh.person('U0MIA')];
    const since = await lastCall(fresh);
    await holdFiles(fresh);
    await (await ask(asker, 'since 2020-01-01', 'channel')).next();
    await heldBack(since, fresh);
    await fresh.post('/sandbox/deactivate', { as: admin.id, user: asker.id });
    await letGo(fresh);
    await eventually(
      async () => (await admin.messages()).some((message) => text(message).includes('no longer a full member')),
      'the end',
      30_000,
    );
    expect((await admin.messages()).filter(({ files }) => files)).toEqual([]);
    expect((await onRecord(fresh))[0]).toMatchObject({ what: 'scans/export', outcome: 'export.no_access' });
  });

  it('an export’s progress message is deleted though Slack did not confirm its post before the file was sent', async () => {
    const before = tsOf(await ada.messages());
    const since = await lastCall();
    await testApp.rules({ faults: [{ method: 'chat.postMessage', as: 'die', times: 1 }] });
    await ask(ada, 'since 2020-01-01 invalid', 'channel');
    await eventually(async () => withFile(await ada.messages(), before), 'the file');
    await eventually(
      async () => (await testApp.calls(since)).some(({ method, ok }) => method === 'chat.delete' && ok) || undefined,
      'the progress to be deleted',
      60_000,
    );
    const left = (await ada.messages()).filter(
      (message) => !before.has(message.ts) && text(message).includes('Exporting'),
    );
    expect(left).toEqual([]);
  }, 90_000);
});
