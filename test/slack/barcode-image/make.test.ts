import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import type { ShownView } from '../../../src/sandbox/slack/api.js';
import { visible } from '../../../src/slack/block-kit/text.js';
import { wideIt } from '../../helpers/tier/wide-it.js';
import { read, shownTexts } from '../block-kit/reading.js';
import { connect } from '../connected.js';
import { closeAll, giveFile, inputsOf, submitForm } from '../operations/filling.js';
import { eventually, openInbox, type Person, startTestApp, type TestApp } from '../test-app.js';

interface ImageBlock {
  readonly type: string;
  readonly alt_text: string;
  readonly slack_file: { readonly id: string };
}

const imageOf = (shown: { readonly blocks?: readonly unknown[] }) =>
  (shown.blocks as readonly ImageBlock[]).find(({ type }) => type === 'image')!;
const actionsOf = (blocks: unknown) =>
  [...JSON.stringify(blocks).matchAll(/"action_id":"([^"]+)"/g)].map((match) => match[1]);

describe('/barcode make', () => {
  let testApp: TestApp;
  let ada: Person;
  let mia: Person;
  beforeAll(async () => {
    const wasm = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'));
    await prepareZXingModule({
      overrides: { wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) as ArrayBuffer },
      fireImmediately: true,
    });
    testApp = await startTestApp();
    ada = testApp.person('U0ADA');
    mia = testApp.person('U0MIA');
    await connect(ada);
  });
  afterAll(() => testApp?.stop());
  afterEach(async () => {
    await testApp.accountFaults({ next: [] });
    await testApp.rules({ faults: [] });
    await closeAll(mia);
  });

  async function fileOf(person: Person, shown: { readonly blocks?: readonly unknown[] }): Promise<Uint8Array> {
    const answer = await fetch(`${testApp.slackUrl}/sandbox/file/${imageOf(shown).slack_file.id}?as=${person.id}`);
    expect(answer.status).toBe(200);
    return new Uint8Array(await answer.arrayBuffer());
  }

  async function decoded(person: Person, shown: { readonly blocks?: readonly unknown[] }) {
    const [found] = await readBarcodes(await fileOf(person, shown), { tryHarder: true });
    return found && { format: found.format, value: Buffer.from(found.bytes).toString('utf8') };
  }

  const uploads = async () =>
    (await testApp.calls()).filter(({ method }) => method === 'files.completeUploadExternal').length;

  it.each([
    ['00123', '00123'],
    ['1e5', '1e5'],
    ['help', 'help'],
    ['make', 'make'],
    ['" PALLET 7 "', ' PALLET 7 '],
    ['A&B <1>', 'A&B <1>'],
    ['*BOLT* `x` :100: <!channel>', '*BOLT* `x` :100: <!channel>'],
    ['Grün/ÄÖ Ω 部品', 'Grün/ÄÖ Ω 部品'],
    ['0104012345678901\\x1d17261231', '0104012345678901\u001d17261231'],
    [`${'9'.repeat(100)}`, '9'.repeat(100)],
  ])('/barcode make draws %s so that a barcode reader reads the exact value', async (typed, value) => {
    const answer = await mia.command(`/barcode make ${typed}`);
    expect(answer.ephemeral_for).toBe('U0MIA');
    expect(imageOf(answer).alt_text).toBe(visible(value));
    expect(shownTexts(answer.blocks)).toContainEqual({ how: 'exact', code: true, text: visible(value) });
    expect(await decoded(mia, answer)).toEqual({ format: expect.stringMatching(/^QR/), value });
  });

  it('/barcode make refuses a value of 101 characters and an empty value, and uploads no picture', async () => {
    const before = await uploads();
    expect(read((await mia.command(`/barcode make ${'9'.repeat(101)}`)).blocks)).toContain('101 characters');
    expect(read((await mia.command('/barcode make ""')).blocks)).toContain('nothing between the quotes');
    expect(await uploads()).toBe(before);
  });

  it('/barcode “make”, with the word in quotes, looks up the barcode “make”', async () => {
    expect(read((await mia.command('/barcode "make"')).blocks)).toMatch(/^make/);
  });

  it('/barcode make shares its picture in the channel once, however often Share is clicked, and says so', async () => {
    const answer = await mia.command('/barcode make SHARE-1', 'C0STOCKROOM');
    expect(actionsOf(answer.blocks)).toEqual(['made.share', 'made.change']);
    await Promise.all([mia.clickMessage(answer, 'made.share'), mia.clickMessage(answer, 'made.share')]);
    const own = await eventually(async () => {
      const message = (await mia.messages('C0STOCKROOM')).find(({ ts }) => ts === answer.ts);
      return message && read(message.blocks).includes('You shared this here.') ? message : undefined;
    }, 'the own message to say so');
    expect(actionsOf(own.blocks)).toEqual(['made.change']);
    const shared = (await ada.messages('C0STOCKROOM')).filter(({ blocks }) => read(blocks).includes('SHARE-1'));
    expect(shared).toHaveLength(1);
    expect(read(shared[0]!.blocks)).toContain('Created by <@U0MIA>');
    expect(actionsOf(shared[0]!.blocks)).toEqual([]);
    expect(await decoded(ada, shared[0]!)).toMatchObject({ value: 'SHARE-1' });
    await mia.clickMessage(answer, 'made.share').catch(() => undefined);
    expect((await ada.messages('C0STOCKROOM')).filter(({ blocks }) => read(blocks).includes('SHARE-1'))).toHaveLength(
      1,
    );
  });

  /** The form with everything under *More settings*. */
  async function unfolded(form: ShownView): Promise<ShownView> {
    await mia.click(form, 'form.more', undefined, 'g.');
    return eventually(async () => {
      const view = await mia.window();
      return JSON.stringify(view ?? '').includes('v.logo"') ? view : undefined;
    }, 'the logo');
  }

  it('/barcode make without a value asks for the value in a form, and draws a QR code as a PNG picture', async () => {
    await mia.say('/barcode make');
    const form = await mia.seesWindow('Create a barcode');
    const said = new Set((await mia.directMessages()).map(({ ts }) => ts));
    await submitForm(mia, form, { value: 'USUAL-1' });
    const told = await eventually(
      async () =>
        [...(await mia.messages()), ...(await mia.directMessages())].find(
          ({ ts, blocks }) => !said.has(ts) && read(blocks).includes('USUAL-1'),
        ),
      'the barcode',
    );
    expect(await decoded(mia, told)).toEqual({ format: 'QRCode', value: 'USUAL-1' });
    expect(await fileOf(mia, told)).toMatchObject({ 1: 0x50, 2: 0x4e, 3: 0x47 });
  });

  wideIt('/barcode make can redraw its picture with another symbology and text, in the same message', async () => {
    const value = ' LOOK\u001d1 ';
    const answer = await mia.command('/barcode make " LOOK\u001d1 "');
    await mia.clickMessage(answer, 'made.change');
    const form = await unfolded(await mia.seesWindow('Create a barcode'));
    const before = await uploads();
    await submitForm(mia, form, { barcodetype: 'pdf417', filetype: 'JPG', text: 'Gate <A>' });
    const changed = await eventually(async () => {
      const message = (await mia.messages()).find(({ ts }) => ts === answer.ts);
      return message?.edited ? message : undefined;
    }, 'the message to change');
    expect(await decoded(mia, changed)).toEqual({ format: 'PDF417', value });
    expect(imageOf(changed).slack_file.id).not.toBe(imageOf(answer).slack_file.id);
    expect(await uploads()).toBe(before + 1);
    await mia.clickMessage(changed, 'made.change');
    const again = await eventually(async () => {
      const view = await mia.window();
      return JSON.stringify(view ?? '').includes('"initial_value":"Gate <A>"') ? view : undefined;
    }, 'the form as it was');
    expect(JSON.stringify(again.view)).toMatch(/"initial_option":\{("value":"pdf417"|[^}]*\},"value":"pdf417")/);
  });

  wideIt('/barcode make without a value opens a form for value and size, with a logo under More settings', async () => {
    expect(await mia.say('/barcode make')).toMatchObject({ ok: true });
    const form = await mia.seesWindow('Create a barcode');
    expect(inputsOf(form).map(({ block_id }) => block_id)).toEqual(['v.value', 'v.size']);
    const open = await unfolded(form);
    const picture = await fileOf(mia, await mia.command('/barcode make LOGO'));
    const logo = await giveFile(testApp, mia, 'logo.png', picture);
    const said = new Set((await mia.directMessages()).map(({ ts }) => ts));
    await submitForm(mia, open, { value: 'WITH-LOGO', logo, logoposition: 'top' });
    const told = await eventually(
      async () =>
        [...(await mia.messages()), ...(await mia.directMessages())].find(
          ({ ts, blocks }) => !said.has(ts) && read(blocks).includes('WITH-LOGO'),
        ),
      'the barcode',
    );
    expect(actionsOf(told.blocks)).toEqual(['made.share', 'made.change']);
  });

  it('/barcode make explains a failure of the generator or of Slack, and a message too old to share', async () => {
    await testApp.accountFaults({ next: [{ as: 'html', times: 3 }] });
    expect(read((await mia.command('/barcode make X')).blocks)).toContain('can’t be read');
    await testApp.accountFaults({ next: [] });
    await testApp.rules({ faults: [{ method: 'files.getUploadURLExternal', times: 1, as: '500' }] });
    expect(read((await mia.command('/barcode make Y')).blocks)).toContain('Slack is having trouble right now');
    const inbox = await openInbox();
    const payload = {
      type: 'block_actions',
      user: { id: 'U0MIA', team_id: 'T0SANDBOX1' },
      team: { id: 'T0SANDBOX1', domain: 'harbour-hall' },
      channel: { id: 'C0GENERAL', name: 'general' },
      api_app_id: 'A0',
      token: 'x',
      trigger_id: 'none',
      container: { type: 'message', message_ts: '1.1', channel_id: 'C0GENERAL', is_ephemeral: true },
      response_url: inbox.url,
      actions: [
        { type: 'button', block_id: 'b', action_id: 'made.share', value: 'AAAAAAAAAAAAAAAA', action_ts: '1.1' },
      ],
    };
    await testApp.signed(new URLSearchParams({ payload: JSON.stringify(payload) }).toString());
    expect(read((await inbox.first()).blocks)).toContain('This message is too old');
    await inbox.close();
  });

  it('/barcode make refuses a guest', async () => {
    const guest = testApp.person('U0GUS');
    const answer = await guest.command('/barcode make X', 'C0FRONTGATE');
    expect(read(answer.blocks)).toContain('Guests can’t use Scandesk');
  });
});
