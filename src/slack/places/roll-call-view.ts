/** Who is inside now, for people whom the list permits: a search and a page at a time. Pure. */
import { z } from 'zod';
import type { InsidePlace } from '../../exports/index.js';
import type { PlaceList } from '../../places/index.js';
import { actions, type Block, button, context, cut, type ModalView, modalView, plain } from '../block-kit/elements.js';
import { noticeBlocks, type ViewNotice } from '../block-kit/notice.js';
import { shortName } from '../block-kit/short-text.js';
import { barcodeElement, bold, momentAfter, richText, textElement } from '../block-kit/text.js';
import { encode, origin } from '../bolt/metadata.js';

export const rollCallTitle = 'Roll call';
export const rollCallMetadata = z.object({ ...origin, list: z.string(), text: z.string(), page: z.number() });
type Metadata = z.output<typeof rollCallMetadata>;

const pageSize = 50;
/** The most lines in one rich text: more are hard to read on a phone. */
const linesInBlock = 25;
export const longestRollCallText = 100;

export interface RollCall {
  readonly list: PlaceList;
  /** The people inside who match the search, in their order. */
  readonly found: readonly InsidePlace[];
  readonly inside: number;
  readonly notice?: ViewNotice | undefined;
}

export function rollCallView({ list, found, inside, notice = {} }: RollCall, metadata: Metadata): ModalView {
  const { text } = metadata;
  const page = Math.min(metadata.page, Math.max(0, Math.ceil(found.length / pageSize) - 1));
  const shownPeople = found.slice(page * pageSize, (page + 1) * pageSize);
  const lines = shownPeople.map(({ place: { holder, value, at }, gate }) => [
    ...(holder === undefined ? [] : [bold(shortName(holder)), textElement(' ')]),
    barcodeElement(cut(value, 110)),
    momentAfter(' since ', at),
    ...(gate === undefined ? [] : [textElement(`, ${shortName(gate)}`)]),
  ]);
  const turns = [
    ...(page > 0 ? [button('← Back', 'places.roll.back', { value: String(page - 1) })] : []),
    ...((page + 1) * pageSize < found.length
      ? [button('More →', 'places.roll.more', { value: String(page + 1) })]
      : []),
    ...(inside > 0 ? [button('CSV by direct message', 'export.roll_call')] : []),
  ];
  const parts: Block[] = [];
  for (let from = 0; from < lines.length; from += linesInBlock) {
    parts.push(richText(...lines.slice(from, from + linesInBlock)));
  }
  const count = inside.toLocaleString('en-US');
  const range = `${page * pageSize + 1} to ${page * pageSize + shownPeople.length} of ${found.length.toLocaleString('en-US')}`;
  return modalView(
    rollCallTitle,
    [
      ...noticeBlocks(notice),
      richText([bold(`${shortName(list.name)} · ${count} inside`)]),
      searchBlock(text),
      ...(found.length === 0 ? [context(inside === 0 ? 'Nobody is inside.' : 'Nobody inside matches this.')] : parts),
      ...(found.length > pageSize ? [context(`${range}.`)] : []),
      ...(turns.length > 0 ? [actions(turns, 'places.roll')] : []),
      context('You see this because the list permits it. Each look and each file is in the audit log.'),
    ],
    // The view has a submit button, which Slack wants where there is an input.
    {
      callback_id: 'places.roll',
      submit: 'Search',
      close: 'Close',
      private_metadata: encode(rollCallMetadata, { ...metadata, page }),
    },
  );
}

function searchBlock(text: string): Block {
  return {
    type: 'input',
    block_id: 'places.roll.search',
    optional: true,
    label: plain('Part of a name or a barcode'),
    dispatch_action: true,
    element: {
      type: 'plain_text_input',
      action_id: 'places.roll.search',
      max_length: longestRollCallText,
      dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] },
      ...(text === '' ? {} : { initial_value: text }),
    },
  };
}
