/** Handlers for the clicks and menus in list modals: paging, item actions and list actions. */
import type { Operation } from '../../codereadr/operations/operation.js';
import { scanById } from '../../lookup/index.js';
import { modalView } from '../block-kit/elements.js';
import { SlackError } from '../bolt/errors.js';
import { noticeView } from '../bolt/problem/notice.js';
import type { ActionContext, Handler } from '../bolt/routing/context.js';
import { withOrigin } from '../bolt/routing/origin.js';
import { accountOf } from '../connection/connection.js';
import { lookupCard } from '../lookup/card/card.js';
import { openOperationForm } from '../operations/index.js';
import { allowed, beside, type ItemAction, inMenu, itemActions } from './item-actions.js';
import { listTitles, moreView } from './list-view.js';
import { listWindow, namesOn } from './load-list.js';
import { deedNotes, type ListNotes, listedNotes, listNotes, moreDeeds, moreNotes, pageNotes } from './metadata.js';

type Inside = NonNullable<ActionContext['inside']>;

function insideOf({ inside }: ActionContext): Inside {
  if (inside?.view.type !== 'modal') {
    throw new SlackError('slack.state', 'a click on a list came from no window');
  }
  return inside;
}

const carried = ({ action }: Pick<ActionContext, 'action'>) => ('value' in action ? action.value : undefined);

/** The same modal, with another page or list. */
function showing(
  next: (notes: ListNotes, context: ActionContext) => ListNotes | Promise<ListNotes>,
): Handler<ActionContext> {
  return {
    role: 'everyone',
    async run(context) {
      const inside = insideOf(context);
      const notes = await next(listNotes.read(inside.view.private_metadata), context);
      await inside.fill(listTitles[notes.list], () => listWindow(context, notes));
    },
  };
}

export const listPage = showing(({ page: _, end: __, ...notes }, context) => ({
  ...notes,
  ...pageNotes.read(carried(context)),
}));

/** From the scans of a service back to the services. */
export const listBack = showing(({ channel, list, of }) => ({ channel, list: of?.kind ?? list }));

/** Loads the names behind ids. They cost API calls, so a page loads them only on request. */
export const listNames = showing(async (notes, { deps, actor }) => {
  const { names } = await accountOf(deps, actor.owner);
  await Promise.all(namesOn(notes.list).map((kind) => names[kind]()));
  return notes;
});

/** The title of the modal that an action opens on top; none for an action that replaces the list. */
function opened(deed: ItemAction | undefined): string | undefined {
  return deed === undefined || 'shows' in deed.does
    ? undefined
    : 'opens' in deed.does
      ? deed.does.opens.title
      : barcodeTitle;
}

const barcodeTitle = 'Barcode';
const moreTitle = 'More actions';

const chosenIn = ({ action }: Pick<ActionContext, 'action'>) =>
  deedNotes.read(action.type === 'overflow' ? action.selected_option.value : undefined);

/** An item's menu. */
export const listMenu: Handler<ActionContext> = {
  role: 'everyone',
  modalTitle: (context) => {
    const { list, deed } = chosenIn(context);
    return deed === moreDeeds ? moreTitle : opened(itemActions[list].find((each) => each.deed === deed));
  },
  push: true,
  async run(clicked) {
    const context = withOrigin(clicked);
    const inside = insideOf(context);
    const { list, id, deed } = chosenIn(context);
    const below = { view: inside.view.id, notes: listNotes.read(inside.view.private_metadata) };
    if (deed !== moreDeeds) {
      await perform(context, { deed: known(itemActions[list], deed), list, id, below });
      return;
    }
    const mayChange = await context.deps.permissions.can(context.client, context.actor, 'manager');
    const { more } = inMenu(allowed(itemActions[list], mayChange));
    const name = nameIn(inside, id);
    const notes = moreNotes.write({
      channel: context.actor.channelId,
      view: below.view,
      below: listNotes.write(below.notes),
      name,
    });
    const value = (each: ItemAction) => deedNotes.write({ list, id, deed: each.deed });
    await context.modal.show(moreView(name, more, value, notes));
  },
};

