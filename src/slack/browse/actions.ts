/** Handlers for the clicks and menus in list modals: paging, item actions and list actions. */

import type { Operation } from '../../codereadr/operations/operation.js';
import { scanById } from '../../lookup/index.js';
import { modalView } from '../block-kit/elements.js';
import { SlackError } from '../bolt/errors.js';
import { noticeView } from '../bolt/problem/notice.js';
import type { ActionContext } from '../bolt/routing/context.js';
import { action, type Listener } from '../bolt/routing/listeners.js';
import { withOrigin } from '../bolt/routing/origin.js';
import { accountOf } from '../connection/connection.js';
import { lookupCard } from '../lookup/card/card.js';
import { openOperationForm } from '../operations/index.js';
import { allowed, type ItemAction, itemActions, listActions, splitMenu } from './item-actions.js';
import { listTitles, moreView } from './list-view.js';
import { loadListView, namesOn } from './load-list.js';
import {
  itemActionMetadata,
  type ListMetadata,
  listChangedMetadata,
  listMetadata,
  moreActions,
  moreMetadata,
  pageMetadata,
} from './metadata.js';

type Inside = NonNullable<ActionContext['inside']>;

function insideOf({ inside, action }: ActionContext): Inside {
  if (inside?.view.type !== 'modal') {
    throw new SlackError('slack.state', `clicked outside a modal: ${action.action_id}`);
  }
  return inside;
}

const buttonValueOf = ({ action }: Pick<ActionContext, 'action'>) => ('value' in action ? action.value : undefined);

/** The same modal, with another page or list. */
function redrawWith(
  id: string | readonly string[],
  next: (metadata: ListMetadata, context: ActionContext) => ListMetadata | Promise<ListMetadata>,
): Listener {
  return action(id, {
    role: 'everyone',
    async run(context) {
      const inside = insideOf(context);
      const metadata = await next(listMetadata.read(inside.view.private_metadata), context);
      await inside.fill(listTitles[metadata.list], () => loadListView(context, metadata));
    },
  });
}

export const listPage = redrawWith(['list.before', 'list.after'], ({ page: _, end: __, ...metadata }, context) => ({
  ...metadata,
  ...pageMetadata.read(buttonValueOf(context)),
}));

/** From the scans of a service back to the services. */
export const listBack = redrawWith('list.back', ({ channel, list, of }) => ({ channel, list: of?.kind ?? list }));

/** Loads the names behind ids. They cost API calls, so a page loads them only on request. */
export const listNames = redrawWith('list.names', async (metadata, { deps, actor }) => {
  const { names } = await accountOf(deps, actor.owner);
  await Promise.all(namesOn(metadata.list).map((kind) => names[kind]()));
  return metadata;
});

/** The title of the modal that an action opens on top; none for an action that replaces the list. */
function titleOf(chosen: ItemAction | undefined): string | undefined {
  return chosen === undefined || 'shows' in chosen.does
    ? undefined
    : 'opens' in chosen.does
      ? chosen.does.opens.title
      : barcodeTitle;
}

const barcodeTitle = 'Barcode';
const moreTitle = 'More actions';

const chosenIn = ({ action }: Pick<ActionContext, 'action'>) =>
  itemActionMetadata.read(action.type === 'overflow' ? action.selected_option.value : undefined);

/** An item's menu. */
export const listMenu = action('list.menu', {
  role: 'everyone',
  modalTitle: (context) => {
    const { list, deed: key } = chosenIn(context);
    return key === moreActions ? moreTitle : titleOf(itemActions[list].find((each) => each.key === key));
  },
  push: true,
  async run(clicked) {
    const context = withOrigin(clicked);
    const inside = insideOf(context);
    const { list, id, deed: key } = chosenIn(context);
    const below = { view: inside.view.id, metadata: listMetadata.read(inside.view.private_metadata) };
    if (key !== moreActions) {
      await perform(context, { chosen: findAction(itemActions[list], key), list, id, below });
      return;
    }
    const mayChange = await context.deps.permissions.can(context.client, context.actor, 'manager');
    const { more } = splitMenu(allowed(itemActions[list], mayChange));
    const name = nameIn(inside, id);
    const metadata = moreMetadata.write({
      channel: context.actor.channelId,
      view: below.view,
      below: listMetadata.write(below.metadata),
      name,
    });
    const value = (each: ItemAction) => itemActionMetadata.write({ list, id, deed: each.key });
    await context.modal.show(moreView(name, more, value, metadata));
  },
});

