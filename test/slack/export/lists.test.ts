/** The files of lists: who is inside and what is out, for the person who may see it, and deleted from Slack a day later. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { silentLog } from '../../../src/log.js';
import { createPlaces, type PlaceSettings, type Places, placeSettings } from '../../../src/places/index.js';
import type { ShownMessage } from '../../../src/sandbox/slack/api.js';
import { linkMember } from '../../../src/workspaces/members.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { addJob, jobsOf } from '../../helpers/jobs.js';
import { recordsInFile } from '../../helpers/spreadsheets.js';
import { wideIt } from '../../helpers/tier/wide-it.js';
import { read } from '../block-kit/reading.js';
import { connect, onRecord } from '../connected.js';
import { closeAll, makeRelay, reads, scan, text } from '../relays/relay-stage.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };
const hour = 3_600_000;
const utc = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;
const moving = (direction: string) => [{ kind: 'property', name: 'direction', how: 'equals', to: direction }] as const;

onEachDatabase('the file of a list', ({ fresh }) => {
  let skew = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + skew };
  let folder: string;
  let databaseUrl: string;
  let testApp: TestApp;
  let store: Store;
  let places: Places;
  let relay: { readonly url: string };
  let ada: Person;
  let mia: Person;

  const start = async () => {
    const settings = { POST_INTERVAL_MS: '0' };
    testApp = await startTestApp({ databaseUrl, clock, settings, workspaceFile: join(folder, 'workspace.db') });
    ada = testApp.person('U0ADA');
    mia = testApp.person('U0MIA');
  };
  const makeList = async (name: string, more: Partial<PlaceSettings>, inside = 'in') => {
    const began = new Date(clock.now() - 6 * hour).getUTCHours();
    const settings = { in: moving(inside), out: moving('out'), zone: 'Europe/Berlin', hour: began, ...more };
    await places.create(owner, { name, settings: placeSettings.parse(settings) }, ada.id);
  };
  const listNamed = async (name: string) => (await places.lists(owner)).find((list) => list.name === name)!;
  const change = async (name: string, more: Partial<PlaceSettings>) => {
    const list = await listNamed(name);
    await places.change(list.id, { name, settings: { ...list.settings, ...more } });
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scandesk-lists-'));
    databaseUrl = await fresh();
    await start();
    store = await openTestStore(databaseUrl, { clock });
    places = createPlaces({
      ...{ store, clock, random: systemRandom, log: silentLog, relays: { validators: async () => [] } },
      ...{ instanceId: 'test', open: async () => undefined, onPosts: () => undefined },
    });
    await connect(ada);
    relay = await makeRelay(ada, { channel: 'C0FRONTGATE', notable: 'invalid' });
    await closeAll(ada);
    await linkMember({ store }, owner, '701', { id: 'U0MIA', name: 'Mia Marsh' });
    await makeList('Main hall', { rollCall: ['U0MIA'], name: { by: 'property', name: 'guest' } });
    await makeList('Bar', { rollCall: ['U0MIA'] }, 'bar');
    await makeList('Tools', { custody: { channel: 'C0FRONTGATE', others: 'managers' }, hour: undefined }, 'back');
    await change('Tools', { out: moving('lend') as never });
  }, 60_000);
  afterAll(async () => {
    await store?.close();
    await testApp?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const pass = async (tid: string, direction: string, more: Record<string, string> = {}) => {
    const at = clock.now() - 60_000;
    const scanned_at_utc = utc(at).slice(0, 19).replace('T', ' ');
    await scan(relay.url, { tid, status: '1', sid: '9', direction, scanned_at_utc, ...more });
    return utc(at);
  };
  const counted = (name: string, inside: boolean, many: number) =>
    eventually(async () => (await places.bySide(await listNamed(name), inside)).length === many, `${many} in ${name}`);
  const openRollCall = async (person: Person, list: string) => {
    await closeAll(person);
    await person.clickMessage(await person.command(`/scandesk inside "${list}"`), 'places.roll');
    return person.seesForm('places.roll');
  };
  const askFor = async (person: Person, list: string) => {
    await person.click(await openRollCall(person, list), 'export.roll_call');
    await person.submit(await person.seesForm('export.form'));
    await reads(person, 'Export started.');
    await closeAll(person);
  };
  const messageOf = (message: ShownMessage) => read((message.blocks ?? []) as never);
  /** The newest message with a file and these words. */
  const sent = async (person: Person, words: string, since: number) =>
    eventually(
      async () =>
        (await person.directMessages()).find(
          (message) => message.files && Number(message.ts) * 1_000 >= since && messageOf(message).includes(words),
        ),
      `a file with “${words}”`,
      30_000,
    );
  const download = async (person: Person, message: ShownMessage) => {
    const answer = await fetch(`${testApp.slackUrl}/sandbox/file/${message.files?.[0]?.id}?as=${person.id}`);
    return { status: answer.status, file: new Uint8Array(await answer.arrayBuffer()) };
  };
  const rowsOf = async (person: Person, message: ShownMessage): Promise<Record<string, string>[]> =>
    recordsInFile((await download(person, message)).file);
  const deletions = async () => (await testApp.calls()).filter(({ method }) => method === 'files.delete');
  const kept = async () => (await jobsOf(store, 'export')).length + (await jobsOf(store, 'export_file')).length;
  const isDeleted = (person: Person, { ts }: ShownMessage) =>
    eventually(
      async () => {
        const files = (await person.directMessages()).find((message) => message.ts === ts)?.files;
        return files?.length === 1 && files[0]?.deleted;
      },
      'the file to be deleted',
      30_000,
    );

  it('the file of a roll call lists all who are inside with gate and time, and names who asked for it', async () => {
    const inAt = new Map<string, string>();
    const guests = { 'T-1': '=HYPERLINK("x")', 'T-2': 'Ann O’Hara', '0012': '', GONE: 'Bob' };
    for (const [tid, guest] of Object.entries(guests)) {
      inAt.set(tid, await pass(tid, 'in', guest === '' ? {} : { guest }));
    }
    await counted('Main hall', true, 4);
    await pass('GONE', 'out', { scanned_at_utc: utc(clock.now()).slice(0, 19).replace('T', ' ') });
    await counted('Main hall', true, 3);
    const since = clock.now();
    await askFor(mia, 'Main hall');
    const message = await sent(mia, 'Roll call: Main hall', since);
    const rows = await rowsOf(mia, message);
    const truth = ['T-1', 'T-2', '0012'].map((tid) => [tid, inAt.get(tid)]);
    expect(rows.map((row) => [row.Barcode, row['Inside since (UTC)']]).sort()).toEqual(truth.sort());
    expect(Object.keys(rows[0]!)).toEqual([
      ...['Name', 'Barcode', 'Gate', 'Inside since (UTC)', 'Inside since (Europe/Berlin)'],
    ]);
    expect(Object.fromEntries(rows.map(({ Barcode = '', Name }) => [Barcode, Name]))).toEqual({
      ...{ 'T-1': '=HYPERLINK("x")', 'T-2': 'Ann O’Hara', '0012': '' },
    });
    expect(new Set(rows.map(({ Gate }) => Gate))).toEqual(new Set(['D-1']));
    expect(messageOf(message)).toContain('3 barcodes exported');
    expect(messageOf(message)).toMatch(/As of .*Asked for by .*The file stays until /s);
    expect(JSON.stringify(message.blocks)).toContain('"user_id":"U0MIA"');
    expect(message.files?.[0]?.name).toMatch(/^roll-call-\d{8}-\d{4}\.xlsx$/);
    expect((await onRecord(testApp))[0]).toMatchObject({
      ...{ who: 'U0MIA', what: 'places/roll_call_export', outcome: 'ok' },
      detail: { list: 'Main hall', rows: 3 },
    });
    const inChannels = await Promise.all(['C0GENERAL', 'C0FRONTGATE'].map((channel) => ada.messages(channel)));
    expect(inChannels.flat().filter(({ files }) => files)).toEqual([]);
  }, 60_000);

  wideIt(
    'the file of a list that does not say who people are has no names',
    async () => {
      await pass('T-9', 'bar', { guest: 'Carol' });
      await counted('Bar', true, 1);
      const since = clock.now();
      await askFor(ada, 'Bar');
      const message = await sent(ada, 'Roll call: Bar', since);
      const [row] = await rowsOf(ada, message);
      expect(Object.keys(row ?? {}).slice(0, 2)).toEqual(['Barcode', 'Gate']);
      expect(Object.values(row ?? {})).not.toContain('Carol');
    },
    60_000,
  );

  wideIt(
    'the file of lent things lists a member’s own things, and for an admin all or the searched things',
    async () => {
      await pass('DRILL-1', 'lend', { userid: '701' });
      await pass('SAW-2', 'lend', { userid: '702' });
      await counted('Tools', false, 2);
      const outOf = async (person: Person, words: string, since = clock.now()) => {
        await person.clickMessage(await person.command(`/scandesk out ${words}`.trim()), 'export.out');
        await eventually(
          async () => (await person.messages()).some((message) => messageOf(message).includes('Export started.')),
          'that it started',
        );
        const message = await sent(person, 'What is out', since);
        return { message, things: (await rowsOf(person, message)).map(({ Barcode = '' }) => Barcode) };
      };
      const own = await outOf(mia, '');
      expect(own.things).toEqual(['DRILL-1']);
      expect(await rowsOf(mia, own.message)).toMatchObject([{ 'Who has it': expect.stringContaining('Mia Marsh') }]);
      expect((await onRecord(testApp))[0]).toMatchObject({
        ...{ who: 'U0MIA', what: 'places/out_export', detail: { rows: 1 } },
      });
      expect((await outOf(ada, '')).things.sort()).toEqual(['DRILL-1', 'SAW-2']);
      const found = await outOf(ada, 'saw');
      expect(found.things).toEqual(['SAW-2']);
      expect((await onRecord(testApp))[0]).toMatchObject({ who: 'U0ADA', detail: { rows: 1, value: 'saw' } });
      expect(messageOf(found.message)).toMatch(/What is out with “saw”.*The file stays until /s);
    },
    60_000,
  );

  wideIt(
    'the file of a roll call is refused to a person who lost access to it, by an old button and before sending',
    async () => {
      const seen = await openRollCall(mia, 'Bar');
      await change('Bar', { rollCall: [] });
      await mia.click(seen, 'export.roll_call');
      expect(text(await reads(mia, 'admin'))).not.toContain('Export started');
      expect((await onRecord(testApp))[0]).not.toMatchObject({ what: 'places/roll_call_export', who: 'U0MIA' });
      await change('Bar', { rollCall: ['U0MIA'] });
      await testApp.rules({ faults: [{ method: 'files.getUploadURLExternal', times: 1_000, as: '503' }] });
      const files = async () => (await mia.directMessages()).filter(({ files: some }) => some).length;
      const before = await files();
      const last = (await testApp.calls()).at(-1)?.n;
      await askFor(mia, 'Bar');
      await eventually(
        async () =>
          (await testApp.calls(last)).some(({ method, ok }) => method === 'files.getUploadURLExternal' && !ok),
        'a try to send it',
      );
      await change('Bar', { rollCall: [] });
      await testApp.rules({ faults: [] });
      await eventually(
        async () =>
          (await mia.directMessages()).some((message) =>
            messageOf(message).includes('may no longer see what is in it'),
          ),
        'the refusal',
        30_000,
      );
      expect(await files()).toBe(before);
      expect((await onRecord(testApp))[0]).toMatchObject({ who: 'U0MIA', outcome: 'export.no_access' });
    },
    60_000,
  );

  wideIt(
    'the file of lent things is not sent once its list no longer shows them to everyone',
    async () => {
      const tools = { channel: 'C0FRONTGATE' };
      const askWhileSlackFails = async (others: 'everyone' | 'managers') => {
        await change('Tools', { custody: { ...tools, others } });
        await testApp.rules({ faults: [{ method: 'files.getUploadURLExternal', times: 1_000, as: '503' }] });
        const last = (await testApp.calls()).at(-1)?.n;
        await mia.clickMessage(await mia.command('/scandesk out'), 'export.out');
        await eventually(
          async () =>
            (await testApp.calls(last)).some(({ method, ok }) => method === 'files.getUploadURLExternal' && !ok),
          'a try to send it',
        );
        await change('Tools', { custody: { ...tools, others: 'managers' } });
        await testApp.rules({ faults: [] });
      };
      const refusals = async () =>
        (await mia.directMessages()).filter((message) => messageOf(message).includes('may no longer see what is in it'))
          .length;
      const before = await refusals();
      await askWhileSlackFails('everyone');
      await eventually(async () => (await refusals()) === before + 1, 'the refusal', 30_000);
      expect((await onRecord(testApp))[0]).toMatchObject({ who: 'U0MIA', outcome: 'export.no_access' });
      const since = clock.now();
      await askWhileSlackFails('managers');
      const rows = await rowsOf(mia, await sent(mia, 'What is out', since));
      expect(rows.map(({ Barcode }) => Barcode)).toEqual(['DRILL-1']);
    },
    90_000,
  );

  wideIt(
    'the file of a deleted list is not sent, and the person is told why',
    async () => {
      const seen = await openRollCall(ada, 'Bar');
      const { id, name, settings } = await listNamed('Bar');
      await places.remove(id);
      await ada.click(seen, 'export.roll_call');
      expect(text(await reads(ada, 'Somebody deleted this list meanwhile.'))).not.toContain('Export started');
      await closeAll(ada);
      const connection = await store.workspaces.connection(owner);
      const what = { kind: 'roll_call', list: { id, name }, zone: settings.zone, named: false };
      const state = { who: ada.id, channel: ada.id, mode: 'spreadsheet', state: 'reading', what, position: {} };
      await addJob(store, {
        ...{ owner, kind: 'export', key: 'list-gone', createdAt: clock.now(), dueAt: clock.now() },
        state: { ...state, connectedAt: connection?.connectedAt, chunks: 0, rows: 0, bytes: 0 },
      });
      await eventually(
        async () =>
          (await ada.directMessages()).some(
            (message) => messageOf(message).includes('Somebody deleted this list meanwhile.') && !message.files,
          ),
        'what became of it',
        30_000,
      );
    },
    60_000,
  );

  it('the files of lists are deleted at once where a barcode is forgotten', async () => {
    const since = clock.now();
    await askFor(mia, 'Main hall');
    const message = await sent(mia, 'Roll call: Main hall', since);
    const before = (await deletions()).length;
    await ada.say('/scandesk forget "T-1"');
    await ada.submit(await ada.seesForm('forget.confirm'));
    await isDeleted(mia, message);
    await eventually(async () => (await kept()) === 0, 'no export to be kept', 30_000);
    expect((await deletions()).length).toBeGreaterThan(before);
    await closeAll(ada);
  }, 60_000);

  it('the file of a list is deleted after 24 hours, though the app restarts and Slack fails twice', async () => {
    const since = clock.now();
    await askFor(mia, 'Main hall');
    const message = await sent(mia, 'Roll call: Main hall', since);
    await eventually(async () => (await kept()) === 1, 'the file to wait for its end');
    skew += 23 * hour;
    await systemClock.sleep(6_000);
    expect((await download(mia, message)).status).toBe(200);
    await testApp.stop();
    skew += hour + 60_000;
    await start();
    const faults = [
      { method: 'files.delete', times: 1, as: '503' as const },
      { method: 'files.delete', times: 1, as: 'die' as const },
    ];
    await testApp.rules({ faults });
    await isDeleted(mia, message);
    await eventually(async () => (await kept()) === 0, 'its row to go', 30_000);
    // The second try deleted the file, and the third one learned that.
    expect(await deletions()).toHaveLength(3);
    expect((await deletions()).at(-1)).toMatchObject({ ok: false });
    expect((await download(mia, message)).status).toBe(404);
    const now = (await mia.directMessages()).find(({ ts }) => ts === message.ts)!;
    expect(messageOf(now)).toContain('Roll call: Main hall');
    expect(messageOf(now)).toContain('The file stays until');
    expect((await mia.directMessages()).some((each) => messageOf(each).includes('Exporting'))).toBe(false);
  }, 90_000);
});
