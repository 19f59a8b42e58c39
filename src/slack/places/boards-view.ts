/** The modal in which a person shows a list in a channel, or removes its board from one. Pure. */
import { z } from 'zod';
import type { PlaceBoard, PlaceList } from '../../places/index.js';
import { actions, type Block, button, confirm, divider } from '../block-kit/elements.js';
import { shortName } from '../block-kit/short-text.js';
import { bold, channelElement, momentAfter, richText } from '../block-kit/text.js';
import { encode } from '../bolt/metadata.js';
import { createForm, fieldsOf } from '../forms/form.js';
import { agreementOf } from '../forms/form-channel.js';
import * as kinds from '../forms/kinds.js';
import { formOrigin } from '../forms/settings-form.js';

const [firstTitle, nextTitle] = ['Show in a channel', 'Show in more channels'];
export const boardsTitle = (isShown: boolean | undefined): string => (isShown ? nextTitle : firstTitle);
export const isShownIn = (boards: readonly PlaceBoard[]): boolean => boards.some(({ lost }) => !lost);

/** The modal's metadata. `shown`: a channel shows the list already. */
export const boardsMetadata = z.object({ ...formOrigin, list: z.string(), shown: z.boolean().optional() });
export const boardData = z.object({ list: z.string(), board: z.string() });

export const boardForm = createForm(
  'places',
  { field: 'places.field', rerender: 'places.field' },
  {
    board: fieldsOf<object>()(kinds.channel({ missing: 'Choose a channel.', orCurrent: true }), {
      label: 'Channel',
      hint: 'One message there shows how many are inside, and changes as people come and go. Scandesk joins public channels by itself.',
    }),
  },
);
export const agreement = agreementOf('places', 'places.field');

/** The channels that show the list, each with a button that removes its board. */
export function boardBlocks({ id, name }: PlaceList, boards: readonly PlaceBoard[]): Block[] {
  return [
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
  ];
}
