/** Saved searches: the menu above the form's fields, and the list in which people manage them. Pure. */
import { z } from 'zod';
import type { SavedSearch } from '../../search/index.js';
import {
  actions,
  type Block,
  button,
  confirm,
  type ModalView,
  modalView,
  option,
  plain,
} from '../block-kit/elements.js';
import { noticeBlocks, type ViewNotice } from '../block-kit/notice.js';
import { shortName } from '../block-kit/short-text.js';
import { bold, person, richText } from '../block-kit/text.js';
import { encode, origin } from '../bolt/metadata.js';
import { heading } from '../forms/inputs.js';
import { reportButton } from '../relays/report-button.js';
import { queryLine } from './describe-query.js';

export const savedTitle = 'Saved searches';

export const savedMetadata = z.object(origin);
/** The data of a button of the list: the search’s id. */
export const savedData = z.string();

/** The menu of saved searches; none where nothing is saved. */
export function savedMenu(savedSearches: readonly SavedSearch[], chosenId: string | undefined): Block[] {
  if (savedSearches.length === 0) {
    return [];
  }
  const groups = groupsOf(savedSearches, undefined).map(([label, searches]) => ({
    label: plain(label),
    options: searches.map(({ id, name }) => option(shortName(name, 75), id)),
  }));
  const initialOption = groups.flatMap(({ options }) => options).find(({ value }) => value === chosenId);
  return [
    actions(
      [
        {
          type: 'static_select',
          action_id: 'scans.saved',
          placeholder: plain(savedTitle),
          option_groups: groups,
          ...(initialOption ? { initial_option: initialOption } : {}),
        },
        button('Manage', 'scans.saved.list', { accessibility_label: 'Manage saved searches' }),
      ],
      'scans.saved',
    ),
  ];
}

/** @param reader `mayChange`: the reader may change a channel's searches, and the listed ones of people who left */
export function savedListView(
  savedSearches: readonly SavedSearch[],
  reader: { readonly userId: string; readonly mayChange: boolean; readonly channel?: string | undefined },
  notice: ViewNotice = {},
): ModalView {
  const { userId, mayChange, channel } = reader;
  const row = (search: SavedSearch): Block[] => [
    richText(
      [
        bold(shortName(search.name, 75)),
        ...(search.savedBy === userId ? [] : [' · saved by ', person(search.savedBy)]),
      ],
      queryLine(search.query),
    ),
    ...(mayChange || search.savedBy === userId
      ? [actions([...(mayChange ? [reportOf(search)] : []), ...changesOf(search)], `scans.saved.${search.id}`)]
      : []),
  ];
  return modalView(
    savedTitle,
    [
      ...noticeBlocks(notice),
      ...groupsOf(savedSearches, userId).flatMap(([label, searches]) => [heading(label), ...searches.flatMap(row)]),
      ...(savedSearches.length === 0 ? [richText('There are no saved searches here.')] : []),
    ],
    { callback_id: 'scans.saved.list', private_metadata: encode(savedMetadata, { channel }) },
  );
}

function reportOf({ id, name }: SavedSearch) {
  return reportButton({ search: id }, { accessibility_label: `Daily report of ${shortName(name)}` });
}

function changesOf({ id, name, channel }: SavedSearch) {
  const channelWarning = channel === undefined ? '' : ' It goes for everyone in this channel.';
  return [
    button('Rename', 'scans.saved.rename', { value: id, accessibility_label: `Rename ${shortName(name)}` }),
    button('Delete', 'scans.saved.delete', {
      value: id,
      accessibility_label: `Delete ${shortName(name)}`,
      confirm: confirm(
        'Delete this search?',
        `“${name}” is deleted.${channelWarning} Daily reports that use it stop.`,
        'Delete',
      ),
    }),
  ];
}

/** The searches in groups. @param userId the reader, where searches of people who left are in the list too */
function groupsOf(saved: readonly SavedSearch[], userId: string | undefined) {
  const own = saved.filter(({ channel }) => channel === undefined);
  const isLeft = ({ savedBy }: SavedSearch) => userId !== undefined && savedBy !== userId;
  const groups: readonly (readonly [string, readonly SavedSearch[]])[] = [
    ['Only you', own.filter((search) => !isLeft(search))],
    ['Everyone in this channel', saved.filter(({ channel }) => channel !== undefined)],
    ['Saved by people who left', own.filter(isLeft)],
  ];
  return groups.filter(([, searches]) => searches.length > 0);
}
