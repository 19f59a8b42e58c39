/** Handlers for the clicks and menus in list modals: paging, item actions and list actions. */
import type { ViewOutput } from '@slack/bolt';
import type { Operation } from '../../codereadr/operations/operation.js';
import { scanById } from '../../lookup/index.js';
import { modalView } from '../block-kit/elements.js';
import { SlackError } from '../bolt/errors.js';
import { decode, encode, longest } from '../bolt/metadata.js';
import { noticeView } from '../bolt/problem/notice.js';
import type { ActionContext, ModalActionContext } from '../bolt/routing/context.js';
import { action, type DataSchema, type Listener, type Output } from '../bolt/routing/listeners.js';
import { accountOf } from '../connection/account.js';
import { lookupCard } from '../lookup/card/card.js';
import { memberModal, memberTitle } from '../members/index.js';
import { openOperationForm } from '../operations/index.js';
import { allowedActions, type ItemAction, itemActions, listActions, splitMenu } from './item-actions.js';
import { afterChange } from './list-changed.js';
import { listTitle, moreView } from './list-view.js';
import { loadListView, namesOn } from './load-list.js';
import {
  firstPage,
  itemActionData,
  type ListKind,
  type ListMetadata,
  listMetadata,
  moreActions,
  moreMetadata,
  pageData,
} from './metadata.js';

/** Draws the modal again with another page or list. */
function redrawWith<D extends DataSchema>(
  id: string | readonly string[],
  data: D,
  nextMetadata: (metadata: ListMetadata, context: ActionContext<Output<D>>) => ListMetadata | Promise<ListMetadata>,
): Listener {
  return action(id, {
    role: 'everyone',
    data,
    metadata: listMetadata,
    async run(context) {
      const metadata = await nextMetadata(context.metadata, context);
      await context.modal.fill(listTitle(metadata.list), () => loadListView(context, metadata));
    },
  });
}

export const listPage = redrawWith(['list.before', 'list.after'], pageData, (metadata, { data }) => ({
  ...firstPage(metadata),
  ...data,
}));

/** Leads from the records of an item back to the list of its kind, as from the scans of a service to the services. */
export const listBack = redrawWith('list.back', undefined, ({ channel, list, of, below }) => ({
  channel,
  list: of?.kind ?? list,
  below,
}));

/** Loads the names behind ids. They cost API calls, so a page loads them only on request. */
export const listNames = redrawWith('list.names', undefined, async (metadata, { deps, actor }) => {
  const { names } = await accountOf(deps, actor.owner);
  await Promise.all(namesOn(metadata.list).map((kind) => names[kind]()));
  return metadata;
});

/** The title of the modal that an action opens on top; none for an action that replaces the list. */
function titleOf(itemAction: ItemAction | undefined): string | undefined {
  if (itemAction === undefined || 'shows' in itemAction.does) {
    return undefined;
  }
  const { does } = itemAction;
  return 'opens' in does ? does.opens.title : 'links' in does ? memberTitle : barcodeTitle;
}

const barcodeTitle = 'Barcode';
const moreTitle = 'More actions';

const titleIn = (all: readonly ItemAction[], key: string) => titleOf(all.find((each) => each.key === key));

/** Slack stacks three modals at most: a list that took the place of a form is replaced by the next modal. */
function isAtBottom({ metadata }: { readonly metadata: ListMetadata }): boolean {
  return metadata.below === undefined;
}

/** A choice in an item's menu. */
export const listMenu = action('list.menu', {
  role: 'everyone',
  data: itemActionData,
  metadata: listMetadata,
  modalTitle: ({ data: { list, deed: key } }) => (key === moreActions ? moreTitle : titleIn(itemActions[list], key)),
  push: isAtBottom,
  async run(context) {
    const { data, inside, metadata } = context;
    const { list, id, deed: key } = data;
    const name = nameIn(inside.view, id);
    if (key !== moreActions) {
      await perform(context, {
        chosen: findAction(itemActions[list], key),
        list,
        id,
        name,
        below: { view: metadata.below ?? inside.view.id, metadata },
      });
      return;
    }
    const mayChange = await context.deps.permissions.can(context.client, context.actor, 'manager');
    const { more: furtherActions } = splitMenu(allowedActions(itemActions[list], mayChange));
    const encodedList = encode(listMetadata, metadata);
    const { channelId: channel } = context.actor;
    const moreOf = encode(moreMetadata, { channel, view: metadata.below ?? inside.view.id, below: encodedList, name });
    const value = (each: ItemAction) => encode(itemActionData, { list, id, deed: each.key }, longest.button);
    await context.modal.show(moreView(name, furtherActions, value, moreOf));
  },
});

