import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../helpers.js';
import { control, option, type PageStage, type Renderers, setPageStage } from './page-stage.js';

let pages: PageStage;
let stage: Renderers;
beforeAll(async () => {
  pages = await setPageStage();
  stage = await pages.openStage();
});
afterAll(async () => {
  await stage?.close();
  await pages?.close();
});

const plain = (text: string): Json => ({ type: 'plain_text', text });
const choice = (value: string, text = value): Json => ({ text: plain(text), value });
const input = (element: Json, more: Json = {}): Json => ({
  type: 'input',
  block_id: 'b',
  label: plain('Label'),
  element: { action_id: 'a', ...element },
  ...more,
});
const it_ = control('b', 'a');
const held = async (): Promise<unknown> => ((await stage.values()).b as Json | undefined)?.a;
/** An element in an actions block, whose changes are sent to the app at once. */
const acting = (element: Json): Json => ({
  type: 'actions',
  block_id: 'b',
  elements: [{ action_id: 'a', ...element }],
});

async function pick(value: string): Promise<void> {
  await stage.page.click(it_);
  await stage.page.click(option(value));
}

describe('the value of an input', () => {
  it('a text input on the demo page has the text exactly as typed', async () => {
    await stage.draw([input({ type: 'plain_text_input' })]);
    expect(await held()).toEqual({ type: 'plain_text_input', value: null });
    await stage.page.fill(it_, '  00123 *x* ');
    expect(await held()).toEqual({ type: 'plain_text_input', value: '  00123 *x* ' });
    await stage.page.fill(it_, '');
    expect(await held()).toEqual({ type: 'plain_text_input', value: null });
  });

  it('a text input of many lines on the demo page has the text exactly as typed', async () => {
    await stage.draw([input({ type: 'plain_text_input', multiline: true, initial_value: 'a\nb' })]);
    expect(await held()).toEqual({ type: 'plain_text_input', value: 'a\nb' });
    await stage.page.fill(it_, 'c\n\nd ');
    expect(await held()).toEqual({ type: 'plain_text_input', value: 'c\n\nd ' });
  });

  it.each(['number_input', 'email_text_input', 'url_text_input'])(
    'an input of the kind %s has its text as Slack does, without trimming or dropping characters',
    async (type) => {
      await stage.draw([input({ type, is_decimal_allowed: true })]);
      await stage.page.fill(it_, ' 007 ');
      expect(await held()).toEqual({ type, value: ' 007 ' });
    },
  );

  it('a text input over its maximum length counts the excess characters, and keeps the whole text', async () => {
    await stage.draw([input({ type: 'plain_text_input', max_length: 5 })]);
    await stage.page.fill(it_, '0123456789');
    expect(await held()).toEqual({ type: 'plain_text_input', value: '0123456789' });
    expect(await stage.page.textContent('.counter-over')).toBe('-5');
  });

  it('checkboxes and radio buttons on the demo page have the chosen options as their value', async () => {
    const options = [choice('x'), choice('y'), choice('z')];
    await stage.draw([input({ type: 'checkboxes', options, initial_options: [choice('x')] })]);
    await stage.page.click('[data-test="choice"][data-value="z"]');
    expect(await held()).toEqual({ type: 'checkboxes', selected_options: [choice('x'), choice('z')] });
    await stage.draw([input({ type: 'radio_buttons', options })]);
    expect(await held()).toEqual({ type: 'radio_buttons', selected_option: null });
    await stage.page.click('[data-test="choice"][data-value="y"]');
    expect(await held()).toEqual({ type: 'radio_buttons', selected_option: choice('y') });
  });

  it('a static select on the demo page finds options by typing, and has the chosen option as its value', async () => {
    const options = [choice('1', 'Front gate'), choice('2', 'Stock room')];
    await stage.draw([input({ type: 'static_select', options })]);
    await stage.page.click(it_);
    expect(await stage.page.locator('[data-test="option"]').allTextContents()).toEqual(['Front gate', 'Stock room']);
    await stage.page.fill(it_, 'STOCK');
    await expect.poll(() => stage.page.locator('[data-test="option"]').count()).toBe(1);
    await stage.page.press(it_, 'Enter');
    expect(await held()).toEqual({ type: 'static_select', selected_option: choice('2', 'Stock room') });
    expect(await stage.page.inputValue(it_)).toBe('Stock room');
  });

  it('a static select on the demo page can be used by keyboard alone', async () => {
    await stage.draw([input({ type: 'static_select', options: [choice('1'), choice('2'), choice('3')] })]);
    await stage.page.focus(it_);
    await stage.page.keyboard.press('ArrowDown');
    await stage.page.waitForSelector(option('1'));
    await stage.page.keyboard.press('ArrowDown');
    await stage.page.keyboard.press('Enter');
    expect(await held()).toEqual({ type: 'static_select', selected_option: choice('2') });
    expect(await stage.page.locator('[data-test="option"]').count()).toBe(0);
  });

  it('a select with groups of options has the chosen option as its value', async () => {
    const groups = [
      { label: plain('Gates'), options: [choice('1')] },
      { label: plain('Rooms'), options: [choice('2')] },
    ];
    await stage.draw([input({ type: 'static_select', option_groups: groups })]);
    await stage.page.click(it_);
    expect(await stage.page.locator('.option-group').allTextContents()).toEqual(['Gates', 'Rooms']);
    await stage.page.click(option('2'));
    expect(await held()).toEqual({ type: 'static_select', selected_option: choice('2') });
  });

  it('a multi-select has the chosen options as its value, up to its maximum', async () => {
    await stage.draw([
      input({ type: 'multi_static_select', max_selected_items: 2, options: [choice('1'), choice('2'), choice('3')] }),
    ]);
    await pick('1');
    await stage.page.click(option('3'));
    await stage.page.click(option('2'), { force: true });
    expect(await held()).toEqual({ type: 'multi_static_select', selected_options: [choice('1'), choice('3')] });
    await stage.page.click('[data-test="chip"][data-value="1"] button');
    expect(await held()).toEqual({ type: 'multi_static_select', selected_options: [choice('3')] });
  });

  it('a select of people has the chosen person as its value', async () => {
    await stage.draw([input({ type: 'users_select', initial_user: 'U0ADA' })]);
    expect(await stage.page.inputValue(it_)).toBe('Ada Admin');
    await pick('U0MIA');
    expect(await held()).toEqual({ type: 'users_select', selected_user: 'U0MIA' });
    await stage.draw([input({ type: 'multi_users_select', initial_users: ['U0ADA'] })]);
    await pick('U0MIA');
    expect(await held()).toEqual({ type: 'multi_users_select', selected_users: ['U0ADA', 'U0MIA'] });
  });

  it('a select of channels or conversations offers only channels of the allowed kinds', async () => {
    await stage.draw([input({ type: 'channels_select' })]);
    await stage.page.click(it_);
    expect(await stage.page.locator('[data-test="option"]').allTextContents()).toEqual(['#front-gate', '#partner']);
    const filter = { include: ['public', 'private'], exclude_external_shared_channels: true };
    await stage.draw([input({ type: 'conversations_select', default_to_current_conversation: true, filter })]);
    expect(await held()).toEqual({ type: 'conversations_select', selected_conversation: 'C0GATE' });
    await stage.page.click(it_);
    expect(await stage.page.locator('[data-test="option"]').allTextContents()).toEqual(['#front-gate', '#managers']);
    await stage.page.click(option('C0SECRET'));
    expect(await held()).toEqual({ type: 'conversations_select', selected_conversation: 'C0SECRET' });
  });

  it('an external select asks the app for the typed text, and has the chosen option as its value', async () => {
    await stage.draw([input({ type: 'external_select', min_query_length: 2 })]);
    await stage.page.evaluate(`window.stage.options = ${JSON.stringify({ options: [choice('9', 'Gate nine')] })}`);
    await stage.page.click(it_);
    await stage.page.waitForSelector('text=Type 2 characters to search.');
    await stage.page.fill(it_, 'ni');
    await stage.page.click(option('9'));
    expect(await stage.page.evaluate('window.stage.asked')).toEqual([{ blockId: 'b', actionId: 'a', typed: 'ni' }]);
    expect(await held()).toEqual({ type: 'external_select', selected_option: choice('9', 'Gate nine') });
  });

  it('pickers of dates and times have the chosen date and time as their value', async () => {
    await stage.draw([input({ type: 'datepicker', initial_date: '2025-01-02' })]);
    await stage.page.fill(it_, '2025-12-31');
    expect(await held()).toEqual({ type: 'datepicker', selected_date: '2025-12-31' });
    await stage.draw([input({ type: 'timepicker' })]);
    expect(await held()).toEqual({ type: 'timepicker', selected_time: null });
    await stage.page.fill(it_, '23:05');
    expect(await held()).toEqual({ type: 'timepicker', selected_time: '23:05' });
  });

  it('a datetime picker shows and reads times in the reader’s zone', async () => {
    const moment = Date.UTC(2025, 6, 1, 10, 0, 0) / 1000;
    await stage.draw([input({ type: 'datetimepicker', initial_date_time: moment })]);
    expect(await stage.page.inputValue(it_)).toBe('2025-07-01T12:00');
    await stage.page.fill(it_, '2025-01-15T12:00');
    expect(await held()).toEqual({ type: 'datetimepicker', selected_date_time: Date.UTC(2025, 0, 15, 11) / 1000 });
  });

  it('a file input has the file’s name and content as its value, and the file can be removed', async () => {
    const file = join(tmpdir(), `scandesk-${process.pid}.csv`);
    writeFileSync(file, 'A,1\n');
    await stage.draw([input({ type: 'file_input', filetypes: ['csv'], max_files: 1 })]);
    await stage.page.setInputFiles(it_, file);
    await stage.page.waitForSelector('[data-test="file"]');
    expect(await held()).toMatchObject({
      type: 'file_input',
      files: [{ name: `scandesk-${process.pid}.csv`, content: 'A,1\n' }],
    });
    await stage.page.click('[data-test="file"] button');
    expect(await held()).toEqual({ type: 'file_input', files: [] });
  });

  it('a file input refuses a file of another kind with an explanation', async () => {
    const file = join(tmpdir(), `scandesk-${process.pid}.txt`);
    writeFileSync(file, 'x');
    await stage.draw([input({ type: 'file_input', filetypes: ['csv'] })]);
    await stage.page.setInputFiles(it_, file);
    await stage.page.waitForSelector('text=is not an accepted file type (csv)');
    expect(await held()).toEqual({ type: 'file_input', files: [] });
  });
});

