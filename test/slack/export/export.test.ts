/** Exports in Slack: from the results of a search and the list of a database's values to the file. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Channel, ShownMessage } from '../../../src/sandbox/slack/api.js';
import { rowsInFile } from '../../helpers/spreadsheets.js';
import { wideIt } from '../../helpers/tier/wide-it.js';
import { read } from '../block-kit/reading.js';
import { connect, databaseIds, onRecord, untilCopied } from '../connected.js';
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
  const download = async (who: Person, message: ShownMessage) => {
    const response = await fetch(`${testApp.slackUrl}/sandbox/file/${message.files?.[0]?.id}?as=${who.id}`);
    return Buffer.from(await response.arrayBuffer());
  };

  it('an export of a search arrives as a file in a direct message, and the audit log has its number of rows', async () => {
    const before = tsOf(await mia.directMessages());
    const { found, next } = await ask(mia, 'since 2020-01-01 invalid', 'person');
    expect(read((await next()).view.blocks as never)).toContain('Export started.');
    const sent = await eventually(async () => withFile(await mia.directMessages(), before), 'the file');
    const rows = (await rowsInFile(await download(mia, sent))).slice(1);
    const count = Number(/([\d,]+) scans?\b/.exec(text(found))?.[1]?.replaceAll(',', ''));
    expect(rows).toHaveLength(count);
    expect(new Set(rows.map(([, result]) => result))).toEqual(new Set(['Not valid']));
    expect(text(sent)).toContain(`${count.toLocaleString('en-US')} scans exported`);
    expect(text(sent)).toContain('Scans since 2020-01-01 · not valid');
    await eventually(
      async () => !(await mia.directMessages()).some((message) => text(message).includes('Exporting')),
      'the progress to be gone',
    );
    expect((await onRecord(testApp))[0]).toMatchObject({
      ...{ who: 'U0MIA', what: 'scans/export', outcome: 'ok' },
      detail: { rows: count, format: 'exact', when: 'since 2020-01-01' },
    });
  });

  it('a spreadsheet export is sent to its channel, without formulas, with times in the requester’s zone', async () => {
    const before = tsOf(await ada.messages('C0STOCKROOM'));
    const { next } = await ask(mia, 'since 2020-01-01', 'channel', 'C0STOCKROOM', 'spreadsheet');
    await next();
    const sent = await eventually(async () => withFile(await ada.messages('C0STOCKROOM'), before), 'the file');
    const csv = await download(ada, sent);
    expect(csv.toString().startsWith('\ufeff')).toBe(true);
    const rows = await rowsInFile(csv);
    expect(rows[0]).toContain('Scan time (America/Chicago)');
    expect(
      rows
        .slice(1)
        .flat()
        .filter((cell) => /^[=+\-@]/.test(cell)),
    ).toEqual([]);
    expect(JSON.stringify(sent.blocks)).toContain('"user_id":"U0MIA"');
  });

  it('an export’s form refuses a channel that outsiders read, and a private channel without Scandesk', async () => {
    const shared = await ask(mia, 'since 2020-01-01', 'channel', 'C0PARTNER');
    expect(read((await shared.next()).view.blocks as never)).toContain('shared with another organization');
    const hidden = await ask(ada, 'since 2020-01-01', 'channel', 'C0MANAGERS');
    const form = await hidden.next();
    expect(read(form.view.blocks as never)).toContain('/invite @Scandesk');
    expect(JSON.stringify(form.view.blocks)).toMatch(/"initial_option":\{"value":"channel"/);
    expect((await testApp.calls()).filter(({ method }) => method === 'files.getUploadURLExternal').length).toBe(2);
  });

  it('an export’s file is shared once where Slack’s answer is lost', async () => {
    const before = tsOf(await mia.directMessages());
    await testApp.rules({
      faults: [
        { method: 'files.completeUploadExternal', times: 1, as: 'die' },
        // Slack does not say at first whether the file is there, either.
        { method: 'files.info', times: 1, as: '503' },
      ],
    });
    await ask(mia, 'since 2020-01-01 valid', 'person');
    const since = (await testApp.calls()).at(-1)?.n ?? 0;
    await ask(mia, 'since 2020-01-01 valid', 'person');
    await eventually(
      async () => (await testApp.calls(since)).some(({ method }) => method === 'chat.delete'),
      'the end',
      30_000,
    );
    const files = (await mia.directMessages()).filter(({ ts, files: some }) => some && !before.has(ts));
    expect(files).toHaveLength(1);
    expect((await onRecord(testApp))[0]).toMatchObject({ what: 'scans/export', outcome: 'ok' });
    await eventually(
      async () => (await mia.directMessages()).filter(({ ts, files: some }) => some && !before.has(ts)).length === 2,
      'the second file',
      30_000,
    );
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

  wideIt(
    'an export goes to a direct message if its channel became shared with outsiders after the request',
    async () => {
      const made = await testApp.post('/sandbox/channels', { as: ada.id, name: 'soon-shared' });
      const channel = (made as { readonly channel: Channel }).channel.id;
      await testApp.post('/sandbox/invite', { as: ada.id, channel, user: mia.id });
      const since = await lastCall();
      await holdFiles();
      const before = tsOf(await mia.directMessages());
      await (await ask(mia, 'since 2020-01-01', 'channel', channel)).next();
      await heldBack(since);
      await testApp.post('/sandbox/connect', { as: ada.id, channel });
      await letGo();
      const sent = await eventually(
        async () =>
          (await mia.directMessages()).find(
            (message) => withFile([message], before) && text(message).includes('Sent to you alone'),
          ),
        'the file',
        30_000,
      );
      expect(text(sent)).toContain('is now shared with another organization');
      // The channel's message changes once the file is sent.
      const inChannel = await eventually(async () => {
        const said = await ada.messages(channel);
        return /now shared.*in a direct message/s.test(said.map((message) => text(message)).join()) ? said : undefined;
      }, 'that it went to a direct message');
      expect(inChannel.filter(({ files }) => files)).toEqual([]);
      expect(JSON.stringify(inChannel)).not.toContain('export.cancel');
      expect((await onRecord(testApp))[0]).toMatchObject({ what: 'scans/export', outcome: 'ok' });
    },
  );

  it('an export posts no message in a channel that became shared with outsiders before the first message', async () => {
    const made = await testApp.post('/sandbox/channels', { as: ada.id, name: 'shared-at-once' });
    const channel = (made as { readonly channel: Channel }).channel.id;
    await testApp.post('/sandbox/invite', { as: ada.id, channel, user: mia.id });
    const since = await lastCall();
    const held = ['chat.postMessage', 'files.getUploadURLExternal'];
    await testApp.rules({ faults: held.map((method) => ({ method, times: 1_000, as: '503' })) });
    const before = tsOf(await mia.directMessages());
    await (await ask(mia, 'since 2020-01-01', 'channel', channel)).next();
    await eventually(
      async () => (await testApp.calls(since)).some(({ method, ok }) => method === 'chat.postMessage' && !ok),
      'a try to post the progress',
    );
    await heldBack(since);
    await testApp.post('/sandbox/connect', { as: ada.id, channel });
    await letGo();
    const sent = await eventually(async () => withFile(await mia.directMessages(), before), 'the file', 30_000);
    expect(text(sent)).toContain('is now shared with another organization');
    const inChannel = (await ada.messages(channel)).map((message) => text(message)).join();
    expect(inChannel).not.toMatch(/export/i);
  });

  wideIt('an export of a database’s values can be started from the list of its values', async () => {
    const ids = await databaseIds(testApp);
    const [name = '', id = ''] = Object.entries(ids)[0] ?? [];
    const before = tsOf(await ada.directMessages());
    await ada.say('/scandesk databases');
    const list = await ada.seesWindow('Databases');
    await ada.click(
      list,
      'list.menu',
      {
        type: 'overflow',
        selected_option: { value: JSON.stringify({ list: 'databases', id, deed: 'values' }) },
      },
      `list.row.0.${id}`,
    );
    await ada.click(await ada.seesWindow('Values'), 'export.values');
    const form = await ada.seesForm('export.form');
    expect(read(form.view.blocks as never)).toContain(`All values of ${name}`);
    await ada.submit(form, {});
    const sent = await eventually(async () => withFile(await ada.directMessages(), before), 'the file');
    expect(sent.files?.[0]?.name).toMatch(/^values-\d{8}-\d{4}\.xlsx$/);
    const rows = await rowsInFile(await download(ada, sent));
    expect(rows[0]).toEqual(['Barcode', 'Valid', 'Response', 'Exact']);
    expect(text(sent)).toContain(`${(rows.length - 1).toLocaleString('en-US')} value`);
    expect(rows.length).toBeGreaterThan(2);
    expect((await onRecord(testApp))[0]).toMatchObject({
      ...{ who: 'U0ADA', what: 'databases/export' },
      detail: { rows: rows.length - 1, databases: [id] },
    });
  });

  it('an export can be canceled by its requester, and not by a member without access', async () => {
    await testApp.rules({ faults: [{ method: 'files.getUploadURLExternal', times: 50, as: '503' }] });
    const since = (await testApp.calls()).at(-1)?.n ?? 0;
    await ask(ada, 'since 2020-01-01', 'channel');
    const shown = await eventually(
      async () => (await ada.messages()).find((message) => text(message).includes('Exporting scans…')),
      'the progress',
    );
    await mia.clickMessage(shown, 'export.cancel');
    await eventually(
      async () => (await mia.messages()).some((message) => text(message).includes('people with access')),
      'the refusal',
    );
    await eventually(
      async () => (await testApp.calls(since)).some(({ method, ok }) => method === 'files.getUploadURLExternal' && !ok),
      'an attempt to send the file',
    );
    await ada.clickMessage(shown, 'export.cancel');
    const ended = await eventually(async () => {
      const now = (await ada.messages()).find(({ ts }) => ts === shown.ts);
      return now && text(now).includes('Export canceled') ? now : undefined;
    }, 'the end');
    expect(JSON.stringify(ended.blocks)).not.toContain('export.cancel');
    await testApp.rules({ faults: [] });
    expect((await onRecord(testApp))[0]).toMatchObject({ what: 'scans/export', outcome: 'cancelled' });
  });

  it('an export whose file cannot be sent for lack of a scope says which permission is missing', async () => {
    await testApp.rules({
      faults: [
        {
          method: 'files.getUploadURLExternal',
          times: 1,
          as: 'refused',
          error: 'missing_scope',
          needed: 'files:write',
        },
      ],
    });
    await ask(ada, 'since 2020-01-01', 'person');
    const told = await eventually(
      async () => (await ada.directMessages()).find((message) => text(message).includes('files:write')),
      'what is missing',
    );
    expect(text(told)).toContain('Scandesk can’t send the file: it is missing the permission files:write');
  });
});
