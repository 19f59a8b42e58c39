import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../../src/clock.js';
import { sharedValue } from '../../../src/sandbox/codereadr/sample/values.js';
import type { ShownMessage } from '../../../src/sandbox/slack/api.js';
import { drawSymbol, photograph } from '../../bench/drawn-pictures.js';
import { read } from '../block-kit/reading.js';
import { askAccount, connect } from '../connected.js';
import { botToken, eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

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

const quiet = () => new Promise((done) => setTimeout(done, 300));

describe('*Look up barcodes* on a message', () => {
  test('*Look up barcodes* on a message answers privately, and *Reply in thread* shares the card in its thread', async () => {
    await send(ada, 'C0GENERAL', `Has anybody seen ${sharedValue} today?`);
    const asked = await lastOf(ada);
    const card = await answerTo(() => lookUpIn(mia, asked));
    expect(card.ephemeral_for).toBe('U0MIA');
    expect(read(card.blocks)).toContain('Stock room');
    expect(JSON.stringify(card.blocks)).toContain('Reply in thread');
    const shared = await answerTo(() => mia.clickMessage(card, 'lookup.share'), ada);
    expect(shared).toMatchObject({ thread_ts: asked.ts });
    expect(shared.ephemeral_for).toBeUndefined();
    expect(read(shared.blocks)).toContain('Shared by');
  });

  test('*Look up barcodes* reads a message’s pictures, and names a picture without a barcode', async () => {
    const files = [
      await upload(ada, 'labels.jpg', await photo(sharedValue, 'HLF-999999')),
      await upload(
        ada,
        'wall.png',
        await sharp({ create: { width: 90, height: 90, channels: 3, background: '#ccc' } })
          .png()
          .toBuffer(),
      ),
    ];
    await send(ada, 'C0GENERAL', 'look', files);
    const card = await answerTo(async () => lookUpIn(mia, await lastOf(ada)));
    expect(read(card.blocks)).toMatch(/2 barcodes/);
    expect(read(card.blocks)).toContain(sharedValue);
    expect(read(card.blocks)).toContain('No barcode found in “wall.png”');
  });

  test('a picture of an EAN-13 code that begins with zero is looked up with 12 and with 13 digits', async () => {
    const symbols = await Promise.all(
      ['0036000291452', '0042100005264'].map((text) => drawSymbol({ format: 'EAN13', text })),
    );
    for (const value of ['0036000291452', '042100005264']) {
      await askAccount(app, 'databases', 'addvalue', { database_id: '1021', value, response: `Stored as ${value}` });
    }
    const cardOf = async (...pictures: typeof symbols) => {
      await send(ada, 'C0GENERAL', '', [await upload(ada, 'label.jpg', await photograph(pictures, { jpeg: 80 }))]);
      return read((await answerTo(async () => lookUpIn(mia, await lastOf(ada)))).blocks);
    };
    expect(await cardOf(symbols[0]!)).toContain('Stored as 0036000291452');
    expect(await cardOf(symbols[1]!)).toContain('Stored as 042100005264');
    const several = await cardOf(...symbols);
    expect(several).toContain('2 barcodes: 2 valid');
    expect(several).toMatch(/0036000291452[\s\S]*Stored as/);
  });

  /** A GS1 barcode by its symbology alone: its text could be any other barcode's. */
  const gs1 = async () => photograph([await drawSymbol({ format: 'DataMatrix', text: '[10]LOT7788', options: 'gs1' })]);
  const parts = 'Batch LOT7788';

  test('*Look up barcodes* shows a picture’s GS1 reading on its card, also after the card is redrawn', async () => {
    await send(ada, 'C0GENERAL', '', [await upload(ada, 'lot.png', await gs1())]);
    const asked = await lastOf(ada);
    await app.accountFaults({ next: [{ operation: 'scans/retrieve', as: 'refused', code: '2', times: 1 }] });
    const card = await answerTo(() => lookUpIn(mia, asked));
    expect(read(card.blocks)).toContain(parts);
    await mia.clickMessage(card, 'lookup.again');
    const again = await eventually(
      async () => (await mia.messages('C0GENERAL')).find(({ ts, edited }) => ts === card.ts && edited),
      'the card again',
    );
    expect(read(again.blocks)).toContain(parts);
    const store = await app.openStore();
    await store.db.deleteFrom('keyv').where('namespace', '=', 'lookup').execute();
    await store.close();
    const shared = await answerTo(() => mia.clickMessage(again, 'lookup.share'), ada);
    expect(shared.thread_ts).toBe(asked.ts);
    expect(read(shared.blocks)).toContain(parts);
    await mia.say('/barcode');
    await mia.click(await mia.seesForm('lookup.form'), 'lookup.recent');
    const recent = await eventually(async () => {
      const view = await mia.window();
      return view && read(view.view.blocks).includes(parts) ? view : undefined;
    }, 'the card in the window, with its parts');
    await mia.close(recent);
  });

  test('*Look up barcodes* finds the article of a GS1 barcode, typed in a message or in its picture', async () => {
    await askAccount(app, 'databases', 'addvalue', { database_id: '1021', value: '5400000002649', response: 'Soap' });
    const text = '[01]05400000002649[10]LOT1';
    const symbol = await drawSymbol({ format: 'DataMatrix', text, options: 'gs1' });
    await send(ada, 'C0GENERAL', 'is it (01)05400000002649(10)LOT1?');
    const typed = await answerTo(async () => lookUpIn(mia, await lastOf(ada)));
    await send(ada, 'C0GENERAL', '', [await upload(ada, 'soap.png', await photograph([symbol]))]);
    const photographed = await answerTo(async () => lookUpIn(mia, await lastOf(ada)));
    for (const card of [typed, photographed]) {
      expect(read(card.blocks)).toMatch(/^5400000002649\n/);
      expect(read(card.blocks)).toContain('Soap');
    }
  });

  test('*Look up barcodes* on a message without a barcode says that no barcode was found', async () => {
    await send(ada, 'C0GENERAL', 'Good morning everyone');
    const answer = await answerTo(async () => lookUpIn(mia, await lastOf(ada)));
    expect(read(answer.blocks)).toContain('No barcode found in this message.');
  });

  test('*Look up barcodes* without the scope for pictures names the scope, and looks up the text', async () => {
    const file = await upload(ada, 'label.jpg', await photo('HLF-999999'));
    await send(ada, 'C0GENERAL', `this one: ${sharedValue}`, [file]);
    await app.post('/sandbox/install', { scopes: ['commands', 'chat:write', 'users:read', 'channels:read'] });
    const card = await answerTo(async () => lookUpIn(mia, await lastOf(ada)));
    expect(read(card.blocks)).toContain('Stock room');
    expect(read(card.blocks)).toContain('missing the permission files:read');
  });

  test('*Look up barcodes* on a message refuses a guest', async () => {
    await send(ada, 'C0FRONTGATE', `${sharedValue}`);
    const gus = app.person('U0GUS');
    const answer = await answerTo(async () => lookUpIn(gus, await lastOf(ada, 'C0FRONTGATE')), gus, 'C0FRONTGATE');
    expect(read(answer.blocks)).toContain('Guests can’t use Scandesk.');
  });
});

describe('a mention', () => {
  test('a mention is answered to its author alone, with *Reply in thread*', async () => {
    const card = await answerTo(() => send(mia, 'C0GENERAL', `@scandesk ${sharedValue}`));
    expect(card.ephemeral_for).toBe('U0MIA');
    expect(read(card.blocks)).toContain('Stock room');
    expect(JSON.stringify(card.blocks)).toContain('Reply in thread');
  });

  test('a mention in a thread is answered in the same thread', async () => {
    await send(ada, 'C0GENERAL', 'a question');
    const parent = await lastOf(ada);
    const card = await answerTo(() => send(mia, 'C0GENERAL', `@scandesk ${sharedValue}`, [], parent.ts));
    expect(card).toMatchObject({ thread_ts: parent.ts, ephemeral_for: 'U0MIA' });
  });

  test('text that looks like an API key in a mention or a direct message is not repeated', async () => {
    const key = '9f7a0c52d1e84b6f3a7c5e9d0b1f2a34';
    for (const channel of ['C0GENERAL', direct]) {
      const answer = await answerTo(() => send(mia, channel, `@scandesk connect ${key}`), mia, channel);
      expect(JSON.stringify(answer)).not.toContain(key);
      expect(read(answer.blocks)).toContain('looks like an API key');
    }
  });

  test('text that looks like an API key in a message is neither looked up nor repeated', async () => {
    const key = '9f7a0c52d1e84b6f3a7c5e9d0b1f2a34';
    await send(ada, 'C0GENERAL', `the key is ${key}`);
    const asked = await lastOf(ada);
    const answer = await answerTo(() => lookUpIn(mia, asked));
    expect(JSON.stringify(answer)).not.toContain(key);
    expect(read(answer.blocks)).toContain('looks like an API key');
  });

  test.each(['/barcode', '/barcode make', '/scandesk watch', '/scandesk mute', '/scandesk forget', '/scans'])(
    'a NUL character in the text after %s is explained',
    async (command) => {
      const answer = await ada.command(`${command} AB\0CD`, 'C0GENERAL');
      expect(read(answer.blocks)).toContain('a character that no database keeps');
    },
  );

  test.each([
    ['a mention', 'chat.postEphemeral', (): string => 'C0GENERAL', '@scandesk HLF-000123'],
    ['a direct message', 'chat.postMessage', (): string => direct, 'HLF-000123'],
  ] as const)(
    'an answer that Slack posted without confirming it is posted only once: %s',
    async (_what, method, where, typed) => {
      const channel = where();
      const before = new Set((await mia.messages(channel)).map(({ ts }) => ts));
      await app.rules({ faults: [{ method, as: 'die', times: 1 }] });
      const said = async (): Promise<readonly string[]> =>
        (await mia.messages(channel)).filter(({ ts, user }) => !before.has(ts) && user === bot).map(({ text }) => text);
      await send(mia, channel, typed);
      await eventually(
        async () => (await said()).some((line) => line.includes('didn’t confirm')),
        'that it may be there',
      );
      expect((await said()).filter((line) => !line.includes('didn’t confirm'))).toHaveLength(1);
      expect(await said()).toHaveLength(2);
    },
  );

  test('a mention without a barcode shows help', async () => {
    const help = await answerTo(() => send(mia, 'C0GENERAL', '@scandesk'));
    expect(read(help.blocks)).toContain('/barcode VALUE');
  });
});

describe('a direct message', () => {
  test('a direct message with a barcode is answered with its card, which cannot be shared', async () => {
    const card = await answerTo(() => send(mia, direct, sharedValue), mia, direct);
    expect(card.ephemeral_for).toBeUndefined();
    expect(read(card.blocks)).toContain('Stock room');
    expect(JSON.stringify(card.blocks)).not.toMatch(/Share here|Reply in thread/);
  });

  test('a direct message with a photo is answered with the card of the barcode in the photo', async () => {
    const file = await upload(mia, 'photo.jpg', await photo(sharedValue));
    const card = await answerTo(() => send(mia, direct, '', [file]), mia, direct);
    expect(read(card.blocks)).toContain('Stock room');
  });

  test.each(['hi', 'thanks!', 'Thank you :+1:', '?'])(
    'the direct message “%s” gets a friendly line of help, and no card',
    async (typed) => {
      const answer = await answerTo(() => send(mia, direct, typed), mia, direct);
      expect(read(answer.blocks)).toContain('Happy to help. Send me a barcode or a photo of one');
      expect(read(answer.blocks)).not.toContain('Unknown');
    },
  );

  test.each(['> 0012399', '票号：0012399，谢谢', '0012399 –', '- 0012399'])(
    'the direct message “%s” is answered with the card of its barcode alone',
    async (typed) => {
      const card = await answerTo(() => send(mia, direct, typed), mia, direct);
      expect(read(card.blocks)).toMatch(/^0012399\s*❔ Unknown/);
      expect(read(card.blocks)).not.toContain('barcodes:');
    },
  );

  test('a UPC-E code is found by its eight digits, from a photo and from what is printed on it as UPC-A', async () => {
    await askAccount(app, 'databases', 'addvalue', { database_id: '1021', value: '01234565', response: 'Gum' });
    const file = await upload(
      mia,
      'gum.jpg',
      await photograph([await drawSymbol({ format: 'UPCE', text: '01234565' })], { jpeg: 85 }),
    );
    const photographed = await answerTo(() => send(mia, direct, '', [file]), mia, direct);
    const typed = await answerTo(() => send(mia, direct, '012345000065'), mia, direct);
    for (const card of [photographed, typed]) {
      expect(read(card.blocks)).toMatch(/^01234565\nThe same barcode as 0*12345000065, which no database has/);
      expect(read(card.blocks)).toContain('Gum');
    }
  });

  test('the line “Reading the picture…” in a direct message is replaced by its answer', async () => {
    const file = await upload(mia, 'slow.jpg', await photo(sharedValue));
    await app.rules({ faults: [{ method: 'files.info', times: 1, as: 'slow', delayMs: 400 }] });
    isHurried = true;
    const last = (await app.calls()).at(-1)?.n;
    const card = await answerTo(() => send(mia, direct, '', [file]), mia, direct);
    expect(read(card.blocks)).toContain('Stock room');
    const posted = (await app.calls(last)).filter(({ method }) => method === 'chat.postMessage');
    expect(posted.map(({ body }) => body.text)).toEqual([expect.stringMatching(/^Reading the picture/)]);
    const later = (await mia.messages(direct)).filter((message) => message.user === bot && message.ts > card.ts);
    expect(later).toEqual([]);
  });

  test('a direct message that is edited, or sent again by Slack, is not answered again', async () => {
    await app.rules({ acknowledgeMs: 3_000 });
    const card = await answerTo(() => send(mia, direct, 'HLF-000777'), mia, direct);
    await app.post('/sandbox/edit', {
      as: 'U0MIA',
      channel: direct,
      ts: (await lastOf(mia, direct)).ts,
      text: 'HLF-000778',
    });
    await quiet();
    expect((await mia.messages(direct)).filter((message) => message.user === bot).at(-1)!.ts).toBe(card.ts);
    const body = JSON.stringify({
      type: 'event_callback',
      team_id: 'T0SANDBOX1',
      event_id: 'Ev0TWICE',
      event_time: Math.floor(Date.now() / 1000),
      authorizations: [
        { team_id: 'T0SANDBOX1', user_id: bot, is_bot: true, is_enterprise_install: false, enterprise_id: null },
      ],
      event: {
        type: 'message',
        channel: direct,
        channel_type: 'im',
        user: 'U0MIA',
        text: 'HLF-000779',
        ts: '1700000000.000100',
      },
    });
    const count = async () => (await mia.messages(direct)).filter((message) => message.user === bot).length;
    const before = await count();
    await Promise.all([1, 2, 3].map(() => app.signed(body, { type: 'application/json' })));
    await eventually(async () => (await count()) > before, 'an answer');
    await quiet();
    expect(await count()).toBe(before + 1);
  });

  test('the app sends no more direct messages after its own answers', async () => {
    const before = (await mia.messages(direct)).length;
    await quiet();
    expect((await mia.messages(direct)).length).toBe(before);
  });
});

test('the bot token is in no log line of lookups in messages', () => {
  expect(lines.join('\n')).not.toContain(botToken);
});
