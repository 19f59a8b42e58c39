import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../../../src/clock.js';
import { checkMessageBlocks, checkView } from '../../../../src/sandbox/slack/blocks/check.js';
import { type Json, modal, plain, textInput } from '../helpers.js';

const x = (length: number) => 'x'.repeat(length);
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const mrkdwn = (text: string): Json => ({ type: 'mrkdwn', text });
const section = (more: Json): Json => ({ type: 'section', ...more });
const option = (value: string, text = 'An option'): Json => ({ text: plain(text), value });
const options = (count: number) => times(count, (index) => option(`v${index}`));
const accessory = (element: Json): Json[] => [section({ text: mrkdwn('Choose'), accessory: element })];
const actions = (...elements: Json[]): Json[] => [{ type: 'actions', elements }];
const button = (more: Json = {}): Json => ({ type: 'button', text: plain('Press'), ...more });
const select = (more: Json = {}): Json => ({ type: 'static_select', options: options(2), ...more });
const overflow = (count: number): Json => ({ type: 'overflow', options: options(count) });
const confirm = (more: Json = {}): Json => ({
  title: plain('Sure?'),
  text: plain('It goes.'),
  confirm: plain('Yes'),
  deny: plain('No'),
  ...more,
});
const input = (element: Json, more: Json = {}): Json[] => [{ type: 'input', label: plain('Label'), element, ...more }];
const raw = (text: string): Json => ({ type: 'raw_text', text });
const table = (rows: number, columns: number, text = 'c'): Json => ({
  type: 'table',
  rows: times(rows, () => times(columns, () => raw(text))),
});
const dataTable = (rows: number, columns = 2): Json => ({
  ...table(rows, columns),
  type: 'data_table',
  caption: 'Scans',
});
const pie = (count: number, label = 'l', value = 1): Json => ({
  type: 'data_visualization',
  title: 'Scans',
  chart: { type: 'pie', segments: times(count, () => ({ label, value })) },
});
const bars = (count: number, points: number, label = (n: number) => `c${n}`): Json => ({
  type: 'data_visualization',
  title: 'Scans',
  chart: {
    type: 'bar',
    series: times(count, (index) => ({
      name: `s${index}`,
      data: times(points, (n) => ({ label: label(n), value: n })),
    })),
    axis_config: { categories: times(points, label) },
  },
});
const rich = (...elements: Json[]): Json => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements }],
});
const picture = (more: Json): Json => ({ type: 'image', alt_text: 'A code', ...more });
const image = 'https://x.example/code.png';

/** A limit: blocks at the limit, blocks beyond the limit, and where Slack then says the fault is. */
type Limit = readonly [name: string, taken: Json[], refused: Json[], pointer: string];

