/** The listeners of a list's preview, by which a list is turned on or saved. A change writes an audit entry. */
import { isCounting, mostPlaceLists } from '../../places/index.js';
import { record } from '../bolt/audit.js';
import { enterChannel } from '../bolt/channels.js';
import { savingView } from '../bolt/problem/loading.js';
import type { ActorContext, BaseContext } from '../bolt/routing/context.js';
import { type Listener, modal, opener } from '../bolt/routing/listeners.js';
import { assertUnchanged, FormProblem } from '../forms/settings-form.js';
import { listModal } from './actions.js';
import { channelOf, enteredRecords, previewMetadata } from './entered-list.js';
import { placesMetadata } from './form.js';
import { listWindow, overwrittenList } from './list-window.js';
import { findList, listGone } from './listed.js';
import { enteredIn, previewGone, spanChosen, withDevices } from './preview.js';

/** Shows the form again, as it was entered. */
const backToForm = opener('places.back', {
  role: 'manager',
  metadata: previewMetadata,
  modalTitle: 'New list',
  async view(context) {
    const { deps, actor, metadata } = context;
    const input = await enteredIn(context, metadata);
    if (!input) {
      return listModal(context, { problem: previewGone });
    }
    const entered = metadata.entered ?? (await enteredRecords.save(deps, actor.owner, input));
    return listWindow.open(context, { ...placesMetadata.parse(metadata), entered });
  },
});

const previewSaved = modal('places.save', {
  role: 'manager',
  metadata: previewMetadata,
  fields: ({ metadata: { list } }) => ({
    show: savingView(list === undefined ? 'New list' : 'Edit list'),
    input: undefined,
  }),
  run: async (context) => {
    const { deps, actor, metadata, view } = context;
    const { list } = metadata;
    const [lists, entered] = await Promise.all([deps.places.lists(actor.owner), enteredIn(context, metadata)]);
    const before = lists.find(({ id }) => id === list);
    if (!entered || (list !== undefined && !before)) {
      await context.modal.show(await listModal(context, { problem: entered ? listGone : previewGone }));
      return;
    }
    try {
      if (!before && lists.length >= mostPlaceLists) {
        throw new FormProblem(`Not saved: a workspace has at most ${mostPlaceLists} lists.`);
      }
      assertUnchanged(overwrittenList(before), metadata.seen);
    } catch (error) {
      if (!(error instanceof FormProblem)) {
        throw error;
      }
      await context.modal.show(
        await listWindow.open(context, { ...placesMetadata.parse(metadata), seen: undefined }, { problem: error }),
      );
      return;
    }
    const { name } = entered;
    const input = { name, settings: await withDevices(context, entered.settings) };
    const channel = channelOf(input.settings);
    if (metadata.shared && channel !== undefined) {
      await enterChannel(context.client, channel, { sharedIsFine: true });
    }
    const made = before ? undefined : await deps.places.create(actor.owner, input, actor.userId);
    await (before && deps.places.change(before.id, input));
    deps.rerenders.forget(view.id);
    await record(context, { what: made ? 'places/create' : 'places/change', detail: { list: name } });
    const saved = 'Saved. Scans are being counted.';
    const done = (await isCountedSoon(context, made ?? list)) ? saved : `${saved} ${laterText}`;
    const lost = made && entered.board !== undefined ? await showNew(context, made, entered.board) : undefined;
    await context.modal.showOutcome(
      await listModal(context, lost === undefined ? { done } : { problem: `${done} ${lost}` }),
    );
  },
});

/** How long the figures of a list are waited for: most lists are counted by then, and their boards begin right. */
const countedWithinMs = 3_000;
const lookEveryMs = 100;
const laterText = 'That takes a while: open this again for the figures. Boards follow by themselves.';

async function isCountedSoon(context: ActorContext, id: string | undefined): Promise<boolean> {
  const { clock } = context.deps;
  for (const until = clock.now() + countedWithinMs; clock.now() < until; await clock.sleep(lookEveryMs)) {
    const list = id === undefined ? undefined : await findList(context, id);
    if (!list || !isCounting(list, clock.now())) {
      return true;
    }
  }
  return false;
}

/** Shows a new list in a channel. Resolves to why it could not. */
async function showNew(context: ActorContext & Pick<BaseContext, 'client'>, list: string, channel: string) {
  const { client, deps, actor } = context;
  const entered = await enterChannel(client, channel);
  if (!entered.ok) {
    return entered.shared
      ? 'Its channel is shared with another organization: show it there from the list.'
      : entered.line;
  }
  await deps.places.showBoard(list, channel, actor.userId);
  return undefined;
}

export const previewActions: readonly Listener[] = [spanChosen, backToForm, previewSaved];
