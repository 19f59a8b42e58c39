/** The form of a search for scans. Every field is optional; an empty form lists all scans. Pure. */
import { z } from 'zod';
import { typedForm, withHidden } from '../../codereadr/xml/hidden-characters.js';
import { resultWords } from '../../scans/result-words.js';
import { type NamedPart, parseWhen, type SavedSearch, type ScanQuery, scanResults } from '../../search/index.js';
import { varyingBlock } from '../block-kit/block-names.js';
import { actions, button, type ModalView, modalView, option } from '../block-kit/elements.js';
import { noticeBlocks } from '../block-kit/notice.js';
import { shortName } from '../block-kit/short-text.js';
import { encode, origin } from '../bolt/metadata.js';
import { createForm, fieldsOf, type Kind } from '../forms/form.js';
import type { Choice } from '../forms/inputs.js';
import * as kinds from '../forms/kinds.js';
import type { Errors, FormState } from '../forms/view-state.js';
import { longestBarcode } from '../lookup/parse-barcodes.js';
import { mostPicked, namePicker, optionPart, type PickedKind, partOption } from './name-pickers.js';
import { savedMenu } from './saved-list.js';

export const searchTitle = 'Search scans';
/** The form's metadata. `saved`: the id of the saved search that the form was filled with. */
export const searchMetadata = z.object({ ...origin, saved: z.string().optional() });

type Match = NonNullable<ScanQuery['barcode']>['match'];

const matches: readonly Choice<Match>[] = [
  ['contains', 'Part of the barcode'],
  ['starts', 'Its beginning'],
  ['is', 'The whole barcode, exactly'],
  ['alike', 'The whole barcode, in any form'],
];
const resultChoices = scanResults.map((result): Choice<typeof result> => [result, resultWords[result]]);

const field = fieldsOf<ScanQuery>();
/** A text input whose outer space is dropped. */
const trimmed = (options: kinds.TextOptions): Kind<string> => ({
  ...kinds.text(options),
  read: (state, name) => state.text(name).trim(),
});
const partField = (placeholder: string) => trimmed({ max: 100, placeholder });
const namesField = (kind: PickedKind, label: string, partsOf: (query: ScanQuery) => readonly NamedPart[] | undefined) =>
  field(namePicker(kind), {
    label,
    optional: true,
    from: (query) => (partsOf(query) ?? []).slice(0, mostPicked).map(partOption),
  });