/** A button in the modal of actions that do not fit the menu. */
export const listMore = action('list.more', {
  role: 'everyone',
  modalTitle: (context) => {
    const { list, deed: key } = itemActionMetadata.read(buttonValueOf(context));
    return titleOf(itemActions[list].find((each) => each.key === key));
  },
  push: true,
  async run(clicked) {
    const context = withOrigin(clicked);
    const { view, below } = moreMetadata.read(insideOf(context).view.private_metadata);
    const { list, id, deed: key } = itemActionMetadata.read(buttonValueOf(context));
    await perform(context, {
      chosen: findAction(itemActions[list], key),
      list,
      id,
      below: { view, metadata: listMetadata.read(below) },
    });
  },
});

/** The button of a list action, which concerns no item. */
export const listAction = action(['list.beside', 'list.beside.too'], {
  role: 'everyone',
  modalTitle: (context) => {
    const { list, deed: key } = itemActionMetadata.read(buttonValueOf(context));
    return titleOf(listActions[list].find((each) => each.key === key));
  },
  push: true,
  async run(clicked) {
    const context = withOrigin(clicked);
    const inside = insideOf(context);
    const { list, deed: key } = itemActionMetadata.read(buttonValueOf(context));
    const below = { view: inside.view.id, metadata: listMetadata.read(inside.view.private_metadata) };
    await perform(context, { chosen: findAction(listActions[list], key), list, id: '', below });
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
  readonly list: ListMetadata['list'];
  readonly id: string;
  /** The list it was chosen in; redrawn after a change. */
  readonly below: { readonly view: string; readonly metadata: ListMetadata };
}

async function perform(context: ActionContext, { chosen: { does }, list, id, below }: ChosenAction): Promise<void> {
  if ('opens' in does) {
    await openForm(context, does.opens, does.item, id, below);
  } else if ('shows' in does) {
    const inside = insideOf(context);
    const of = { kind: list, id, name: nameIn(inside, id) };
    const { channel } = below.metadata;
    await inside.fill(listTitles[does.shows], () => loadListView(context, { channel, list: does.shows, of }));
  } else {
    await context.modal.fill(barcodeTitle, () => lookupView(context, id));
  }
}

async function openForm(
  context: ActionContext,
  operation: Operation,
  item: string | undefined,
  id: string,
  below: ChosenAction['below'],
): Promise<void> {
  const param = item === undefined ? undefined : operation.input[item];
  const after = operation.effect === 'read' ? undefined : afterOf(below);
  await openOperationForm(context, {
    operation,
    ...(item === undefined ? {} : { prefill: { [item]: param?.type === 'ids' ? [id] : id }, locked: [item] }),
    ...(after === undefined ? {} : { after: { name: 'list.changed', value: after } }),
  });
}

/** Undefined when a long search does not fit the form's metadata: the list then stays as drawn. */
function afterOf({ view, metadata }: ChosenAction['below']): string | undefined {
  const value = { view, notes: listMetadata.write(metadata) };
  return JSON.stringify(value).length <= 1000 ? listChangedMetadata.write(value) : undefined;
}

/** The card as a lookup shows it, on top of the list, without the buttons that need a card's message. */
async function lookupView({ deps, actor }: ActionContext, scanId: string) {
  const scan = await scanById(await accountOf(deps, actor.owner), scanId);
  if (!scan) {
    return noticeView(barcodeTitle, 'This scan no longer exists.');
  }
  const { answer } = await deps.lookups.lookUp(actor.owner, scan.value);
  return modalView(barcodeTitle, lookupCard(await answer).blocks, { callback_id: 'notice' });
}

interface Named {
  readonly block_id?: string;
  readonly text?: { readonly type: string; readonly text: string };
}

/** The item's name as shown in its row, or in the modal opened from it. */
function nameIn({ view }: Inside, id: string): string {
  if (view.callback_id === 'list.more') {
    return moreMetadata.read(view.private_metadata).name;
  }
  const row = (view.blocks as readonly Named[]).find(
    ({ block_id: block = '' }) => block.startsWith('list.row.') && block.endsWith(`.${id}`),
  );
  const [first = ''] = (row?.text?.text ?? '').split('\n');
  return row?.text?.type === 'mrkdwn' ? first.replace(/^\*(.*)\*$/s, '$1') : first;
}