const messageLimits: readonly Limit[] = [
  [
    'at most 50 blocks in a message',
    times(50, () => ({ type: 'divider' })),
    times(51, () => ({ type: 'divider' })),
    '/blocks',
  ],
  [
    'a section’s text of at most 3,000 characters',
    [section({ text: mrkdwn(x(3000)) })],
    [section({ text: mrkdwn(x(3001)) })],
    '/blocks/0/text/text',
  ],
  [
    'no empty text in a section',
    [section({ text: mrkdwn(' ') })],
    [section({ text: mrkdwn('') })],
    '/blocks/0/text/text',
  ],
  [
    'at most 10 fields in a section',
    [section({ fields: times(10, () => mrkdwn('f')) })],
    [section({ fields: times(11, () => mrkdwn('f')) })],
    '/blocks/0/fields',
  ],
  [
    'a field of at most 2,000 characters',
    [section({ fields: [mrkdwn(x(2000))] })],
    [section({ fields: [mrkdwn(x(2001))] })],
    '/blocks/0/fields/0/text',
  ],
  ['text or fields in a section', [section({ text: mrkdwn('t') })], [section({})], '/blocks/0'],
  [
    'a header of at most 150 characters',
    [{ type: 'header', text: plain(x(150)) }],
    [{ type: 'header', text: plain(x(151)) }],
    '/blocks/0/text/text',
  ],
  [
    'a header in plain text',
    [{ type: 'header', text: plain('h') }],
    [{ type: 'header', text: mrkdwn('h') }],
    '/blocks/0/text/type',
  ],
  [
    'at most 10 elements in a context',
    [{ type: 'context', elements: times(10, () => mrkdwn('c')) }],
    [{ type: 'context', elements: times(11, () => mrkdwn('c')) }],
    '/blocks/0/elements',
  ],
  [
    'at least one element in a context',
    [{ type: 'context', elements: [mrkdwn('c')] }],
    [{ type: 'context', elements: [] }],
    '/blocks/0/elements',
  ],
  [
    'at most 25 elements in an actions block',
    actions(...times(25, () => button())),
    actions(...times(26, () => button())),
    '/blocks/0/elements',
  ],
  [
    'a block_id of at most 255 characters',
    [{ type: 'divider', block_id: x(255) }],
    [{ type: 'divider', block_id: x(256) }],
    '/blocks/0/block_id',
  ],
  [
    'block_ids that differ',
    [
      { type: 'divider', block_id: 'a' },
      { type: 'divider', block_id: 'b' },
    ],
    [
      { type: 'divider', block_id: 'a' },
      { type: 'divider', block_id: 'a' },
    ],
    '/blocks/1/block_id',
  ],
  [
    'an action_id of at most 255 characters',
    actions(button({ action_id: x(255) })),
    actions(button({ action_id: x(256) })),
    '/blocks/0/elements/0/action_id',
  ],
  [
    'action_ids that differ in a block',
    actions(button({ action_id: 'a' }), button({ action_id: 'b' })),
    actions(button({ action_id: 'a' }), button({ action_id: 'a' })),
    '/blocks/0',
  ],
  [
    'a button’s text of at most 75 characters',
    actions(button({ text: plain(x(75)) })),
    actions(button({ text: plain(x(76)) })),
    '/blocks/0/elements/0/text/text',
  ],
  [
    'a button’s value of at most 2,000 characters',
    actions(button({ value: x(2000) })),
    actions(button({ value: x(2001) })),
    '/blocks/0/elements/0/value',
  ],
  [
    'a button’s url of at most 3,000 characters',
    actions(button({ url: `https://x.example/${x(2982)}` })),
    actions(button({ url: `https://x.example/${x(2983)}` })),
    '/blocks/0/elements/0/url',
  ],
  [
    'a button’s url that a browser may open',
    actions(button({ url: 'https://x.example/' })),
    actions(button({ url: 'javascript:alert(1)' })),
    '/blocks/0/elements/0/url',
  ],
  [
    'a button’s style that Slack knows',
    actions(button({ style: 'danger' })),
    actions(button({ style: 'default' })),
    '/blocks/0/elements/0/style',
  ],
  [
    'an accessibility label of at most 75 characters',
    actions(button({ accessibility_label: x(75) })),
    actions(button({ accessibility_label: x(76) })),
    '/blocks/0/elements/0/accessibility_label',
  ],
  [
    'at most 100 options',
    accessory(select({ options: options(100) })),
    accessory(select({ options: options(101) })),
    '/blocks/0/accessory/options',
  ],
  [
    'at least one option',
    accessory(select({ options: options(1) })),
    accessory(select({ options: [] })),
    '/blocks/0/accessory/options',
  ],
  [
    'an option’s text of at most 75 characters',
    accessory(select({ options: [option('v', x(75))] })),
    accessory(select({ options: [option('v', x(76))] })),
    '/blocks/0/accessory/options/0/text/text',
  ],
  [
    'an option’s value of at most 150 characters',
    accessory(select({ options: [option(x(150))] })),
    accessory(select({ options: [option(x(151))] })),
    '/blocks/0/accessory/options/0/value',
  ],
  [
    'options that differ',
    accessory(select({ options: [option('a'), option('b')] })),
    accessory(select({ options: [option('a'), option('a')] })),
    '/blocks/0/accessory/options',
  ],
  [
    'options or groups, not both',
    accessory(select()),
    accessory(select({ option_groups: [{ label: plain('G'), options: options(1) }] })),
    '/blocks/0/accessory',
  ],
  [
    'a group’s label of at most 75 characters',
    accessory({ type: 'static_select', option_groups: [{ label: plain(x(75)), options: options(1) }] }),
    accessory({ type: 'static_select', option_groups: [{ label: plain(x(76)), options: options(1) }] }),
    '/blocks/0/accessory/option_groups/0/label/text',
  ],
  [
    'an initial option that is one of the options',
    accessory(select({ initial_option: option('v1') })),
    accessory(select({ initial_option: option('v1', 'Other') })),
    '/blocks/0/accessory/initial_option',
  ],
  [
    'a placeholder of at most 150 characters',
    accessory(select({ placeholder: plain(x(150)) })),
    accessory(select({ placeholder: plain(x(151)) })),
    '/blocks/0/accessory/placeholder/text',
  ],
  [
    'at most 5 options in an overflow menu',
    accessory(overflow(5)),
    accessory(overflow(6)),
    '/blocks/0/accessory/options',
  ],
  [
    'at most 10 checkboxes',
    accessory({ type: 'checkboxes', options: options(10) }),
    accessory({ type: 'checkboxes', options: options(11) }),
    '/blocks/0/accessory/options',
  ],
  [
    'at most 10 radio buttons',
    accessory({ type: 'radio_buttons', options: options(10) }),
    accessory({ type: 'radio_buttons', options: options(11) }),
    '/blocks/0/accessory/options',
  ],
  [
    'a confirmation’s title of at most 100 characters',
    actions(button({ confirm: confirm({ title: plain(x(100)) }) })),
    actions(button({ confirm: confirm({ title: plain(x(101)) }) })),
    '/blocks/0/elements/0/confirm/title/text',
  ],
  [
    'a confirmation’s text of at most 300 characters',
    actions(button({ confirm: confirm({ text: plain(x(300)) }) })),
    actions(button({ confirm: confirm({ text: plain(x(301)) }) })),
    '/blocks/0/elements/0/confirm/text/text',
  ],
  [
    'a confirmation’s button of at most 30 characters',
    actions(button({ confirm: confirm({ confirm: plain(x(30)) }) })),
    actions(button({ confirm: confirm({ confirm: plain(x(31)) }) })),
    '/blocks/0/elements/0/confirm/confirm/text',
  ],
  [
    'all parts of a confirmation',
    actions(button({ confirm: confirm() })),
    actions(button({ confirm: { title: plain('Sure?'), text: plain('It goes.') } })),
    '/blocks/0/elements/0/confirm',
  ],
  [
    'an image’s alt_text of at most 2,000 characters',
    [picture({ image_url: image, alt_text: x(2000) })],
    [picture({ image_url: image, alt_text: x(2001) })],
    '/blocks/0/alt_text',
  ],
  [
    'an image’s title of at most 2,000 characters',
    [picture({ image_url: image, title: plain(x(2000)) })],
    [picture({ image_url: image, title: plain(x(2001)) })],
    '/blocks/0/title/text',
  ],
  [
    'only one source for an image',
    [picture({ slack_file: { id: 'F1' } })],
    [picture({ image_url: image, slack_file: { id: 'F1' } })],
    '/blocks/0',
  ],
  [
    'a Slack file by id or url',
    [picture({ slack_file: { id: 'F1' } })],
    [picture({ slack_file: {} })],
    '/blocks/0/slack_file',
  ],
  [
    'markdown of at most 12,000 characters',
    [{ type: 'markdown', text: x(12_000) }],
    [{ type: 'markdown', text: x(12_001) }],
    '/blocks/0/text',
  ],
  [
    'at most 12,000 characters of markdown in all blocks',
    [
      { type: 'markdown', text: x(6000) },
      { type: 'markdown', text: x(6000) },
    ],
    [
      { type: 'markdown', text: x(6000) },
      { type: 'markdown', text: x(6001) },
    ],
    '/blocks',
  ],
  ['at most 100 rows in a table', [table(100, 2)], [table(101, 2)], '/blocks/0/rows'],
  ['at most 20 columns in a table', [table(2, 20)], [table(2, 21)], '/blocks/0/rows/0'],
  ['at most 10,000 characters in a table', [table(10, 10, x(100))], [table(10, 10, x(101))], '/blocks/0/rows'],
  ['no empty cell in a table', [table(1, 1, ' ')], [table(1, 1, '')], '/blocks/0/rows/0/0/text'],
  [
    'at most 20 column settings',
    [{ ...table(1, 1), column_settings: times(20, () => ({ align: 'left' })) }],
    [{ ...table(1, 1), column_settings: times(21, () => ({ align: 'left' })) }],
    '/blocks/0/column_settings',
  ],
  ['at most 100 rows under a data table’s header', [dataTable(101)], [dataTable(102)], '/blocks/0/rows'],
  ['at least one row under a data table’s header', [dataTable(2)], [dataTable(1)], '/blocks/0/rows'],
  [
    'rows of one length in a data table',
    [dataTable(2)],
    [{ ...dataTable(2), rows: [[raw('a')], [raw('a'), raw('b')]] }],
    '/blocks/0/rows',
  ],
  ['at most 6 segments in a pie chart', [pie(6)], [pie(7)], '/blocks/0/chart/segments'],
  ['a segment’s label of at most 20 characters', [pie(1, x(20))], [pie(1, x(21))], '/blocks/0/chart/segments/0/label'],
  ['a pie chart’s segment above zero', [pie(1, 'l', 0.5)], [pie(1, 'l', 0)], '/blocks/0/chart/segments/0/value'],
  [
    'a chart’s title of at most 50 characters',
    [{ ...pie(1), title: x(50) }],
    [{ ...pie(1), title: x(51) }],
    '/blocks/0/title',
  ],
  ['at most 6 series in a chart', [bars(6, 2)], [bars(7, 2)], '/blocks/0/chart/series'],
  ['at most 20 points in a series', [bars(1, 20)], [bars(1, 21)], '/blocks/0/chart/series/0/data'],
  [
    'a category of at most 20 characters',
    [bars(1, 1, () => x(20))],
    [bars(1, 1, () => x(21))],
    '/blocks/0/chart/series/0/data/0/label',
  ],
  ['at most 2 charts in a message', [pie(1), pie(1)], [pie(1), pie(1), pie(1)], '/blocks'],
  [
    'no empty text in rich text',
    [rich({ type: 'text', text: ' ' })],
    [rich({ type: 'text', text: '' })],
    '/blocks/0/elements/0/elements/0/text',
  ],
  [
    'whole seconds in a date',
    [rich({ type: 'date', timestamp: 1_700_000_000, format: '{date}' })],
    [rich({ type: 'date', timestamp: 1.5, format: '{date}' })],
    '/blocks/0/elements/0/elements/0/timestamp',
  ],
  [
    'no field that Slack does not know',
    [section({ text: mrkdwn('t') })],
    [section({ text: mrkdwn('t'), colour: 'red' })],
    '/blocks/0',
  ],
  ['no block that Slack does not know', [{ type: 'divider' }], [{ type: 'ruler' }], '/blocks/0/type'],
  [
    'no text input in an actions block',
    actions(button()),
    actions({ type: 'plain_text_input' }),
    '/blocks/0/elements/0/type',
  ],
  [
    'no datetimepicker beside a section',
    actions({ type: 'datetimepicker' }),
    accessory({ type: 'datetimepicker' }),
    '/blocks/0/accessory/type',
  ],
  [
    'no file input in a message',
    input({ type: 'plain_text_input' }),
    input({ type: 'file_input' }),
    '/blocks/0/element/type',
  ],
];