/** A button in the modal of actions that do not fit the menu. */
export const listMore: Handler<ActionContext> = {
  role: 'everyone',
  modalTitle: (context) => {
    const { list, deed } = deedNotes.read(carried(context));
    return opened(itemActions[list].find((each) => each.deed === deed));
  },
  push: true,
  async run(clicked) {
    const context = withOrigin(clicked);
    const { view, below } = moreNotes.read(insideOf(context).view.private_metadata);
    const { list, id, deed } = deedNotes.read(carried(context));
    await perform(context, {
      deed: known(itemActions[list], deed),
      list,
      id,
      below: { view, notes: listNotes.read(below) },
    });
  },
};

/** The button of a list action, which concerns no item. */
export const listBeside: Handler<ActionContext> = {
  role: 'everyone',
  modalTitle: (context) => {
    const { list, deed } = deedNotes.read(carried(context));
    return opened(beside[list].find((each) => each.deed === deed));
  },
  push: true,
  async run(clicked) {
    const context = withOrigin(clicked);
    const inside = insideOf(context);
    const { list, deed } = deedNotes.read(carried(context));
    const below = { view: inside.view.id, notes: listNotes.read(inside.view.private_metadata) };
    await perform(context, { deed: known(beside[list], deed), list, id: '', below });
  },
};

function known(all: readonly ItemAction[], deed: string): ItemAction {
  const found = all.find((each) => each.deed === deed);
  if (!found) {
    throw new SlackError('slack.state', 'a list was asked to do what it does not know');
  }
  return found;
}

interface Doing {
  readonly deed: ItemAction;
  readonly list: ListNotes['list'];
  readonly id: string;
  /** The list it was chosen in; redrawn after a change. */
  readonly below: { readonly view: string; readonly notes: ListNotes };
}

async function perform(context: ActionContext, { deed: { does }, list, id, below }: Doing): Promise<void> {
  if ('opens' in does) {
    await openForm(context, does.opens, does.item, id, below);
  } else if ('shows' in does) {
    const inside = insideOf(context);
    const of = { kind: list, id, name: nameIn(inside, id) };
    const { channel } = below.notes;
    await inside.fill(listTitles[does.shows], () => listWindow(context, { channel, list: does.shows, of }));
  } else {
    await context.modal.fill(barcodeTitle, () => lookupWindow(context, id));
  }
}

async function openForm(
  context: ActionContext,
  operation: Operation,
  item: string | undefined,
  id: string,
  below: Doing['below'],
): Promise<void> {
  const variable = item === undefined ? undefined : operation.input[item];
  const after = operation.effect === 'read' ? undefined : afterOf(below);
  await openOperationForm(context, {
    operation,
    ...(item === undefined ? {} : { prefill: { [item]: variable?.type === 'ids' ? [id] : id }, locked: [item] }),
    ...(after === undefined ? {} : { after: { name: 'list.changed', value: after } }),
  });
}

/** Undefined when a long search does not fit the form's metadata: the list then stays as drawn. */
function afterOf({ view, notes }: Doing['below']): string | undefined {
  const value = { view, notes: listNotes.write(notes) };
  return JSON.stringify(value).length <= 1000 ? listedNotes.write(value) : undefined;
}

/** The card as a lookup shows it, on top of the list, without the buttons that need a card's message. */
async function lookupWindow({ deps, actor }: ActionContext, scanId: string) {
  const scan = await scanById(await accountOf(deps, actor.owner), scanId);
  if (!scan) {
    return noticeView(barcodeTitle, 'This scan no longer exists.');
  }
  const { answer } = await deps.lookups.ask(actor.owner, scan.value);
  return modalView(barcodeTitle, lookupCard(await answer).blocks, { callback_id: 'notice' });
}

interface Named {
  readonly block_id?: string;
  readonly text?: { readonly type: string; readonly text: string };
}

/** The item's name as shown in its row, or in the modal opened from it. */
function nameIn({ view }: Inside, id: string): string {
  if (view.callback_id === 'list.more') {
    return moreNotes.read(view.private_metadata).name;
  }
  const row = (view.blocks as readonly Named[]).find(
    ({ block_id: block = '' }) => block.startsWith('list.row.') && block.endsWith(`.${id}`),
  );
  const [first = ''] = (row?.text?.text ?? '').split('\n');
  return row?.text?.type === 'mrkdwn' ? first.replace(/^\*(.*)\*$/s, '$1') : first;
}
