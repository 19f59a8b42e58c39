/** The form engine: where a field's value is read in what a form is opened on, and how it is written back. */
import { expect, it } from 'vitest';
import { createForm, fieldsOf, when } from '../../../src/slack/forms/form.js';
import * as kinds from '../../../src/slack/forms/kinds.js';
import { formStateIn } from '../../../src/slack/forms/view-state.js';

interface Settings {
  readonly name?: string;
  readonly limit?: { readonly n?: number; readonly of?: string };
  readonly late?: number;
}

const field = fieldsOf<Settings>();
const form = createForm(
  'f',
  { field: 'f', rerender: 'f' },
  {
    name: field(kinds.text(), { label: 'Name', path: 'name' }),
    of: field(
      kinds.select(
        [
          ['no', 'None'],
          ['value', 'Each'],
        ],
        { none: 'no' },
      ),
      { label: 'Limit', path: 'limit.of', initial: 'no' },
    ),
    n: field(kinds.integer({}), { label: 'Count', path: 'limit.n', initial: '1', shown: when('of', 'value') }),
    late: field(kinds.integer({}), { label: 'Late', path: 'late', collapsible: true }),
  },
);

function written(before: Settings, entered: Readonly<Record<string, object>>): Settings {
  const values = Object.fromEntries(Object.entries(entered).map(([name, element]) => [`f.${name}`, { f: element }]));
  return form.write(before, form.read(formStateIn({ state: { values } } as never), {}));
}

const chosen = (value: string) => ({
  type: 'static_select',
  selected_option: { text: { type: 'plain_text', text: value }, value },
});

it('a form field shows the value at its path', () => {
  expect(form.draft({ name: 'A', limit: { n: 3, of: 'value' }, late: 5 })).toEqual({
    ...{ name: 'A', of: 'value', n: '3', late: '5' },
  });
});

it('a form field without a value at its path shows its initial content, or is blank', () => {
  expect(form.draft({})).toEqual({ name: '', of: 'no', n: '1', late: '' });
});

it('a form field’s value is written at its path, and settings outside the form stay unchanged', () => {
  const before = { name: 'A', late: 5, other: true };
  expect(written(before, { name: { value: 'B' }, of: chosen('value'), n: { value: '2' } })).toEqual({
    ...{ name: 'B', late: 5, other: true, limit: { of: 'value', n: 2 } },
  });
});

it('a form field that is empty, unchosen or hidden removes the value at its path', () => {
  const before = { name: 'A', limit: { n: 3, of: 'value' } };
  expect(written(before, { name: { value: '' }, of: chosen('no') })).toEqual({});
});
