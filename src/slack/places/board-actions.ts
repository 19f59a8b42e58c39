/** The window in which a list is shown in a channel, with its listeners. Each change leaves an audit entry. */
import { mostBoards } from '../../places/index.js';
import type { ModalView } from '../block-kit/elements.js';
import type { ViewNotice } from '../block-kit/notice.js';
import { record } from '../bolt/audit.js';
import { type Listener, opener } from '../bolt/routing/listeners.js';
import { enterFormChannel } from '../forms/form-channel.js';
import { FormProblem, type FormScope, settingsForm } from '../forms/settings-form.js';
import { listModal } from './actions.js';
import { agreement, boardBlocks, boardData, boardForm, boardsMetadata, boardsTitle, isShownIn } from './boards-view.js';
import { findList, listGone } from './listed.js';
import { placesData } from './views.js';

const refusals = {
  there: 'That channel shows this list already.',
  too_many: `A list is shown in at most ${mostBoards} channels.`,
} as const;

const boardWindow = settingsForm({
  id: 'places.board',
  title: ({ shown }) => boardsTitle(shown),
  submit: () => 'Show',
  metadata: boardsMetadata,
  async load(context, { list: id }) {
    const list = await findList(context, id);
    return { list, boards: list ? await context.deps.places.boards(list) : [] };
  },
  facts: ({ boards }) => ({ shown: isShownIn(boards) }),
  form: () => ({
    ...boardForm,
    read(state, errors) {
      const { board = '' } = boardForm.read(state, errors);
      return { board, isAgreed: agreement.isAgreed(state, board) };
    },
  }),
  source: () => ({}),
  draw: (draft, { subject: { list, boards }, ...shown }) => [
    ...(list ? boardBlocks(list, boards) : []),
    ...boardForm.draw(draft, 'board'),
    ...agreement.draw(shown, draft.board ?? ''),
  ],
  stays: () => true,
  async save(context, { board: channel, isAgreed }) {
    const { deps, actor, metadata } = context;
    const list = await findList(context, metadata.list);
    if (!list) {
      return { problem: listGone, here: await listModal(context, { problem: listGone }) };
    }
    await enterFormChannel(context, channel, { isAgreed, field: 'board' });
    const outcome = await deps.places.showBoard(list.id, channel, actor.userId);
    if (outcome !== 'shown') {
      throw new FormProblem(refusals[outcome], 'board');
    }
    await record(context, { what: 'places/board', detail: { list: list.name, channel } });
    return { done: 'The board is on its way.' };
  },
});

async function boardsModal(context: FormScope, id: string, notice?: ViewNotice): Promise<ModalView> {
  return (await findList(context, id))
    ? boardWindow.open(context, { list: id }, notice && { notice })
    : listModal(context, { problem: listGone });
}

const openBoards = opener('places.boards', {
  role: 'manager',
  data: placesData,
  modalTitle: boardsTitle(false),
  view: (context) => boardsModal(context, context.data),
});

const removeBoard = opener('places.board_remove', {
  role: 'manager',
  data: boardData,
  modalTitle: boardsTitle(false),
  isOutcome: true,
  async view(context) {
    const { deps, data } = context;
    const list = await findList(context, data.list);
    if (!list) {
      return listModal(context, { problem: listGone });
    }
    const channel = (await deps.places.boards(list)).find(({ key }) => key === data.board)?.channel;
    await deps.places.removeBoard(list, data.board);
    await record(context, { what: 'places/board_remove', detail: { list: list.name, channel } });
    return boardsModal(context, data.list, { done: 'Removed. Its message is deleted.' });
  },
});

export const boardActions: readonly Listener[] = [openBoards, removeBoard, boardWindow.submitted];
