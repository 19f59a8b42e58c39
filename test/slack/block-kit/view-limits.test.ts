/** Faults that the app finds in a view before it sends the view, compared with those of the simulated workspace. */
import { expect, test } from 'vitest';
import { systemRandom } from '../../../src/clock.js';
import { checkView } from '../../../src/sandbox/slack/blocks/check.js';
import { type Block, type ModalView, modalView, plain } from '../../../src/slack/block-kit/elements.js';
import { viewFaults } from '../../../src/slack/block-kit/view-limits.js';
import { codeThrown } from '../../helpers/thrown.js';

const letters = (count: number) => 'x'.repeat(count);
const many = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at));
const choice = (text: string, value = text, description?: string) => ({
  text: plain(text),
  value,
  ...(description === undefined ? {} : { description: plain(description) }),
});
const choices = (count: number) => many(count, (at) => choice(`c${at}`));
const section = (text: string): object => ({ type: 'section', text: plain(text) });
const input = (element: object, more: object = {}): object => ({
  type: 'input',
  label: plain('Label'),
  element,
  ...more,
});
const line = (more: object = {}) => input({ type: 'plain_text_input', ...more });
const view = (blocks: readonly object[], more: object = {}): object => ({
  type: 'modal',
  title: plain('Title'),
  submit: plain('Save'),
  blocks,
  ...more,
});
const asking = (dialog: object): object => ({
  type: 'actions',
  elements: [
    {
      type: 'button',
      text: plain('Do'),
      confirm: { title: plain('T'), text: plain('T'), confirm: plain('Y'), deny: plain('N'), ...dialog },
    },
  ],
});

/** The parts of a view, with the largest size that Slack takes. */
const sizes: readonly (readonly [what: string, most: number, make: (size: number) => object])[] = [
  ['title', 24, (size) => view([section('x')], { title: plain(letters(size)) })],
  ['submit', 24, (size) => view([section('x')], { submit: plain(letters(size)) })],
  ['close', 24, (size) => view([section('x')], { close: plain(letters(size)) })],
  ['private_metadata', 3000, (size) => view([section('x')], { private_metadata: letters(size) })],
  ['callback_id', 255, (size) => view([section('x')], { callback_id: letters(size) })],
  ['external_id', 255, (size) => view([section('x')], { external_id: letters(size) })],
  ['blocks', 100, (size) => view(many(size, () => section('x')))],
  ['block_id', 255, (size) => view([{ ...section('x'), block_id: letters(size) }])],
  ['action_id', 255, (size) => view([line({ action_id: letters(size) })])],
  ['text of a section', 3000, (size) => view([section(letters(size))])],
  ['fields of a section', 10, (size) => view([{ type: 'section', fields: many(size, () => plain('x')) }])],
  ['text of a field', 2000, (size) => view([{ type: 'section', fields: [plain(letters(size))] }])],
  ['text of a header', 150, (size) => view([{ type: 'header', text: plain(letters(size)) }])],
  ['elements of a context', 10, (size) => view([{ type: 'context', elements: many(size, () => plain('x')) }])],
  ['text in a context', 2000, (size) => view([{ type: 'context', elements: [plain(letters(size))] }])],
  [
    'buttons of an actions block',
    25,
    (size) => view([{ type: 'actions', elements: many(size, () => ({ type: 'button', text: plain('x') })) }]),
  ],
  [
    'text of a button',
    75,
    (size) => view([{ type: 'actions', elements: [{ type: 'button', text: plain(letters(size)) }] }]),
  ],
  [
    'value of a button',
    2000,
    (size) => view([{ type: 'actions', elements: [{ type: 'button', text: plain('x'), value: letters(size) }] }]),
  ],
  ['title of a confirmation', 100, (size) => view([asking({ title: plain(letters(size)) })])],
  ['text of a confirmation', 300, (size) => view([asking({ text: plain(letters(size)) })])],
  ['Yes button of a confirmation', 30, (size) => view([asking({ confirm: plain(letters(size)) })])],
  ['No button of a confirmation', 30, (size) => view([asking({ deny: plain(letters(size)) })])],
  ['label', 2000, (size) => view([{ ...line(), label: plain(letters(size)) }])],
  ['hint', 2000, (size) => view([{ ...line(), hint: plain(letters(size)) }])],
  ['placeholder', 150, (size) => view([line({ placeholder: plain(letters(size)) })])],
  ['initial_value', 3000, (size) => view([line({ initial_value: letters(size) })])],
  ['initial_value with a max_length', 7, (size) => view([line({ max_length: 7, initial_value: letters(size) })])],
  ['options of a select', 100, (size) => view([input({ type: 'static_select', options: choices(size) })])],
  ['options of radio buttons', 10, (size) => view([input({ type: 'radio_buttons', options: choices(size) })])],
  ['options of checkboxes', 10, (size) => view([input({ type: 'checkboxes', options: choices(size) })])],
  [
    'options of a menu',
    5,
    (size) => view([{ ...section('x'), accessory: { type: 'overflow', options: choices(size) } }]),
  ],
  ['text of an option', 75, (size) => view([input({ type: 'static_select', options: [choice(letters(size), 'v')] })])],
  [
    'value of an option',
    150,
    (size) => view([input({ type: 'static_select', options: [choice('o', letters(size))] })]),
  ],
  [
    'description of an option',
    75,
    (size) => view([input({ type: 'radio_buttons', options: [choice('o', 'v', letters(size))] })]),
  ],
  [
    'label of a group of options',
    75,
    (size) =>
      view([input({ type: 'static_select', option_groups: [{ label: plain(letters(size)), options: choices(1) }] })]),
  ],
  ['alt_text', 2000, (size) => view([{ type: 'image', image_url: 'https://a.example/', alt_text: letters(size) }])],
];