/** Each saved search has other blocks: Slack keeps the entered value in a block of the same name. */
const formFor = (savedId?: string) =>
  createForm(
    (name) => (savedId === undefined ? `scans.${name}` : varyingBlock(`scans.${name}`, savedId)),
    { field: 'scans.field', rerender: 'scans.field' },
    {
      when: field(trimmed({ max: 80, placeholder: 'today', focus: true }), {
        label: 'When',
        hint: 'For example: yesterday, last 7 days, 3 March to 5 March, today 14:00-15:30.',
        optional: true,
        path: 'when',
      }),
      barcode: field(kinds.text({ max: longestBarcode * 4 }), {
        label: 'Barcode',
        optional: true,
        from: ({ barcode }) => typedForm(barcode?.text ?? ''),
      }),
      match: field(kinds.select(matches), {
        label: 'Match',
        optional: true,
        path: 'barcode.match',
        initial: 'contains',
      }),
      results: field(kinds.multiSelect(resultChoices, { placeholder: 'Any result' }), {
        label: 'Result',
        optional: true,
        path: 'results',
      }),
      // The picker's only option is the relay of the search, which can be removed, and chosen again.
      relay: field(kinds.multiPicker({ action: 'scans.field', placeholder: 'Any relay', menu: [] }, { max: 1 }), {
        label: 'Relay',
        optional: true,
        from: ({ relay }) => (relay ? [option(shortName(relay.name, 75), relay.id)] : []),
        shown: ({ relay }) => Array.isArray(relay) && relay.length > 0,
      }),
      service: namesField('service', 'Service', ({ services }) => services),
      user: namesField('user', 'User', ({ users }) => users),
      device: namesField('device', 'Device', ({ devices }) => devices),
      response: field(partField(resultWords.used), {
        label: 'Response contains',
        optional: true,
        path: 'response',
      }),
      answer: field(partField('Left-hand seat'), {
        label: 'An answer contains',
        optional: true,
        path: 'answer',
      }),
      property: field(partField('color=red'), {
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
  /** The saved searches to choose from. */
  readonly saved: readonly SavedSearch[];
  /** The id of the saved search that the form is filled with. */
  readonly chosen?: string | undefined;
  readonly problem?: string;
}

const mainFields = ['when', 'barcode', 'match', 'results', 'relay', 'service', 'user', 'device'] as const;
const moreFields = ['response', 'answer', 'property'] as const;

export function searchView(query: ScanQuery, view: SearchView): ModalView {
  const isLong = query.response !== undefined || query.answer !== undefined || query.property !== undefined;
  return drawForm(formFor(view.chosen).draft(query), { isLong, ...view });
}

/** The form with the entered values, and all its fields. */
export function longSearchView(state: FormState, view: SearchView): ModalView {
  return drawForm(formFor(view.chosen).entered(state), { ...view, isLong: true });
}

function drawForm(
  draft: Parameters<typeof searchForm.draw>[0],
  { channel, saved, chosen, problem, isLong }: SearchView & { readonly isLong: boolean },
): ModalView {
  const form = formFor(chosen);
  return modalView(
    searchTitle,
    [
      ...savedMenu(saved, chosen),
      ...noticeBlocks({ problem }),
      ...form.draw(draft, ...mainFields),
      ...(isLong ? form.draw(draft, ...moreFields) : [actions([button('More filters', 'scans.more')], 'scans.more')]),
    ],
    {
      callback_id: 'scans.search',
      submit: 'Search',
      close: 'Cancel',
      private_metadata: encode(searchMetadata, { channel, saved: chosen }),
    },
  );
}

/** Reads the form. Whether a time is valid is checked in UTC, as the person's zone is known later. */
export function readSearch(state: FormState, now: number): { readonly errors: Errors } | { readonly query: ScanQuery } {
  const errors: Errors = {};
  const values = searchForm.read(state, errors);
  const { when, response, answer, property = '' } = values;
  if (when && !parseWhen(when, now, 'Etc/UTC')) {
    errors[searchForm.nameOf('when')] = 'Enter a time such as “today”, “last 7 days”, or “3 March to 5 March”.';
  }
  const [, propertyName = '', value = ''] = /^([^=]+)=(.*)$/s.exec(property) ?? [];
  if (property !== '' && propertyName === '') {
    errors[searchForm.nameOf('property')] = 'Enter a name, an equals sign, and part of the value: color=red.';
  }
  const barcode = withHidden(values.barcode ?? '');
  const pickedParts = (kind: PickedKind, field: 'services' | 'users' | 'devices') => {
    const parts = state.options(searchForm.nameOf(kind)).map(optionPart);
    return parts.length > 0 ? { [field]: parts } : {};
  };
  const [relay] = state.options(searchForm.nameOf('relay'));
  const results = scanResults.filter((each) => values.results?.includes(each));
  return Object.keys(errors).length > 0
    ? { errors }
    : {
        query: {
          ...searchForm.write({}, { when, response, answer, results: results.length > 0 ? results : undefined }),
          ...(barcode === '' ? {} : { barcode: { match: values.match ?? 'contains', text: barcode } }),
          ...(relay ? { relay: { id: relay.value ?? '', name: relay.text.text } } : {}),
          ...pickedParts('service', 'services'),
          ...pickedParts('user', 'users'),
          ...pickedParts('device', 'devices'),
          ...(propertyName === '' ? {} : { property: { name: propertyName, value } }),
        },
      };
}