/** A button in the modal of actions that do not fit the menu; it gives way to what the action opens. */
export const listMore = action('list.more', {
  role: 'everyone',
  data: itemActionData,
  metadata: moreMetadata,
  modalTitle: ({ data }) => titleIn(itemActions[data.list], data.deed),
  async run(context) {
    const { list, id, deed: key } = context.data;
    const { view, below, name } = context.metadata;
    const metadata = decode(listMetadata, below, 'list.more');
    await perform(context, { chosen: findAction(itemActions[list], key), list, id, name, below: { view, metadata } });
  },
});

/** The button of a list action, which concerns no item. */
export const listAction = action(['list.beside', 'list.beside.too'], {
  role: 'everyone',
  data: itemActionData,
  metadata: listMetadata,
  modalTitle: ({ data }) => titleIn(listActions[data.list], data.deed),
  push: isAtBottom,
  async run(context) {
    const { data, inside, metadata } = context;
    const { list, deed: key } = data;
    const below = { view: metadata.below ?? inside.view.id, metadata };
    await perform(context, { chosen: findAction(listActions[list], key), list, id: '', name: '', below });
  },
});

function findAction(all: readonly ItemAction[], key: string): ItemAction {
  const found = all.find((each) => each.key === key);
  if (!found) {
    throw new SlackError('slack.state', `unknown list action: ${key}`);
  }
  return found;
}

interface ChosenAction {
  readonly chosen: ItemAction;
  readonly list: ListKind;
  readonly id: string;
  readonly name: string;
  /** The list in which the action was chosen; redrawn after a change. */
  readonly below: { readonly view: string; readonly metadata: ListMetadata };
}

async function perform(
  context: ModalActionContext,
  { chosen: { does }, list, id, name, below }: ChosenAction,
): Promise<void> {
  if ('opens' in does) {
    await openForm(context, does, list, id, below);
  } else if ('shows' in does) {
    const parentItem = { kind: list, id, name };
    const { channel, below: root } = below.metadata;
    const metadata = { channel, list: does.shows, of: parentItem, below: root };
    await context.inside.fill(listTitle(does.shows), () => loadListView(context, metadata));
  } else if ('links' in does) {
    await context.deps.permissions.require(context.client, context.actor, 'manager');
    const after = afterChange(below.view, below.metadata);
    await context.modal.fill(memberTitle, () => memberModal(context, { user: id, after }));
  } else {
    await context.modal.fill(barcodeTitle, () => lookupView(context, list, id));
  }
}

async function openForm(
  context: ActionContext,
  { opens: operation, item }: Extract<ItemAction['does'], { opens: Operation }>,
  listKind: ListKind,
  id: string,
  listBelow: ChosenAction['below'],
): Promise<void> {
  const afterStep = operation.effect === 'read' ? undefined : afterChange(listBelow.view, listBelow.metadata);
  const prefill = {
    ...(listKind === 'values' ? { database_id: listBelow.metadata.of?.id } : {}),
    ...(item === undefined ? {} : { [item]: operation.input[item]?.type === 'ids' ? [id] : id }),
  };
  await openOperationForm(context, {
    operation,
    prefill,
    locked: Object.keys(prefill),
    ...(afterStep === undefined ? {} : { after: { name: 'list.changed', value: afterStep } }),
  });
}

/** The card as a lookup shows it, on top of the list, without the buttons that need a card's message. */
async function lookupView({ deps, actor }: ActionContext, list: ListKind, id: string) {
  const value = list === 'values' ? id : (await scanById(await accountOf(deps, actor.owner), id))?.value;
  if (value === undefined) {
    return noticeView(barcodeTitle, 'This scan no longer exists.');
  }
  const { answer } = await deps.lookups.read(actor.owner, value, { who: actor.userId });
  return modalView(barcodeTitle, lookupCard(await answer).blocks, { callback_id: 'notice' });
}

interface NamedItem {
  readonly block_id?: string;
  readonly text?: { readonly type: string; readonly text: string };
}

/** The item's name as shown in its row. */
function nameIn({ blocks }: Pick<ViewOutput, 'blocks'>, id: string): string {
  const row = (blocks as readonly NamedItem[]).find(
    ({ block_id: block = '' }) => block.startsWith('list.row.') && block.endsWith(`.${id}`),
  );
  const [first = ''] = (row?.text?.text ?? '').split('\n');
  return row?.text?.type === 'mrkdwn' ? first.replace(/^\*(.*)\*$/s, '$1') : first;
}
