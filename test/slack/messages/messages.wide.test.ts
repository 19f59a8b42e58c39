import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../../src/clock.js';
import { sharedValue } from '../../../src/sandbox/codereadr/sample/values.js';
import type { ShownMessage } from '../../../src/sandbox/slack/api.js';
import { drawSymbol, photograph } from '../../bench/drawn-pictures.js';
import { read } from '../block-kit/reading.js';
import { connect } from '../connected.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

const bot = 'U0SCANDESK1';

let isHurried = false;
/** The notice that a request takes long comes at once, where a test hurries it. */
const appClock: Clock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(isHurried && ms === 2_500 ? 50 : ms, signal),
};
let app: TestApp;
let ada: Person;
let mia: Person;
let direct: string;
const lines: string[] = [];

beforeAll(async () => {
  app = await startTestApp({ lines, appClock });
  ada = app.person('U0ADA');
  mia = app.person('U0MIA');
  await connect(ada);
  await mia.openHome();
  direct = (await mia.channels()).find((channel) => channel.is_im)!.id;
  await app.post('/sandbox/invite', { as: 'U0ADA', channel: 'C0GENERAL', user: bot });
});
afterAll(() => app?.stop());
afterEach(async () => {
  isHurried = false;
  await app.rules({ faults: [] });
  await app.post('/sandbox/install', {});
});

async function upload(person: Person, name: string, content: Uint8Array): Promise<string> {
  const form = new FormData();
  form.append('as', person.id);
  form.append('file', new Blob([new Uint8Array(content)]), name);
  const answer = await fetch(`${app.slackUrl}/sandbox/upload`, { method: 'POST', body: form });
  return ((await answer.json()) as { file: { id: string } }).file.id;
}

const photo = async (...texts: string[]) =>
  photograph(await Promise.all(texts.map((text) => drawSymbol({ format: 'Code128', text }))), { degrees: 4, jpeg: 80 });

/** What the app says after `work`, to this person in this channel. */
async function answerTo(
  work: () => Promise<unknown>,
  person = mia,
  channel = 'C0GENERAL',
  isAnswer: (message: ShownMessage) => boolean = (message) => !/^(One moment|Reading)/.test(message.text),
): Promise<ShownMessage> {
  const before = new Set((await person.messages(channel)).map(({ ts }) => ts));
  await work();
  return eventually(
    async () =>
      (await person.messages(channel)).find(
        (message) => !before.has(message.ts) && message.user === bot && isAnswer(message),
      ),
    'an answer',
  );
}

const send = (person: Person, channel: string, text: string, files: readonly string[] = [], thread?: string) =>
  app.post('/sandbox/say', { as: person.id, channel, text, files, ...(thread ? { thread_ts: thread } : {}) });

/** The newest message of this person. */
const lastOf = async (person: Person, channel = 'C0GENERAL') =>
  (await person.messages(channel)).findLast((message) => message.user === person.id)!;

const lookUpIn = (person: Person, { channel, ts }: ShownMessage) =>
  app.post('/sandbox/shortcut', { as: person.id, callback_id: 'message.lookup', channel, message_ts: ts });

describe('*Look up barcodes* on a message', () => {
  test('*Look up barcodes* uses Slack’s thumbnail of a picture in a format that Scandesk cannot read', async () => {
    const file = await upload(ada, 'phone.heic', await photo(sharedValue));
    await send(ada, 'C0GENERAL', '', [file]);
    const card = await answerTo(async () => lookUpIn(mia, await lastOf(ada)));
    expect(read(card.blocks)).toContain(sharedValue);
  });

  /** A GS1 barcode by its symbology alone: its text could be any other barcode's. */
  const gs1 = async () => photograph([await drawSymbol({ format: 'DataMatrix', text: '[10]LOT7788', options: 'gs1' })]);
  const parts = 'Batch LOT7788';

  test('*Look up barcodes* keeps a picture’s GS1 reading on a card opened from a refreshed list', async () => {
    const files = [await upload(ada, 'lot.png', await gs1()), await upload(ada, 'other.jpg', await photo(sharedValue))];
    await send(ada, 'C0GENERAL', '', files);
    const asked = await lastOf(ada);
    const card = await answerTo(() => lookUpIn(mia, asked));
    await mia.clickMessage(card, 'lookup.several.again');
    const again = await eventually(
      async () => (await mia.messages('C0GENERAL')).find(({ ts, edited }) => ts === card.ts && edited),
      'the list again',
    );
    const opened = await answerTo(() => mia.clickMessage(again, 'lookup.open'));
    expect(read(opened.blocks)).toContain(parts);
  });
});

describe('a mention', () => {
  test('a picture’s NUL barcode is explained, and the other barcode in the picture is looked up', async () => {
    const file = await upload(mia, 'photo.jpg', await photo('AB\0CD', sharedValue));
    const card = await answerTo(() => send(mia, direct, '', [file]), mia, direct);
    expect(read(card.blocks)).toContain('Stock room');
    expect(read(card.blocks)).toContain('a character that no database keeps');
  });
});