const view = (blocks: Json[], more: Json = {}): Json => modal(blocks, more);
type ViewLimit = readonly [name: string, taken: Json, refused: Json, pointer: string];

const viewLimits: readonly ViewLimit[] = [
  [
    'at most 100 blocks in a modal',
    view(times(100, () => ({ type: 'divider' }))),
    view(times(101, () => ({ type: 'divider' }))),
    '/view/blocks',
  ],
  [
    'a title of at most 24 characters',
    view([], { title: plain(x(24)) }),
    view([], { title: plain(x(25)) }),
    '/view/title/text',
  ],
  ['a title for a modal', view([]), { type: 'modal', blocks: [] }, '/view'],
  [
    'a submit button of at most 24 characters',
    view([], { submit: plain(x(24)) }),
    view([], { submit: plain(x(25)) }),
    '/view/submit/text',
  ],
  [
    'a close button of at most 24 characters',
    view([], { close: plain(x(24)) }),
    view([], { close: plain(x(25)) }),
    '/view/close/text',
  ],
  [
    'private_metadata of at most 3,000 characters',
    view([], { private_metadata: x(3000) }),
    view([], { private_metadata: x(3001) }),
    '/view/private_metadata',
  ],
  [
    'a callback_id of at most 255 characters',
    view([], { callback_id: x(255) }),
    view([], { callback_id: x(256) }),
    '/view/callback_id',
  ],
  [
    'an external_id of at most 255 characters',
    view([], { external_id: x(255) }),
    view([], { external_id: x(256) }),
    '/view/external_id',
  ],
  [
    'a submit button for a modal with an input',
    view([textInput('a')]),
    { type: 'modal', title: plain('A'), blocks: [textInput('a')] },
    '/view/submit',
  ],
  [
    'an input’s label of at most 2,000 characters',
    view([textInput('a', { label: plain(x(2000)) })]),
    view([textInput('a', { label: plain(x(2001)) })]),
    '/view/blocks/0/label/text',
  ],
  [
    'an input’s hint of at most 2,000 characters',
    view([textInput('a', { hint: plain(x(2000)) })]),
    view([textInput('a', { hint: plain(x(2001)) })]),
    '/view/blocks/0/hint/text',
  ],
  [
    'an input’s placeholder of at most 150 characters',
    view([textInput('a', {}, { placeholder: plain(x(150)) })]),
    view([textInput('a', {}, { placeholder: plain(x(151)) })]),
    '/view/blocks/0/element/placeholder/text',
  ],
  [
    'a max_length of at most 3,000',
    view([textInput('a', {}, { max_length: 3000 })]),
    view([textInput('a', {}, { max_length: 3001 })]),
    '/view/blocks/0/element/max_length',
  ],
  [
    'an initial value within max_length',
    view([textInput('a', {}, { max_length: 3, initial_value: 'abc' })]),
    view([textInput('a', {}, { max_length: 3, initial_value: 'abcd' })]),
    '/view/blocks/0/element/initial_value',
  ],
  [
    'an initial value of at most 3,000 characters',
    view([textInput('a', {}, { initial_value: x(3000) })]),
    view([textInput('a', {}, { initial_value: x(3001) })]),
    '/view/blocks/0/element/initial_value',
  ],
  [
    'is_decimal_allowed set for a number',
    view(input({ type: 'number_input', is_decimal_allowed: false })),
    view(input({ type: 'number_input' })),
    '/view/blocks/0/element',
  ],
  [
    'a max_files of at most 10',
    view(input({ type: 'file_input', max_files: 10 })),
    view(input({ type: 'file_input', max_files: 11 })),
    '/view/blocks/0/element/max_files',
  ],
  [
    'focus_on_load in only one input',
    view([textInput('a', {}, { focus_on_load: true }), textInput('b')]),
    view([textInput('a', {}, { focus_on_load: true }), textInput('b', {}, { focus_on_load: true })]),
    '/view/blocks',
  ],
  ['no table in a modal', view([{ type: 'divider' }]), view([table(1, 1)]), '/view/blocks/0/type'],
  ['no chart in a modal', view([{ type: 'divider' }]), view([pie(1)]), '/view/blocks/0/type'],
  [
    'no chart in a home',
    { type: 'home', blocks: [{ type: 'divider' }] },
    { type: 'home', blocks: [pie(1)] },
    '/view/blocks/0/type',
  ],
  [
    'no markdown in a modal',
    view([{ type: 'divider' }]),
    view([{ type: 'markdown', text: 'm' }]),
    '/view/blocks/0/type',
  ],
  [
    'an initial date that exists',
    view(input({ type: 'datepicker', initial_date: '2024-02-29' })),
    view(input({ type: 'datepicker', initial_date: '2023-02-29' })),
    '/view/blocks/0/element/initial_date',
  ],
  ['no title in a home', { type: 'home', blocks: [] }, { type: 'home', blocks: [], title: plain('H') }, '/view'],
  [
    'no file input in a home',
    { type: 'home', blocks: input({ type: 'plain_text_input' }) },
    { type: 'home', blocks: input({ type: 'file_input' }) },
    '/view/blocks/0/element/type',
  ],
  ['the type modal or home', view([]), { type: 'dialog', blocks: [] }, '/view/type'],
];

