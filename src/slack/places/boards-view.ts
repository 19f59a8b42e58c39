/** The modal in which a person shows a list in a channel, or removes its board from one. Pure. */
import { z } from 'zod';
import type { PlaceBoard, PlaceList } from '../../places/index.js';
import { actions, button, confirm, divider, type ModalView, modalView } from '../block-kit/elements.js';
import { noticeBlocks, type ViewNotice } from '../block-kit/notice.js';
import { shortName } from '../block-kit/short-text.js';
import { bold, channelElement, momentAfter, richText } from '../block-kit/text.js';
import { encode, origin } from '../bolt/metadata.js';
import { createForm, fieldsOf } from '../forms/form.js';
import * as kinds from '../forms/kinds.js';

export const boardsTitle = 'Show in a channel';

/** The name of the button and of its modal: whether a channel shows the list already. */
export const showTitle = (boards: readonly PlaceBoard[]): string =>
  boards.some(({ lost }) => !lost) ? 'Show in more channels' : boardsTitle;

/** The modal's metadata. `shared`: a channel that people of another organization read, as the form has already said. */
export const boardsMetadata = z.object({ ...origin, list: z.string(), shared: z.string().optional() });
export const boardData = z.object({ list: z.string(), board: z.string() });

const field = fieldsOf<{ readonly chosen?: string | undefined }>();
export const boardsForm = createForm(
  'places',
  { field: 'places.field', rerender: 'places.field' },
  {
    board: field(kinds.channel({ missing: 'Choose a channel.', orCurrent: true }), {
      label: 'Channel',
      hint: 'One message there shows how many are inside, and changes as people come and go. Scandesk joins public channels by itself.',
      from: ({ chosen }) => chosen,
    }),
  },
);

export function boardsView(
  { id, name }: PlaceList,
  boards: readonly PlaceBoard[],
  {
    channel,
    chosen,
    shared,
    ...notice
  }: ViewNotice & {
    readonly channel: string | undefined;
    readonly chosen?: string | undefined;
    readonly shared?: string | undefined;
  },
): ModalView {
  return modalView(
    showTitle(boards),
    [
      ...noticeBlocks(notice),
      richText([bold(shortName(name))]),
      ...boards.flatMap((board) => [
        richText([
          'Shown in ',
          channelElement(board.channel),
          ...(board.lost ? [momentAfter(' · no longer updated since ', board.lost.at)] : []),
        ]),
        actions(
          [
            button('Remove the board', 'places.board_remove', {
              value: encode(boardData, { list: id, board: board.key }),
              style: 'danger',
              confirm: confirm('Remove this board?', 'Its message is deleted. The list still counts.', 'Remove'),
            }),
          ],
          `places.board.${board.key}`,
        ),
      ]),
      ...(boards.length > 0 ? [divider] : []),
      ...boardsForm.draw(boardsForm.draft({ chosen }), 'board'),
    ],
    {
      callback_id: 'places.board',
      submit: shared === undefined ? 'Show' : 'Show anyway',
      private_metadata: encode(boardsMetadata, { channel, list: id, shared }),
    },
  );
}