describe('what the page sends the app', () => {
  const heard = async () => (await stage.acts()).map(({ chosen }) => chosen);

  it('the page sends the app a clicked button with its value', async () => {
    await stage.draw([acting({ type: 'button', text: plain('Go'), value: '00123' })], { kind: 'message' });
    await stage.page.click(it_);
    expect(await stage.acts()).toEqual([{ blockId: 'b', actionId: 'a', chosen: { type: 'button', value: '00123' } }]);
  });

  it('the page sends the app an overflow menu’s choice', async () => {
    await stage.draw([acting({ type: 'overflow', options: [choice('1'), choice('2')] })]);
    await pick('2');
    expect(await heard()).toEqual([{ type: 'overflow', selected_option: choice('2') }]);
    expect(await stage.page.locator('[data-test="option"]').count()).toBe(0);
  });

  it('the page sends the app a choice in a select, a picker or a checkbox', async () => {
    await stage.draw([acting({ type: 'static_select', options: [choice('1')] })]);
    await pick('1');
    expect(await heard()).toEqual([{ type: 'static_select', selected_option: choice('1') }]);
    await stage.draw([acting({ type: 'datepicker' })]);
    await stage.page.fill(it_, '2025-12-31');
    expect(await heard()).toEqual([{ type: 'datepicker', selected_date: '2025-12-31' }]);
    await stage.draw([acting({ type: 'checkboxes', options: [choice('1')] })]);
    await stage.page.click('[data-test="choice"][data-value="1"]');
    expect(await heard()).toEqual([{ type: 'checkboxes', selected_options: [choice('1')] }]);
  });

  it('the page sends the app an input’s value on Enter only if the input has dispatch_action', async () => {
    await stage.draw([input({ type: 'plain_text_input' })]);
    await stage.page.fill(it_, 'x');
    await stage.page.press(it_, 'Enter');
    expect(await heard()).toEqual([]);
    await stage.draw([input({ type: 'plain_text_input' }, { dispatch_action: true })]);
    await stage.page.fill(it_, 'x');
    await stage.page.press(it_, 'Enter');
    expect(await heard()).toEqual([{ type: 'plain_text_input', value: 'x' }]);
  });

  it('the page sends the app a click on a button with a confirmation only after it was confirmed', async () => {
    const confirm = { title: plain('Sure?'), text: plain('All 12'), confirm: plain('Yes'), deny: plain('No') };
    await stage.draw([acting({ type: 'button', text: plain('Delete'), confirm })]);
    await stage.page.evaluate('window.stage.yes = false');
    await stage.page.click(it_);
    expect(await heard()).toEqual([]);
    await stage.page.evaluate('window.stage.yes = true');
    await stage.page.click(it_);
    expect(await heard()).toHaveLength(1);
    expect(await stage.page.evaluate('window.stage.confirmed.length')).toBe(2);
  });

  it('the page sends the app no choice that was not confirmed, and restores the earlier choice', async () => {
    const confirm = { title: plain('Sure?'), text: plain('x'), confirm: plain('Yes'), deny: plain('No') };
    const options = [choice('1'), choice('2')];
    await stage.draw([acting({ type: 'static_select', options, initial_option: choice('1'), confirm })]);
    await stage.page.evaluate('window.stage.yes = false');
    await pick('2');
    await expect.poll(() => stage.page.inputValue(it_)).toBe('1');
    expect(await held()).toEqual({ type: 'static_select', selected_option: choice('1') });
    expect(await heard()).toEqual([]);
  });
});

