import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ShownView } from '../../../src/sandbox/slack/api.js';
import { read } from '../block-kit/reading.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';
import {
  choose,
  closeAll,
  connect,
  makeRelay,
  number,
  option,
  parts,
  radio,
  reads,
  redrawn,
  scan,
  select,
  text,
  ticked,
  typed,
} from './relay-stage.js';

describe('the settings of a relay in its window', () => {
  let testApp: TestApp;
  let ada: Person;
  beforeAll(async () => {
    testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0', MIRROR_SHARE: '30' } });
    ada = testApp.person('U0ADA');
    await connect(ada);
  });
  afterAll(() => testApp?.stop());
  afterEach(() => closeAll(ada));

  /** Creates a relay, opens its window, and opens the form of the button with this action on top. */
  async function open(action: string, title: string, more: Parameters<typeof makeRelay>[1] = {}) {
    const { made, url, id } = await makeRelay(ada, more);
    await ada.click(made, 'relay.manage');
    await ada.click(await ada.seesWindow('Relay'), action);
    return { url, id, form: await ada.seesWindow(title) };
  }

  const postsOf = async (channel: string, barcode: string) =>
    (await ada.messages(channel)).filter((message) => read(message.blocks).includes(barcode));
  const seesPost = (channel: string, barcode: string) =>
    eventually(async () => (await postsOf(channel, barcode)).length > 0, `a post of ${barcode}`);

  describe('validation', () => {
    it('the form of validation by a list asks for a barcode if no barcode was entered', async () => {
      await open('relay.judging', 'Validation');
      const form = await choose(ada, 'judging.kind', radio('list'));
      expect(await ada.submit(form)).toMatchObject({
        response_action: 'errors',
        errors: { 'judging.values': 'Enter at least one barcode, or upload a file.' },
      });
    });

    it('validation makes a scan outside the set hours not valid, and the relay’s window shows the hours', async () => {
      const { url } = await open('relay.judging', 'Validation');
      const timed = await choose(ada, 'judging.timed', ticked('yes'));
      const zones = await ada.options(timed, 'relay.pick.zone', 'berlin');
      expect(zones.options.map(({ value }) => value)).toContain('Europe/Berlin');
      await ada.submit(timed, {
        ...parts({
          'judging.hours.days': { type: 'multi_static_select', selected_options: [option('1')] },
          'judging.hours.from': { type: 'timepicker', selected_time: '08:00' },
          'judging.hours.to': { type: 'timepicker', selected_time: '08:01' },
        }),
        'judging.hours.zone': {
          'relay.pick.zone': { type: 'external_select', selected_option: option('Europe/Berlin') },
        },
      });
      await reads(ada, 'Mon, 08:00–08:01 (Berlin)');
      const [day, time] = new Date().toLocaleString('en-GB', { timeZone: 'Europe/Berlin' }).split(', ');
      // The hours are one minute of the week: a test in that minute proves nothing.
      if (!(new Date().getUTCDay() === 1 && time?.startsWith('08:00'))) {
        expect([day, await scan(url, { tid: 'late' })]).toEqual([day, expect.stringContaining('<status>0</status>')]);
      }
    });

    it('validation settings fold rare fields away, and keep the values of folded fields', async () => {
      const { form } = await open('relay.judging', 'Validation');
      expect(JSON.stringify(form.view.blocks)).not.toContain('judging.late');
      await ada.click(form, 'relay.more');
      const unfolded = await redrawn(ada, form);
      await ada.submit(unfolded, parts({ 'judging.late': number('90') }));
      const one = await reads(ada, 'Saved. It applies from the next scan.');
      await ada.click(one, 'relay.judging');
      await ada.submit(await ada.seesWindow('Validation'));
      const again = await reads(ada, 'Saved. It applies from the next scan.');
      await ada.click(again, 'relay.judging');
      const last = await ada.seesWindow('Validation');
      await ada.click(last, 'relay.more');
      expect(JSON.stringify((await redrawn(ada, last)).view.blocks)).toContain('"initial_value":"90"');
    });

    it('validation reads a list too long for the form from a file, and keeps the list when the form is sent again', async () => {
      const { url } = await open('relay.judging', 'Validation');
      const form = await choose(ada, 'judging.kind', radio('list'));
      const values = Array.from({ length: 900 }, (_, n) => ` T-${n} `);
      const file = await upload(testApp, values.join('\r\n'));
      await ada.submit(form, parts({ 'judging.file': { type: 'file_input', files: [{ id: file }] } }));
      expect(text(await reads(ada, 'Saved, with 900 barcodes from the file.'))).toContain('next scan');
      await ada.close((await ada.window())!);
      expect(await scan(url, { tid: ' T-7 ' })).toContain('<status>1</status>');
      expect(await scan(url, { tid: 'T-7' })).toContain('<status>0</status>');
      await ada.click(await reads(ada, 'only 900 listed barcodes are valid'), 'relay.judging');
      const again = await ada.seesWindow('Validation');
      expect(text(again)).toContain('900 barcodes are on the list, too many to show here');
      await ada.submit(again, parts({ 'judging.listed': radio('invalid') }));
      await reads(ada, '900 listed barcodes are not valid');
      expect(await scan(url, { tid: ' T-7 ' })).toContain('<status>0</status>');
    });
  });

  describe('responses and questions', () => {
    it('a response in a relay’s window is set to a custom text, previewed, and reset to the default', async () => {
      const { url, form } = await open('relay.answers', 'Responses');
      expect(text(form)).toContain('Received');
      await ada.click(form, 'relay.answer');
      const edit = await ada.seesWindow('Response');
      await ada.submit(edit, parts({ 'answer.text': typed('Hello {value}!') }));
      await reads(ada, 'Hello {value}!');
      expect(await scan(url, { tid: '<b>7' })).toContain('<text>Hello &lt;b&gt;7!</text>');
      const list = await reads(ada, 'Hello {value}!');
      await ada.click(list, 'relay.answer');
      const again = await ada.seesWindow('Response');
      await ada.click(again, 'relay.again');
      expect(text(await redrawn(ada, again))).toContain('Hello 00123!');
      await ada.submit((await ada.window())!, parts({ 'answer.text': { type: 'plain_text_input', value: null } }));
      await reads(ada, 'Saved.');
      expect(await scan(url, { tid: 'plain' })).toContain('<text>Received</text>');
    });

    it('a relay’s response can open a URL on devices, and a placeholder as the URL’s host is refused', async () => {
      const { url, form } = await open('relay.answers', 'Responses');
      await ada.click(form, 'relay.answer');
      const edit = await ada.seesWindow('Response');
      const asUrl = { 'answer.kind': { type: 'radio_buttons', selected_option: { value: 'url' } } };
      const refused = await ada.submit(edit, parts({ 'answer.text': typed('https://{value}/'), ...asUrl }));
      expect(refused.errors?.['answer.text']).toContain('Its host can’t be a placeholder');
      await ada.submit(edit, parts({ 'answer.text': typed('https://example.com/?b={value}'), ...asUrl }));
      await reads(ada, 'opened as a URL');
      expect(await scan(url, { tid: 'a&b' })).toContain(
        '<text>&lt;curl&gt;https://example.com/?b=a%26b&lt;/curl&gt;</text>',
      );
    });

    it('the form of a relay’s response refuses an invalid color', async () => {
      const { form } = await open('relay.answers', 'Responses');
      await ada.click(form, 'relay.answer');
      await ada.seesWindow('Response');
      const other = await choose(ada, 'answer.color', select('other'));
      expect(await ada.submit(other, parts({ 'answer.hex': typed('green') }))).toMatchObject({
        errors: { 'answer.hex': 'Enter a color like #1a7f37.' },
      });
    });
  });

  describe('security', () => {
    it('security settings refuse a variable name entered twice, and scans are read by the entered names', async () => {
      const { url, form } = await open('relay.security', 'Security');
      await ada.click(form, 'relay.more');
      const unfolded = await redrawn(ada, form);
      const twice = parts({ 'security.name.tid': typed('code'), 'security.name.sid': typed('code') });
      expect(await ada.submit(unfolded, twice)).toMatchObject({
        errors: { 'security.name.sid': '“Barcode” already has this name.' },
      });
      await ada.submit(
        unfolded,
        parts({ 'security.name.tid': typed('code'), 'security.name.sid': { type: 'plain_text_input', value: null } }),
      );
      await reads(ada, 'custom variable names');
      await scan(url, { code: '00777' });
      await seesPost('C0GENERAL', '00777');
    });
  });

  describe('rules', () => {
    async function addRule(values: Parameters<typeof parts>[0], before?: () => Promise<unknown>): Promise<ShownView> {
      await ada.click(await ada.seesWindow('Rules and alerts'), 'relay.rule.add');
      await ada.seesWindow('New rule');
      await before?.();
      await ada.submit((await ada.window())!, parts(values));
      const kept = await ada.seesWindow('Rule saved');
      await ada.close(kept);
      return ada.seesWindow('Rules and alerts');
    }

    it('rules can be moved, turned off and deleted, and the relay’s window says how many are off', async () => {
      await open('relay.rules', 'Rules and alerts');
      await addRule({}, () => choose(ada, 'rule.others.all', radio('only')));
      const two = await addRule({}, () => choose(ada, 'rule.when', select('every')));
      expect(text(two)).toMatch(/1\. Scans that are not valid.*2\. Every scan/s);
      const ids = [...JSON.stringify(two.view.blocks).matchAll(/remove:([\w-]+)/g)].map((match) => match[1]!);
      const menuOf = (view: ShownView, id: string) =>
        (view.view.blocks as { block_id: string }[]).find((block) => JSON.stringify(block).includes(`remove:${id}`))!
          .block_id;
      const pick = async (what: string, id: string) => {
        const view = await ada.seesWindow('Rules and alerts');
        const menu = { type: 'overflow', selected_option: option(`${what}:${id}`) };
        await ada.click(view, 'relay.rule.menu', menu, menuOf(view, id));
      };
      await pick('up', ids[1]!);
      expect(text(await reads(ada, 'Moved up.'))).toMatch(/1\. Every scan.*2\. Scans that are not valid/s);
      await pick('off', ids[1]!);
      expect(text(await reads(ada, 'Turned off.'))).toContain('off');
      await choose(ada, rulesBlock((await ada.window())!), select('all'), 'relay.rules.match');
      await pick('remove', ids[0]!);
      await ada.submit(await ada.seesWindow('Delete this rule?'));
      expect(text(await reads(ada, 'Rule deleted.'))).not.toContain('Scans that are not valid');
      await ada.close((await ada.window())!);
      expect(text(await ada.seesWindow('Relay'))).toContain('1 off');
    });

    it('a rule’s form offers the account’s devices and services, and the workspace’s user groups', async () => {
      await open('relay.rules', 'Rules and alerts');
      await ada.click(await ada.seesWindow('Rules and alerts'), 'relay.rule.add');
      await ada.seesWindow('New rule');
      const devices = await choose(ada, 'rule.when', select('from:device'));
      const { options } = await ada.options(devices, 'relay.pick.device', '');
      expect(options.length).toBeGreaterThan(0);
      expect(options.every(({ value }) => !/^\d{1,4}$/.test(value))).toBe(true);
      const services = await choose(ada, 'rule.when', select('from:service'));
      const gates = await ada.options(services, 'relay.pick.service', 'gate a');
      expect(gates.options.map(({ value }) => value)).toEqual(['1201']);
      expect(await ada.submit(services)).toMatchObject({ ok: false });
      await ada.click(services, 'relay.more');
      const groups = await ada.options(await reads(ada, 'Mention user groups'), 'relay.pick.group', '');
      expect(groups.options.length).toBeGreaterThan(0);
    });
  });
});

function rulesBlock(view: ShownView): string {
  return (view.view.blocks as { block_id: string }[]).find((block) =>
    JSON.stringify(block).includes('relay.rules.match'),
  )!.block_id;
}

async function upload(testApp: TestApp, content: string): Promise<string> {
  const body = new FormData();
  body.set('as', 'U0ADA');
  body.set('file', new Blob([content], { type: 'text/plain' }), 'list.txt');
  const response = await fetch(`${testApp.slackUrl}/sandbox/upload`, { method: 'POST', body });
  const answer = (await response.json()) as { file?: { id: string } };
  return answer.file?.id ?? JSON.stringify(answer);
}
