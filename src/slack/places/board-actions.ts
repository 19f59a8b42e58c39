/** The listeners of the modal in which a list is shown in a channel. Each change leaves an audit entry. */
import { mostBoards } from '../../places/index.js';
import type { ModalView } from '../block-kit/elements.js';
import { record } from '../bolt/audit.js';
import { enterChannel } from '../bolt/channels.js';
import { savingView } from '../bolt/problem/loading.js';
import type { ActorContext } from '../bolt/routing/context.js';
import { type Listener, modal, opener } from '../bolt/routing/listeners.js';
import { formStateIn } from '../forms/view-state.js';
import { listModal } from './actions.js';
import { boardData, boardsForm, boardsMetadata, boardsTitle, boardsView } from './boards-view.js';
import { findList, listGone } from './listed.js';
import { placesData } from './views.js';

type BoardsOptions = Omit<Parameters<typeof boardsView>[2], 'channel'>;

async function boardsModal(context: ActorContext, id: string, options: BoardsOptions = {}): Promise<ModalView> {
  const { deps, actor } = context;
  const list = await findList(context, id);
  return list
    ? boardsView(list, await deps.places.boards(list), { ...options, channel: actor.channelId })
    : listModal(context, { problem: listGone });
}

const openBoards = opener('places.boards', {
  role: 'manager',
  data: placesData,
  modalTitle: boardsTitle,
  view: (context) => boardsModal(context, context.data),
});

const removeBoard = opener('places.board_remove', {
  role: 'manager',
  data: boardData,
  modalTitle: boardsTitle,
  isOutcome: true,
  async view(context) {
    const { deps, data } = context;
    const list = await findList(context, data.list);
    const boards = list ? await deps.places.boards(list) : [];
    const channel = boards.find(({ key }) => key === data.board)?.channel;
    await (list && deps.places.removeBoard(list, data.board));
    await record(context, { what: 'places/board_remove', detail: { list: list?.name, channel } });
    return boardsModal(context, data.list, { done: 'Removed. Its message is deleted.' });
  },
});

const sharedText =
  'That channel is shared with another organization: people there can read how many are inside, and where.';

const outcomes = {
  shown: { done: 'The board is on its way.' },
  there: { problem: 'That channel shows this list already.' },
  too_many: { problem: `A list is shown in at most ${mostBoards} channels.` },
} as const;

const boardSubmitted = modal('places.board', {
  role: 'manager',
  metadata: boardsMetadata,
  fields({ view }) {
    const errors = {};
    const { board: channel } = boardsForm.read(formStateIn(view), errors);
    return channel === undefined ? { errors } : { show: savingView(view.title.text), input: channel };
  },
  run: async (context, channel: string) => {
    const { client, deps, actor, metadata } = context;
    const placeList = await findList(context, metadata.list);
    const enteredChannel = await enterChannel(client, channel, { sharedIsFine: metadata.shared === channel });
    if (!placeList || !enteredChannel.ok) {
      const options =
        !enteredChannel.ok && enteredChannel.shared
          ? { problem: sharedText, shared: channel }
          : { problem: enteredChannel.ok ? listGone : enteredChannel.line };
      await context.modal.show(await boardsModal(context, metadata.list, { ...options, chosen: channel }));
      return;
    }
    const outcome = await deps.places.showBoard(placeList.id, channel, actor.userId);
    if (outcome === 'shown') {
      await record(context, { what: 'places/board', detail: { list: placeList.name, channel } });
    }
    await context.modal.showOutcome(await boardsModal(context, placeList.id, outcomes[outcome]));
  },
});

export const boardActions: readonly Listener[] = [openBoards, removeBoard, boardSubmitted];
