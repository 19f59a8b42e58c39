/** The forms in which a search gets its name: to save it, and to rename it. Pure. */
import { z } from 'zod';
import {
  longestSearchName,
  mostSavedSearches,
  type SavedSearch,
  type SavingProblem,
  type ScanQuery,
} from '../../search/index.js';
import { type ModalView, modalView } from '../block-kit/elements.js';
import { noticeBlocks } from '../block-kit/notice.js';
import { code, richText, settled } from '../block-kit/text.js';
import { isChannel } from '../bolt/channels.js';
import { encode, origin } from '../bolt/metadata.js';
import { savingView } from '../bolt/problem/loading.js';
import { noticeView } from '../bolt/problem/notice.js';
import type { Acknowledged } from '../bolt/routing/context.js';
import { createForm, fieldsOf } from '../forms/form.js';
import * as kinds from '../forms/kinds.js';
import type { Errors, FormState } from '../forms/view-state.js';
import { queryLine } from './describe-query.js';

export const saveTitle = 'Save search';
export const renameTitle = 'Rename search';

/** The form's metadata. `search`: the id of the results' record. */
export const saveMetadata = z.object({ ...origin, search: z.string() });
export const renameMetadata = z.object({ ...origin, saved: z.string() });

interface Naming {
  readonly name: string;
  readonly list: 'me' | 'channel' | undefined;
}

const field = fieldsOf<Naming>();

const form = createForm(
  'scans.save',
  { field: 'scans.field', rerender: 'scans.field' },
  {
    name: field(
      kinds.text({ max: longestSearchName, placeholder: 'Gate refusals', missing: 'Enter a name.', focus: true }),
      { label: 'Name', path: 'name' },
    ),
    list: field(
      kinds.radio([
        ['me', 'Only you'],
        ['channel', 'Everyone in this channel'],
      ]),
      { label: 'For', path: 'list' },
    ),
  },
);

const problems: Readonly<Record<SavingProblem, string>> = {
  taken: 'Another saved search has this name. Choose another one.',
  full: `There are ${mostSavedSearches} saved searches already. Delete one first, in /scans → Manage.`,
  gone: 'This saved search was deleted.',
};

const quotes = /["\u201c-\u201f\uff02]/;

export function saveView(
  query: ScanQuery,
  metadata: z.output<typeof saveMetadata>,
  { naming = { name: '', list: 'me' }, problem }: { naming?: Naming; problem?: SavingProblem } = {},
): ModalView {
  // Only a channel has a list of searches that others share.
  const fields = isChannel(metadata.channel) ? (['name', 'list'] as const) : (['name'] as const);
  return modalView(
    saveTitle,
    [
      richText(queryLine(query)),
      ...noticeBlocks({ problem: problem && problems[problem] }),
      ...form.draw(form.draft(naming), ...fields),
    ],
    { callback_id: 'scans.save', submit: 'Save', private_metadata: encode(saveMetadata, metadata) },
  );
}

export function renameView(
  { name, query }: Pick<SavedSearch, 'name' | 'query'>,
  metadata: z.output<typeof renameMetadata>,
  problem?: SavingProblem,
): ModalView {
  return modalView(
    renameTitle,
    [
      richText(queryLine(query)),
      ...noticeBlocks({ problem: problem && problems[problem] }),
      ...form.draw(form.draft({ name, list: undefined }), 'name'),
    ],
    { callback_id: 'scans.saved.rename', submit: 'Save', private_metadata: encode(renameMetadata, metadata) },
  );
}

/** Reads the form. @param title of the modal while the search is saved */
export function readNaming(state: FormState, title: string): Acknowledged<Naming> {
  const errors: Errors = {};
  const { name = '', list } = form.read(state, errors);
  // A name cannot hold quotes: people type it in quotes, as in /scans saved:"Gate refusals".
  if (quotes.test(name)) {
    errors[form.nameOf('name')] = 'Choose a name without quotation marks.';
  }
  return Object.keys(errors).length > 0 ? { errors } : { show: savingView(title), input: { name: name.trim(), list } };
}

export function savedView({ name }: SavedSearch): ModalView {
  return noticeView(saveTitle, `✅ Saved as “${name}”.`, [
    'Choose it in ',
    code('/scans'),
    ', or type ',
    code(`/scans saved:"${settled(name)}"`),
    '.',
  ]);
}
