import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyText } from '../../../helpers/any-text.js';
import type { Json } from '../helpers.js';
import { type PageStage, type Renderers, setPageStage } from './page-stage.js';

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

const plain = (text: string, more: Json = {}): Json => ({ type: 'plain_text', text, ...more });
const mrkdwn = (text: string): Json => ({ type: 'mrkdwn', text });
const words = (text: string, style?: Json): Json => ({ type: 'text', text, ...(style ? { style } : {}) });
const section = (...elements: Json[]): Json => ({ type: 'rich_text_section', elements });
const rich = (...elements: Json[]): Json => ({ type: 'rich_text', elements });
const raw = (text: string): Json => ({ type: 'raw_text', text });
const option = (value: string): Json => ({ text: plain(value), value });
const input = (element: Json): Json => ({
  type: 'input',
  label: plain('Label'),
  element: { action_id: 'a', ...element },
});
const points = (...values: number[]): Json[] => values.map((value, index) => ({ label: `p${index}`, value }));
const chart = (type: string): Json => ({
  type: 'data_visualization',
  title: 'Scans',
  chart: {
    type,
    series: [
      { name: 'Valid', data: points(3, 5, 2) },
      { name: 'Invalid', data: points(1, -2, 4) },
    ],
    axis_config: { categories: ['p0', 'p1', 'p2'], x_label: 'Hour', y_label: 'Scans' },
  },
});

/** Every block and element this page draws, and words that have to be seen in it. */
const known: readonly (readonly [what: string, block: Json, seen: readonly string[]])[] = [
  ['header', { type: 'header', text: plain('A head') }, ['A head']],
  ['section', { type: 'section', text: mrkdwn('*x*'), fields: [mrkdwn('f1'), plain('f2')] }, ['x', 'f1', 'f2']],
  [
    'section with a button',
    { type: 'section', text: mrkdwn('x'), accessory: { type: 'button', action_id: 'a', text: plain('Go') } },
    ['x', 'Go'],
  ],
  ['divider', { type: 'divider' }, []],
  [
    'context',
    {
      type: 'context',
      elements: [mrkdwn('c1'), { type: 'image', image_url: 'https://elsewhere.example/a.png', alt_text: 'a logo' }],
    },
    ['c1', 'a logo'],
  ],
  [
    'image',
    { type: 'image', image_url: 'https://elsewhere.example/a.png', alt_text: 'a barcode', title: plain('Title') },
    ['a barcode', 'Title'],
  ],
  ['alert', { type: 'alert', level: 'warning', text: mrkdwn('careful') }, ['careful']],
  [
    'table',
    {
      type: 'table',
      rows: [
        [raw('When'), raw('What')],
        [rich(section(words('now'))), { type: 'raw_number', value: 7, text: '7.0' }],
      ],
    },
    ['When', 'now', '7.0'],
  ],
  [
    'data table',
    { type: 'data_table', caption: 'Cap', page_size: 1, rows: [[raw('H')], [raw('r1')], [raw('r2')]] },
    ['Cap', 'H', 'r1', '1–1 of 2'],
  ],
  [
    'markdown',
    { type: 'markdown', text: '# Head\n**b** [l](https://a.example)\n1. one\n- two\n```\npre\n```' },
    ['Head', 'b', 'l', 'one', 'two', 'pre'],
  ],
  ['bar chart', chart('bar'), ['Scans', 'Valid', 'Invalid', 'p0']],
  ['line chart', chart('line'), ['Scans', 'Valid', 'Invalid', 'p0']],
  ['area chart', chart('area'), ['Scans', 'Valid', 'Invalid', 'p0']],
  [
    'pie chart',
    {
      type: 'data_visualization',
      title: 'Gates',
      chart: {
        type: 'pie',
        segments: [
          { label: 'North', value: 3 },
          { label: 'South', value: 1 },
        ],
      },
    },
    ['Gates', 'North: 3 (75 %)'],
  ],
  [
    'actions',
    {
      type: 'actions',
      elements: [
        { type: 'button', action_id: 'a', text: plain('One'), style: 'primary' },
        { type: 'button', action_id: 'b', text: plain('Two'), url: 'https://a.example/' },
        { type: 'overflow', action_id: 'c', options: [option('x')] },
        { type: 'datepicker', action_id: 'd' },
        { type: 'static_select', action_id: 'e', options: [option('x')] },
      ],
    },
    ['One', 'Two', '⋯'],
  ],
  [
    'rich text',
    rich(
      section(
        words('b', { bold: true }),
        { type: 'link', url: 'https://a.example', text: 'l' },
        { type: 'user', user_id: 'U0MIA' },
        { type: 'channel', channel_id: 'C0GATE' },
      ),
      {
        type: 'rich_text_list',
        style: 'ordered',
        elements: [section(words('i1')), section({ type: 'emoji', name: 'x' })],
      },
      { type: 'rich_text_preformatted', elements: [words('pre')] },
      {
        type: 'rich_text_quote',
        elements: [
          { type: 'broadcast', range: 'here' },
          { type: 'color', value: '#ff0000' },
          { type: 'date', timestamp: 0, format: '{date_num}', fallback: 'f' },
        ],
      },
    ),
    ['b', 'l', '@Mia Member', '#front-gate', 'i1', '❌', 'pre', '@here', '#ff0000', '1970-01-01'],
  ],
  ...[
    { type: 'plain_text_input' },
    { type: 'plain_text_input', multiline: true },
    { type: 'number_input', is_decimal_allowed: true },
    { type: 'email_text_input' },
    { type: 'url_text_input' },
    { type: 'checkboxes', options: [option('x')] },
    { type: 'radio_buttons', options: [option('x')] },
    { type: 'static_select', options: [option('x')] },
    { type: 'multi_static_select', option_groups: [{ label: plain('G'), options: [option('x')] }] },
    { type: 'external_select' },
    { type: 'multi_external_select' },
    { type: 'users_select' },
    { type: 'multi_users_select' },
    { type: 'conversations_select' },
    { type: 'multi_conversations_select' },
    { type: 'channels_select' },
    { type: 'multi_channels_select' },
    { type: 'datepicker' },
    { type: 'timepicker' },
    { type: 'datetimepicker' },
    { type: 'file_input' },
  ].map((element): [string, Json, string[]] => [
    `input with ${element.type}${'multiline' in element ? ' of many lines' : ''}`,
    input(element),
    ['Label'],
  ]),
];

