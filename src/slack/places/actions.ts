/** The listeners of the modal of all lists. Each change writes an audit entry and shows the lists anew. */
import type { PlaceList } from '../../places/index.js';
import type { ModalView } from '../block-kit/elements.js';
import type { ViewNotice } from '../block-kit/notice.js';
import { record } from '../bolt/audit.js';
import type { ActionContext, ActorContext } from '../bolt/routing/context.js';
import { type Listener, opener } from '../bolt/routing/listeners.js';
import { lentLists } from '../lent/things.js';
import { findList, listedPlaces, listGone } from './listed.js';
import { placesData, placesListView, placesTitle } from './views.js';

export async function listModal({ deps, actor }: ActorContext, notice: ViewNotice = {}): Promise<ModalView> {
  const [counted, lent] = await Promise.all([listedPlaces(deps, actor.owner), lentLists(deps, actor.owner)]);
  const lentWithFigures = await Promise.all(
    lent.map(async (each) => ({ ...each, figures: await deps.places.figures(each.list) })),
  );
  const shown = await Promise.all(
    counted.map(async (each) => ({ ...each, boards: await deps.places.boards(each.list) })),
  );
  return placesListView([...shown, ...lentWithFigures], {
    ...notice,
    channel: actor.channelId,
    now: deps.clock.now(),
  });
}

/** A listener that changes a list; `change` resolves to the notice about it. */
function changeAction(
  id: string,
  change: (context: ActionContext<string>, list: PlaceList) => Promise<string>,
): Listener {
  return opener(id, {
    role: 'manager',
    data: placesData,
    modalTitle: placesTitle,
    isOutcome: true,
    async view(context) {
      const list = await findList(context, context.data);
      return listModal(context, list ? { done: await change(context, list) } : { problem: listGone });
    },
  });
}

const openLists = opener('places.lists', {
  role: 'manager',
  modalTitle: placesTitle,
  view: (context) => listModal(context),
});

const reset = changeAction('places.reset', async (context, { id, name, settings }) => {
  await context.deps.places.reset(id);
  await record(context, { what: 'places/reset', detail: { list: name } });
  return settings.custody
    ? 'Reset. Nothing counts as lent from now on.'
    : 'Reset. Everyone counts as outside from now on.';
});

const deleteList = changeAction('places.delete', async (context, { id, name }) => {
  await context.deps.places.remove(id);
  await record(context, { what: 'places/delete', detail: { list: name } });
  return 'List deleted.';
});

export const placesActions: readonly Listener[] = [openLists, reset, deleteList];