describe('drawing again', () => {
  it('redrawing a view keeps focus, cursor and typed text where block and action are the same', async () => {
    await stage.draw([{ type: 'header', block_id: 'h', text: plain('Old') }, input({ type: 'plain_text_input' })]);
    await stage.page.fill(it_, 'typed');
    await stage.page.evaluate(`document.querySelector('${it_}').setSelectionRange(2, 2)`);
    await stage.call('draw', [
      { type: 'header', block_id: 'h', text: plain('New') },
      input({ type: 'plain_text_input', initial_value: 'other' }, { label: plain('Another label') }),
    ]);
    await stage.page.keyboard.type('X');
    expect(await stage.page.inputValue(it_)).toBe('tyXped');
    expect(await held()).toEqual({ type: 'plain_text_input', value: 'tyXped' });
    expect(await stage.page.textContent('body')).toContain('Another label');
  });

  it('redrawing a view starts a new input where the action ID differs, and drops the removed input', async () => {
    await stage.draw([input({ type: 'plain_text_input' })]);
    await stage.page.fill(it_, 'typed');
    await stage.call('draw', [input({ type: 'plain_text_input', action_id: 'other', initial_value: 'first' })]);
    expect(await stage.values()).toEqual({ b: { other: { type: 'plain_text_input', value: 'first' } } });
  });

  it('redrawing a view keeps an open list open while another block changes', async () => {
    await stage.draw([
      { type: 'header', block_id: 'h', text: plain('Old') },
      input({ type: 'static_select', options: [choice('1')] }),
    ]);
    await stage.page.click(it_);
    await stage.page.waitForSelector(option('1'));
    await stage.call('draw', [
      { type: 'header', block_id: 'h', text: plain('New') },
      input({ type: 'static_select', options: [choice('1')] }),
    ]);
    await stage.page.click(option('1'));
    expect(await held()).toEqual({ type: 'static_select', selected_option: choice('1') });
  });

  it('a view drawn with an error shows the error under its input, also to screen readers', async () => {
    await stage.draw([input({ type: 'plain_text_input' })], { errors: { b: 'No such key.' } });
    expect(await stage.page.textContent('[data-test="field-error"]')).toBe('No such key.');
    const described = await stage.page.getAttribute(it_, 'aria-describedby');
    expect(await stage.page.textContent(`#${described}`)).toBe('No such key.');
    expect(await stage.page.getAttribute(it_, 'aria-invalid')).toBe('true');
  });
});

describe('every control has a name', () => {
  it('a control of the demo page is named by its label or by the text beside it', async () => {
    await stage.draw([
      input({ type: 'plain_text_input' }, { block_id: 'b1', label: plain('API key') }),
      input({ type: 'static_select', options: [choice('1')] }, { block_id: 'b2', label: plain('Service') }),
      input({ type: 'radio_buttons', options: [choice('1')] }, { block_id: 'b3', label: plain('Which scans') }),
      {
        type: 'section',
        block_id: 'b4',
        text: plain('Database'),
        accessory: { type: 'overflow', action_id: 'a', options: [choice('1')] },
      },
    ]);
    expect(await stage.page.getByRole('textbox', { name: 'API key' }).count()).toBe(1);
    expect(await stage.page.getByRole('combobox', { name: 'Service' }).count()).toBe(1);
    expect(await stage.page.getByRole('radiogroup', { name: 'Which scans' }).count()).toBe(1);
    expect(await stage.page.getByRole('button', { name: 'More actions: Database' }).count()).toBe(1);
  });
});
