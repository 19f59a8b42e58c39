/** The *Edit response* modal: a barcode's response and validity in one database. Pure. */

import { z } from 'zod';
import type { DatabaseFinding } from '../../../lookup/index.js';
import { type Block, type ModalView, modalView, option, plain, section } from '../../block-kit/elements.js';
import { shortName } from '../../block-kit/short-text.js';
import { barcodeElement, bold, richText, textElement } from '../../block-kit/text.js';
import { encode, origin } from '../../bolt/metadata.js';

export const editTitle = 'Edit response';

/** `place`: the id of the card's stored response URL. `database`: the one being edited. */
export const editMetadata = z.object({
  ...origin,
  card: z.string(),
  place: z.string().optional(),
  database: z.string(),
});

export type EditMetadata = z.output<typeof editMetadata>;

/** Slack's limit for an input, in characters. */
export const longestResponse = 3000;

export type Editable = Extract<DatabaseFinding, { kind: 'known' }>;

export interface Edit {
  /** All databases with the barcode; at least one. */
  readonly known: readonly Editable[];
  readonly metadata: EditMetadata;
  /** Input values that differ from the database's. */
  readonly entered?: { readonly response: string; readonly valid: boolean };
  /** An error, or what changed. */
  readonly notice?: string;
}

const validOptions = [option('Valid', '1'), option('Not valid', '0')] as const;

export function editView({ known, metadata, entered, notice }: Edit): ModalView {
  const index = Math.max(
    0,
    known.findIndex(({ database }) => database.id === metadata.database),
  );
  const { value, response, valid, database } = known[index]!;
  const tooLong = response.length > longestResponse;
  const text = entered?.response ?? (tooLong ? '' : response);
  const blocks: Block[] = [
    ...(notice === undefined ? [] : [richText([{ type: 'emoji', name: 'warning' }, textElement(' '), bold(notice)])]),
    richText([
      textElement('Barcode '),
      barcodeElement(value),
      ...(known.length > 1 ? [] : [textElement(' in '), bold(shortName(database.name))]),
    ]),
    ...(known.length > 1 ? [databaseBlock(known, index)] : []),
    {
      type: 'input',
      block_id: `lookup.edit.response.${index}`,
      optional: true,
      label: plain('Response'),
      hint: plain(
        tooLong
          ? `The current response has ${response.length.toLocaleString('en-US')} characters, too many to show here. Enter a new one to replace it, or leave this blank to keep it.`
          : 'What the device shows when this barcode is scanned.',
      ),
      element: {
        type: 'plain_text_input',
        action_id: 'lookup.edit.response',
        multiline: true,
        max_length: longestResponse,
        ...(text === '' ? {} : { initial_value: text }),
      },
    },
    {
      type: 'input',
      block_id: `lookup.edit.valid.${index}`,
      label: plain('Mark this barcode as'),
      element: {
        type: 'radio_buttons',
        action_id: 'lookup.edit.valid',
        options: [...validOptions],
        initial_option: (entered?.valid ?? valid) ? validOptions[0] : validOptions[1],
      },
    },
  ];
  return modalView(editTitle, blocks, {
    callback_id: 'lookup.edit',
    submit: 'Save',
    private_metadata: encode(editMetadata, { ...metadata, database: database.id }),
  });
}

/** Option values are indexes: the account's ids have no length limit. */
function databaseBlock(known: readonly Editable[], index: number): Block {
  const options = known.map(({ database }, at) => option(shortName(database.name, 75), String(at)));
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
