/** The form of a search for scans. Every field is optional; an empty form lists all scans. Pure. */
import { z } from 'zod';
import { type NamedPart, parseWhen, type SavedSearch, type ScanQuery, type scanResults } from '../../lookup/index.js';
import { varyingBlock } from '../block-kit/block-names.js';
import { type ModalView, modalView } from '../block-kit/elements.js';
import { noticeBlocks } from '../block-kit/notice.js';
import { encode, origin } from '../bolt/metadata.js';
import { createForm, fieldsOf } from '../forms/form.js';
import type { Choice } from '../forms/inputs.js';
import * as kinds from '../forms/kinds.js';
import type { Errors, FormState } from '../forms/view-state.js';
import { longestBarcode } from '../lookup/parse-barcode-text.js';
import { savedMenu } from './saved-list.js';

export const searchTitle = 'Search scans';
/** `saved`: the saved search that the form was filled with. */
export const searchMetadata = z.object({ ...origin, saved: z.string().optional() });

type Match = NonNullable<ScanQuery['barcode']>['match'];

const matches: readonly Choice<Match>[] = [
  ['contains', 'Any part of it'],
  ['starts', 'Its beginning'],
  ['is', 'All of it, exactly'],
];
const results: readonly Choice<(typeof scanResults)[number]>[] = [
  ['valid', 'Valid'],
  ['invalid', 'Not valid'],
  ['not_validated', 'Not checked'],
];

const field = fieldsOf<ScanQuery>();
const part = (placeholder: string) => kinds.text({ max: 100, placeholder });
const partOf = (parts: readonly NamedPart[] | undefined) =>
  (parts ?? []).map((each) => ('id' in each ? each.name : each.part)).join(', ');

/** Other blocks for each saved search: Slack keeps what was entered in a block of the same name. */
const formFor = (saved?: string) =>
  createForm(
    (name) => (saved === undefined ? `scans.${name}` : varyingBlock(`scans.${name}`, saved)),
    { field: 'scans.field', rerender: 'scans.field' },
    {
      when: field(kinds.text({ max: 80, placeholder: 'today', focus: true }), {
        label: 'When',
        hint: 'For example: yesterday, last 7 days, 3 March to 5 March, today 14:00-15:30.',
        optional: true,
        from: ({ when }) => when ?? '',
      }),
      barcode: field(kinds.text({ max: longestBarcode * 4 }), {
        label: 'Barcode',
        optional: true,
        from: ({ barcode }) => (barcode?.text ?? '').replaceAll('\u001d', '\\x1d'),
      }),
      match: field(kinds.select(matches), {
        label: 'What you entered of the barcode',
        from: ({ barcode }) => barcode?.match ?? 'contains',
      }),
      results: field(kinds.checkboxes(results), {
        label: 'Result',
        optional: true,
        from: ({ results: chosen }) => chosen ?? [],
      }),
      service: field(part('Part of a name, or an ID'), {
        label: 'Service',
        optional: true,
        from: ({ services }) => partOf(services),
      }),
      user: field(part('Part of a name, or an ID'), {
        label: 'User',
        optional: true,
        from: ({ users }) => partOf(users),
      }),
      device: field(part('Part of a name, or an ID'), {
        label: 'Device',
        optional: true,
        from: ({ devices }) => partOf(devices),
      }),
      response: field(part('Already used'), {
        label: 'Response contains',
        optional: true,
        from: ({ response }) => response ?? '',
      }),
      answer: field(part('Left-hand seat'), {
        label: 'An answer contains',
        optional: true,
        from: ({ answer }) => answer ?? '',
      }),
      property: field(part('color=red'), {
        label: 'Property',
        hint: 'Its name, an equals sign, and part of its value.',
        optional: true,
        from: ({ property }) => (property ? `${property.name}=${property.value}` : ''),
      }),
    },
  );

const searchForm = formFor();

export interface SearchView {
  readonly channel?: string | undefined;
  /** Those to choose from. */
  readonly saved: readonly SavedSearch[];
  /** The id of the one that the form is filled with. */
  readonly chosen?: string | undefined;
  readonly problem?: string;
}

export function searchView(query: ScanQuery, { channel, saved, chosen, problem }: SearchView): ModalView {
  const form = formFor(chosen);
  const draft = form.draft(query);
  const names = [
    'when',
    'barcode',
    'match',
    'results',
    'service',
    'user',
    'device',
    'response',
    'answer',
    'property',
  ] as const;
  return modalView(
    searchTitle,
    [...savedMenu(saved, chosen), ...noticeBlocks({ problem }), ...form.draw(draft, ...names)],
    {
      callback_id: 'scans.search',
      submit: 'Search',
      close: 'Cancel',
      private_metadata: encode(searchMetadata, {
        ...(channel === undefined ? {} : { channel }),
        ...(chosen === undefined ? {} : { saved: chosen }),
      }),
    },
  );
}

/** A time of a day is validated in UTC here: only its words matter. */
export function readSearch(state: FormState, now: number): { readonly errors: Errors } | { readonly query: ScanQuery } {
  const errors: Errors = {};
  const read = searchForm.read(state, errors);
  const text = (name: 'when' | 'service' | 'user' | 'device' | 'response' | 'answer' | 'property') =>
    read[name]?.trim() ?? '';
  if (text('when') !== '' && !parseWhen(text('when'), now, 'Etc/UTC')) {
    errors[searchForm.nameOf('when')] = 'Enter a time such as “today”, “last 7 days”, or “3 March to 5 March”.';
  }
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text('property')) ?? [];
  if (text('property') !== '' && name === '') {
    errors[searchForm.nameOf('property')] = 'Enter a name, an equals sign, and part of the value: color=red.';
  }
  const barcode = (read.barcode ?? '').replace(/\\x1d/gi, '\u001d');
  const named = (one: 'service' | 'user' | 'device', field: 'services' | 'users' | 'devices') =>
    text(one) === '' ? {} : { [field]: [{ part: text(one) }] };
  return Object.keys(errors).length > 0
    ? { errors }
    : {
        query: {
          ...(text('when') === '' ? {} : { when: text('when') }),
          ...(barcode === '' ? {} : { barcode: { match: read.match ?? 'contains', text: barcode } }),
          ...(read.results && read.results.length > 0 ? { results: read.results as ScanQuery['results'] } : {}),
          ...named('service', 'services'),
          ...named('user', 'users'),
          ...named('device', 'devices'),
          ...(text('response') === '' ? {} : { response: text('response') }),
          ...(text('answer') === '' ? {} : { answer: text('answer') }),
          ...(name === '' ? {} : { property: { name, value } }),
        },
      };
}
