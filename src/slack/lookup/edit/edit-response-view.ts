/** The *Edit response* modal: a barcode's response and validity in one database. Pure. */
import { z } from 'zod';
import type { DatabaseFinding, ValueState } from '../../../lookup/index.js';
import { resultWords } from '../../../scans/result-words.js';
import { type Block, type ModalView, modalView, option, section } from '../../block-kit/elements.js';
import { noticeBlocks } from '../../block-kit/notice.js';
import { shortName } from '../../block-kit/short-text.js';
import { barcodeElement, bold, type Line, richText } from '../../block-kit/text.js';
import { encode, origin } from '../../bolt/metadata.js';
import { createForm, fieldsOf } from '../../forms/form.js';
import { longestText } from '../../forms/inputs.js';
import * as kinds from '../../forms/kinds.js';

export const editTitle = 'Edit response';

/** The modal's metadata. `place`: the id of the card's stored response URL. `database`: the one being edited. */
export const editMetadata = z.object({
  ...origin,
  card: z.string(),
  place: z.string().optional(),
  database: z.string(),
});

export type EditMetadata = z.output<typeof editMetadata>;

export type Editable = Extract<DatabaseFinding, { kind: 'known' }>;

export interface Edit {
  /** All databases with the barcode; at least one. */
  readonly known: readonly Editable[];
  readonly metadata: EditMetadata;
  /** The submitted input values: shown in place of the database's when the form is drawn again. */
  readonly entered?: ValueState;
  /** The line above the form: an error, or what changed meanwhile. */
  readonly notice?: Line;
}

const field = fieldsOf<ValueState>();

const validity = kinds.radio([
  ['1', resultWords.valid],
  ['0', resultWords.invalid],
]);

const actionIds = { field: 'lookup.edit.response', rerender: 'lookup.edit.response' };

/** Each database has inputs of its own, since Slack keeps entered text by block. `length`: of the current response. */
export function editForm(index: number | string, length = 0) {
  const hint =
    length > longestText
      ? `The current response has ${length.toLocaleString('en-US')} characters, too many to show here. Enter a new one to replace it, or leave this blank to keep it.`
      : 'What the device shows when this barcode is scanned.';
  return createForm((name) => `lookup.edit.${name}.${index}`, actionIds, {
    response: field(kinds.text({ multiline: true }), {
      label: 'Response',
      hint,
      optional: true,
      path: 'response',
    }),
    valid: field(validity, {
      label: 'Mark this barcode as',
      action: 'lookup.edit.valid',
      from: ({ valid }) => (valid ? '1' : '0'),
    }),
  });
}

export function editView({ known, metadata, entered, notice }: Edit): ModalView {
  const index = Math.max(
    0,
    known.findIndex(({ database }) => database.id === metadata.database),
  );
  const { value, response, valid, database } = known[index]!;
  const form = editForm(index, response.length);
  const draft = form.draft(entered ?? { response, valid });
  const blocks: Block[] = [
    ...(notice === undefined ? [] : noticeBlocks({ problem: notice })),
    richText([
      'Barcode ',
      barcodeElement(value),
      ...(known.length > 1 ? [] : [' in ', bold(shortName(database.name))]),
    ]),
    ...(known.length > 1 ? [databaseBlock(known, index)] : []),
    ...form.draw(draft, 'response', 'valid'),
  ];
  return modalView(editTitle, blocks, {
    callback_id: 'lookup.edit',
    submit: 'Save',
    private_metadata: encode(editMetadata, { ...metadata, database: database.id }),
  });
}

/** The menu of databases. Its values are indexes: the account's ids have no length limit. */
function databaseBlock(knownDatabases: readonly Editable[], index: number): Block {
  const options = knownDatabases.map(({ database }, at) => option(shortName(database.name, 75), String(at)));
  return section('Database', {
    block_id: 'lookup.edit.database',
    accessory: {
      type: 'static_select',
      action_id: 'lookup.edit.database',
      options,
      initial_option: options[index]!,
    },
  });
}