const refused: readonly (readonly [what: string, view: object])[] = [
  [
    'a block_id that is there twice',
    view([
      { ...section('x'), block_id: 'a' },
      { ...section('y'), block_id: 'a' },
    ]),
  ],
  [
    'an action_id that is there twice',
    view([
      {
        type: 'actions',
        elements: [
          { type: 'button', text: plain('x'), action_id: 'a' },
          { type: 'button', text: plain('y'), action_id: 'a' },
        ],
      },
    ]),
  ],
  ['an input without a submit', { type: 'modal', title: plain('T'), blocks: [line()] }],
  ['two options of one value', view([input({ type: 'static_select', options: [choice('a', 'v'), choice('b', 'v')] })])],
  [
    'a choice preset in a select that is not among its options',
    view([input({ type: 'static_select', options: choices(2), initial_option: choice('other') })]),
  ],
  [
    'a preset tick that is not among the checkboxes',
    view([input({ type: 'checkboxes', options: choices(2), initial_options: [choice('other')] })]),
  ],
  ['a select without options', view([input({ type: 'static_select', options: [] })])],
  ['an empty text', view([section('')])],
  ['an empty label', view([{ ...line(), label: plain('') }])],
  [
    'an empty text among rich text',
    view([{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: '' }] }] }]),
  ],
];

const slackTakes = (made: object) => checkView(made, systemRandom).ok;

test.each(sizes)('a window is accepted at Slack’s limit (%s: %i), and refused above that limit', (_, most, make) => {
  expect(viewFaults(make(most))).toEqual([]);
  expect(slackTakes(make(most))).toBe(true);
  expect(viewFaults(make(most + 1))).not.toEqual([]);
  expect(slackTakes(make(most + 1))).toBe(false);
});

test.each(refused)('a window is refused with %s', (_, made) => {
  expect(viewFaults(made)).not.toEqual([]);
  expect(slackTakes(made)).toBe(false);
});

test('a window that Slack would refuse raises an error, which quotes none of the window’s text', () => {
  const make = (title: string): ModalView => modalView(title, [section('x') as Block]);
  expect(make('Take users off a service').title.text).toHaveLength(24);
  const long = () => make('Take users off a service?');
  expect(codeThrown(long)).toBe('slack.view');
  expect(long).toThrow('view.title: 25 of at most 24');
  expect(long).not.toThrow('users');
});