const pointersOf = (faults: readonly string[]): string[] =>
  faults.map((fault) => /\[json-pointer:(.*)\]$/.exec(fault)![1]!);

describe('a message’s blocks', () => {
  it.each(messageLimits)(
    'the simulated Slack accepts a message within a limit and refuses a message beyond the limit: %s',
    (_name, taken, refused, pointer) => {
      expect(checkMessageBlocks(taken, systemRandom)).toMatchObject({ ok: true });
      const verdict = checkMessageBlocks(refused, systemRandom);
      expect(verdict.ok).toBe(false);
      expect(verdict.ok ? [] : pointersOf(verdict.faults)).toContain(pointer);
    },
  );

  it('a message’s blocks get generated IDs where an ID is missing, and keep the IDs that the app gave', () => {
    const verdict = checkMessageBlocks(
      [
        { type: 'section', block_id: 'mine', text: mrkdwn('t'), accessory: button() },
        ...actions(button({ action_id: 'act' })),
      ],
      systemRandom,
    );
    expect(verdict).toMatchObject({
      ok: true,
      value: [
        { block_id: 'mine', accessory: { action_id: expect.stringMatching(/^\S{5}$/) } },
        { block_id: expect.stringMatching(/^\S{5}$/), elements: [{ action_id: 'act' }] },
      ],
    });
  });

  it('a message’s blocks keep every text unchanged, unescaped characters included', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), (text) => {
        const verdict = checkMessageBlocks([section({ text: mrkdwn(text) })], systemRandom);
        expect(verdict).toMatchObject({ ok: true, value: [{ text: { text } }] });
      }),
    );
  });

  it('any message’s blocks are checked without a crash', () => {
    fc.assert(
      fc.property(fc.anything(), fc.jsonValue(), (anything, json) => {
        for (const blocks of [anything, [anything], json, [{ type: 'section', text: json }]]) {
          const verdict = checkMessageBlocks(blocks, systemRandom);
          expect(verdict.ok || verdict.faults.every((fault) => fault.startsWith('[ERROR] '))).toBe(true);
        }
      }),
    );
  });
});

describe('a view', () => {
  it.each(viewLimits)(
    'the simulated Slack accepts a view within a limit and refuses a view beyond the limit: %s',
    (_name, taken, refused, pointer) => {
      expect(checkView(taken, systemRandom)).toMatchObject({ ok: true });
      const verdict = checkView(refused, systemRandom);
      expect(verdict.ok).toBe(false);
      expect(verdict.ok ? [] : pointersOf(verdict.faults)).toContain(pointer);
    },
  );
});