describe('a block', () => {
  it.each(known)('a block of the kind %s is drawn on the demo page with its words', async (_what, block, seen) => {
    await stage.draw([{ block_id: 'b', ...block }]);
    const box = stage.page.locator('[data-block-id="b"]');
    const text = await box.textContent();
    for (const one of seen) expect(text).toContain(one);
    expect(await box.locator('.cannot').count()).toBe(0);
    expect(stage.faults).toEqual([]);
  });

  it('a chart of small counts has whole numbers on its axis', async () => {
    const counts = { ...(chart('bar').chart as Json), series: [{ name: 'Valid', data: points(1, 2, 1) }] };
    await stage.draw([{ ...chart('bar'), block_id: 'b', chart: counts }]);
    expect(await stage.page.locator('.tick-y').allTextContents()).toEqual(['0', '1', '2']);
  });

  it('a block that the demo page cannot draw is replaced by a sentence with the block’s name', async () => {
    await stage.draw([{ type: 'carousel', block_id: 'b' }]);
    expect(await stage.page.textContent('[data-test="cannot-draw"]')).toBe(
      'This page can’t show the block “carousel”.',
    );
  });

  it('the demo page shows the name of an element that the page cannot draw', async () => {
    await stage.draw([{ type: 'actions', block_id: 'b', elements: [{ type: 'workflow_button', action_id: 'a' }] }]);
    expect(await stage.page.textContent('[data-test="cannot-draw"]')).toContain('workflow_button');
  });

  it('an invalid block does not prevent the blocks around it from being drawn', async () => {
    await stage.draw([
      { type: 'section', block_id: 'a', text: null, fields: 7, accessory: 'x' },
      { type: 'table', block_id: 'b', rows: [null, [1, { type: 'raw_text' }]] },
      { type: 'data_visualization', block_id: 'c', title: 1, chart: { type: 'bar', series: [{ data: [{}] }] } },
      {
        type: 'rich_text',
        block_id: 'd',
        elements: [{ type: 'rich_text_section', elements: [{ type: 'new_thing' }] }],
      },
      { type: 'header', block_id: 'e', text: plain('still here') },
    ]);
    expect(await stage.page.textContent('body')).toContain('still here');
    expect(stage.faults).toEqual([]);
  });
});

