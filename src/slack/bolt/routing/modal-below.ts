/** The modal below another one: a saved form closes, and the modal below it shows the change. */
import type { ModalView } from '../../block-kit/elements.js';
import { textMessage } from '../../block-kit/text.js';
import type { BaseContext, ViewContext } from './context.js';
import { openedModal } from './modal.js';

/** Shows the outcome in the modal below the submitted one, or as a message where the person cannot see that modal. */
export async function showBelow(context: ViewContext, make: () => Promise<ModalView>, notice: string): Promise<void> {
  const { previous_view_id: id } = context.view;
  if (!id || !(await openedModal(context, id).showOutcome(await make()))) {
    await context.postPrivately(textMessage(`${context.view.title.text}: ${notice}`));
  }
}

/** Rerenders the modal below. If that fails, no message is posted: the person still sees the modal on top. */
export async function refreshBelow(
  { deps, client, reference }: Pick<BaseContext, 'deps' | 'client' | 'reference'>,
  id: string | null,
  make: () => Promise<ModalView>,
): Promise<void> {
  if (!id) {
    return;
  }
  try {
    await openedModal({ client, deps }, id).show(await make());
  } catch (error) {
    deps.log.info({ err: error, reference }, 'the modal below could not be rerendered');
  }
}
