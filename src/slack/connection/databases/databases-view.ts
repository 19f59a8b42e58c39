/**
 * The form that chooses and orders the databases of lookups: a numbered list, each row with a menu. Pure. It is no
 * multi-select: Slack does not promise to keep the order of a choice.
 */
import { z } from 'zod';
import { unnamed } from '../../../codereadr/names.js';
import type { Database } from '../../../codereadr/types.js';
import { mostDatabases } from '../../../lookup/index.js';
import { mostScanDays } from '../../../mirror/index.js';
import { varyingBlock } from '../../block-kit/block-names.js';
import { actions, type Block, button, cut, divider, option, plain, plainContext } from '../../block-kit/elements.js';
import { noticeBlocks } from '../../block-kit/notice.js';
import { bold, richText } from '../../block-kit/text.js';
import { createForm, fieldsOf } from '../../forms/form.js';
import * as kinds from '../../forms/kinds.js';
import { formOrigin } from '../../forms/settings-form.js';
import { connectFormTitle } from '../connect-view.js';

/**
 * The form between clicks. `ids`: undefined while every database is searched. `mirror`: the settings of the copy;
 * undefined where the mirror is switched off.
 */
export const databaseMetadata = z.object({
  ...formOrigin,
  ids: z.array(z.string()).max(10).optional(),
  mirror: z.object({ scanDays: z.number(), without: z.array(z.string()) }).optional(),
  /** Whether the form is the second half of connecting. */
  first: z.boolean().optional(),
});

export type DatabaseMetadata = z.output<typeof databaseMetadata>;

export const databasesTitle = ({ first }: DatabaseMetadata) => (first ? connectFormTitle : 'Choose databases');

export function databaseBlocks(
  databases: readonly Database[],
  metadata: DatabaseMetadata,
  draft: ReturnType<typeof copyForm.draft>,
): Block[] {
  const searchedIdList = searchedIds(databases, metadata);
  const unsearched = databases.filter((database) => !searchedIdList.includes(database.id));
  return [
    ...(metadata.first ? noticeBlocks({ done: [bold('The account is connected.')] }) : []),
    richText(explanation(databases.length, searchedIdList.length, metadata)),
    ...(searchedIdList.length > 0 ? [divider] : []),
    ...searchedIdList.map((id, at) => row(databases, id, at, searchedIdList.length, metadata)),
    ...(unsearched.length > 0 ? [addRow(searchedIdList)] : []),
    ...(unsearched.length > 0 ? [notSearched(unsearched)] : []),
    ...(metadata.mirror ? [divider, copyText, ...copyForm.draw(draft, 'mirror.days')] : []),
    ...(metadata.ids ? [actions([button('Search every database', 'connect.database.all')], 'database.buttons')] : []),
  ];
}

/** The databases that lookups search, in order: the chosen ones that still exist; if none is chosen, the first ten. */
export function searchedIds(databases: readonly Database[], { ids }: Pick<DatabaseMetadata, 'ids'>): readonly string[] {
  const there = databases.map((database) => database.id);
  return (ids ? ids.filter((id) => there.includes(id)) : there).slice(0, mostDatabases);
}

function explanation(total: number, searched: number, { ids }: DatabaseMetadata): string {
  if (ids) {
    return 'Lookups search these databases in this order. Each one uses an API call.';
  }
  if (total === 0) {
    return 'The account has no databases yet, so lookups show scans only.';
  }
  return total > searched
    ? `Lookups search the first ${searched} of ${total} databases, to save API calls. Reorder or remove one to choose your own list.`
    : 'Lookups search every database, including new ones. Reorder or remove one to choose your own list.';
}

/** How many days of scans the copy holds. Each database's row chooses its copying. */
export const copyForm = createForm(
  (name) => name,
  { field: 'connect.mirror.days', rerender: 'connect.mirror.days' },
  {
    'mirror.days': fieldsOf<Pick<DatabaseMetadata, 'mirror'>>()(kinds.integer({ max: mostScanDays }), {
      label: 'Days of scans to copy',
      hint: '0 copies no scans.',
      collapsible: true,
      path: 'mirror.scanDays',
    }),
  },
);

const copyText = richText(
  'So that lookups respond at once, Scandesk keeps a copy of these databases and of recent scans. Disconnecting the account deletes it.',
);

function row(
  databases: readonly Database[],
  id: string,
  at: number,
  total: number,
  { mirror }: DatabaseMetadata,
): Block {
  const database = databases.find((each) => each.id === id);
  const size = database?.count === undefined ? '' : `  ·  ${database.count.toLocaleString('en-US')} values`;
  const isCopied = !mirror?.without.includes(id);
  const moves = [
    ...(at > 0 ? [option('Move to top', `first:${id}`), option('Move up', `earlier:${id}`)] : []),
    ...(at < total - 1 ? [option('Move down', `later:${id}`)] : []),
    // The last database cannot be removed: lookups would search nothing.
    ...(total > 1 ? [option('Remove', `leave:${id}`)] : []),
    ...(mirror ? [option(isCopied ? 'Don’t copy' : 'Copy', `copy:${id}`)] : []),
  ];
  return {
    type: 'section',
    block_id: `database.row.${id}`,
    text: plain(
      `${at + 1}.  ${cut(database?.name ?? unnamed('database', id), 200)}${size}${isCopied ? '' : '  ·  not copied'}`,
    ),
    ...(moves.length > 0
      ? { accessory: { type: 'overflow', action_id: 'connect.database.move', options: moves } }
      : {}),
  };
}

function addRow(searchedIdList: readonly string[]): Block {
  const isFull = searchedIdList.length >= mostDatabases;
  return {
    type: 'section',
    block_id: varyingBlock('database.add', searchedIdList),
    text: plain(
      isFull ? `Lookups search up to ${mostDatabases} databases. Remove one to add another.` : 'Add a database:',
    ),
    ...(isFull
      ? {}
      : {
          accessory: {
            type: 'external_select',
            action_id: 'connect.database.add',
            min_query_length: 0,
            placeholder: plain('Find a database'),
          },
        }),
  };
}

function notSearched(others: readonly Database[]): Block {
  const names = others.map((database) => database.name).join(', ');
  return plainContext(cut(`Not searched: ${names}`, 1000));
}