describe('a barcode', () => {
  const barcode = anyText({ minLength: 1, maxLength: 100 });
  const odd = [
    '00123',
    ' spaces ',
    '1e5',
    '"quoted"',
    '“smart”',
    '`tick`',
    '*bold*',
    '_it_',
    ':100:',
    '<!channel>',
    '<@U0MIA>',
    '&amp;',
    '\u001d0109501101530003\u001d17',
    'a\r\nb',
    '\t',
    '\u202eabc',
    'x'.repeat(100),
    'https://a.example',
    '>quote',
  ];
  const exactly = async (block: (value: string) => Json, values: readonly string[]): Promise<void> => {
    expect(await stage.call('texts', values.map(block))).toEqual(values);
  };
  const ways: readonly (readonly [how: string, block: (value: string) => Json])[] = [
    ['rich text', (value) => rich(section(words(value)))],
    ['rich text as code', (value) => rich(section(words(value, { code: true })))],
    ['preformatted rich text', (value) => rich({ type: 'rich_text_preformatted', elements: [words(value)] })],
    ['plain text without emoji', (value) => ({ type: 'section', text: plain(value, { emoji: false }) })],
    ['a table cell', (value) => ({ type: 'table', rows: [[raw(value)]] })],
  ];
  it.each(ways)('a barcode is shown exactly in %s on the demo page', async (_how, block) => {
    await exactly(block, odd);
    await fc.assert(
      fc.asyncProperty(fc.array(barcode, { minLength: 50, maxLength: 50 }), (values) => exactly(block, values)),
      { numRuns: 3 },
    );
  });

  it('a barcode keeps its spaces on the demo page', async () => {
    await stage.draw([
      { block_id: 'one', ...rich(section(words('a b'))) },
      { block_id: 'many', ...rich(section(words('a     b'))) },
    ]);
    const width = (id: string) =>
      stage.page.evaluate(
        `(() => { const range = document.createRange(); range.selectNodeContents(document.querySelector('[data-block-id="${id}"] p')); return range.getBoundingClientRect().width; })()`,
      ) as Promise<number>;
    expect(await width('many')).toBeGreaterThan((await width('one')) + 8);
  });
});

describe('hostile text', () => {
  const hostile = [
    '<script>window.hacked=1</script>',
    '<img src=x onerror="window.hacked=1">',
    '"><svg onload=window.hacked=1>',
    '<https://a.example" onclick="window.hacked=1|x>',
    '<javascript:window.hacked=1|x>',
    '[x](javascript:window.hacked=1)',
    '</div></body><iframe srcdoc="<script>top.hacked=1</script>">',
  ];
  const everywhere = (text: string): Json[] => [
    { type: 'header', block_id: 'h', text: plain(text) },
    { type: 'section', block_id: 's', text: mrkdwn(text), fields: [plain(text)] },
    { type: 'context', block_id: 'c', elements: [mrkdwn(text), { type: 'image', image_url: text, alt_text: text }] },
    { type: 'markdown', block_id: 'm', text },
    {
      type: 'table',
      block_id: 't',
      rows: [[raw(text)], [rich(section(words(text), { type: 'link', url: text, text }))]],
    },
    {
      type: 'data_visualization',
      block_id: 'd',
      title: text,
      chart: { type: 'pie', segments: [{ label: text, value: 1 }] },
    },
    {
      type: 'rich_text',
      block_id: 'r',
      elements: [section({ type: 'color', value: text }, { type: 'user', user_id: text })],
    },
    {
      type: 'actions',
      block_id: 'a',
      elements: [
        { type: 'button', action_id: 'a1', text: plain(text), url: text, value: text, accessibility_label: text },
        { type: 'static_select', action_id: 'a2', options: [option(text)], initial_option: option(text) },
      ],
    },
    {
      ...input({ type: 'plain_text_input', initial_value: text, placeholder: plain(text) }),
      block_id: 'i',
      label: plain(text),
    },
    { type: text, block_id: text },
  ];

  it.each(hostile)('hostile text on the demo page is shown as plain text, wherever it stands: %s', async (text) => {
    await stage.draw(everywhere(text), { errors: { i: text } });
    const body = stage.page.locator('body');
    expect(await body.locator('script, iframe, object, embed, svg[onload], img[onerror]').count()).toBe(0);
    const bad = (await stage.page.evaluate(`[...document.querySelectorAll('body *')].flatMap((node) =>
      [...node.attributes].filter(({ name, value }) => name.startsWith('on') || (name === 'href' && !/^(https?|mailto|tel):/.test(value))).map(({ name }) => name))`)) as string[];
    expect(bad).toEqual([]);
    expect(await body.textContent()).toContain(text);
    for (const link of await body.locator('[data-action-id="a1"]').all()) await link.click({ modifiers: ['Alt'] });
    expect(await stage.page.evaluate('window.hacked')).toBeUndefined();
    expect(stage.faults).toEqual([]);
  });
});
