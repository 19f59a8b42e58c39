/**
 * Submission handler for *Edit response*: changes the account, then the card. Errors appear in the modal, which keeps
 * what was entered.
 */
import { AccountError } from '../../../codereadr/types.js';
import { sameResponse, type ValueState } from '../../../lookup/index.js';
import { resultInText, validity } from '../../../scans/result-words.js';
import { cut } from '../../block-kit/elements.js';
import { shortName } from '../../block-kit/short-text.js';
import { type Line, textMessage } from '../../block-kit/text.js';
import { SlackError } from '../../bolt/errors.js';
import { savingView } from '../../bolt/problem/loading.js';
import { noticeView } from '../../bolt/problem/notice.js';
import { problemLine } from '../../bolt/problem/problem.js';
import type { Acknowledged, ViewContext } from '../../bolt/routing/context.js';
import { modal } from '../../bolt/routing/listeners.js';
import { longestText } from '../../forms/inputs.js';
import { formStateIn } from '../../forms/view-state.js';
import { knownIn } from '../card/card-changes.js';
import { type Card, keepCard, storedCard } from '../record-store.js';
import { changedView } from './changed-view.js';
import {
  type Edit,
  type Editable,
  type EditMetadata,
  editForm,
  editMetadata,
  editTitle,
  editView,
} from './edit-response-view.js';
import { changeValue, type EditResult } from './edit-value.js';
import { byStoredUrl, updateCard } from './update-card.js';

export const editSubmitted = modal('lookup.edit', {
  role: 'manager',
  metadata: editMetadata,

  fields({ view }): Acknowledged<ValueState> {
    const [index] = Object.keys(view.state.values).flatMap((id) =>
      id.startsWith('lookup.edit.response.') ? [id.slice('lookup.edit.response.'.length)] : [],
    );
    const { response = '', valid } = editForm(index ?? 0).read(formStateIn(view), {});
    return { show: savingView(editTitle), input: { response, valid: valid === '1' } };
  },

  async run(context, enteredState) {
    const { deps, actor, metadata } = context;
    const card = await storedCard(deps, actor.owner, metadata.card);
    const knownDatabases: readonly Editable[] = knownIn(card.lookup);
    const finding = knownDatabases.find(({ database }) => database.id === metadata.database);
    if (!finding) {
      throw new SlackError('slack.state', `no such barcode in database ${metadata.database}`);
    }
    const askAgain = (notice: Line) =>
      redraw(context, { known: knownDatabases, metadata, entered: enteredState, notice });
    const wish = wishOf(finding, enteredState);
    if (wish.response === undefined && wish.valid === undefined) {
      return await askAgain('Nothing has changed yet. Make a change, or cancel.');
    }
    const { database, value, valid, response } = finding;
    let valueEdit: EditResult;
    try {
      valueEdit = await changeValue(context, card, { database, value, shown: { valid, response }, wish });
    } catch (error) {
      if (!(error instanceof AccountError)) {
        throw error;
      }
      deps.log.info(
        { code: error.code, apiCode: error.apiCode, reference: context.reference },
        'an edit failed; its form is shown again',
      );
      return await askAgain(problemLine(error, context.reference));
    }
    if (valueEdit.outcome === 'conflict' && valueEdit.now !== undefined) {
      await redraw(context, await conflictEdit(context, valueEdit.card, metadata, enteredState, valueEdit.now));
      return;
    }
    await context.modal.showOutcome(outcomeView(valueEdit, finding, deps.clock.now()));
    await updateCard(context, valueEdit.card, byStoredUrl(context, metadata.place));
  },
});

/** The changed parts. Slack trims the input; a response that was too long to show stays unless another was entered. */
function wishOf(finding: Editable, { response, valid }: ValueState): Partial<ValueState> {
  const untouched =
    sameResponse(response, finding.response) || (finding.response.length > longestText && response === '');
  return { ...(untouched ? {} : { response }), ...(valid === finding.valid ? {} : { valid }) };
}

function outcomeView({ outcome, card }: EditResult, { database }: Editable, now: number) {
  const name = shortName(database.name);
  return outcome === 'conflict'
    ? noticeView('Not saved', `This barcode is no longer in ${name}. Someone deleted it in the meantime.`)
    : changedView(editTitle, { done: `Saved in ${name}. You can undo this on the card.` }, card, now);
}

/** The edit after a conflict: compared with the current state, which a person who saves again has seen. */
async function conflictEdit(
  { deps, actor }: ViewContext,
  { lookup, connectedAt }: Card,
  metadata: EditMetadata,
  enteredState: ValueState,
  now: ValueState,
): Promise<Edit & { readonly notice: Line }> {
  const card = await keepCard(deps, actor.owner, { lookup, connectedAt });
  const current = now.response === '' ? 'no response' : `the response “${cut(now.response, 300)}”`;
  return {
    known: knownIn(lookup),
    metadata: { ...metadata, card: card ?? metadata.card },
    entered: enteredState,
    notice: `Not saved yet: someone else changed this barcode in the meantime. It is now ${resultInText(validity(now.valid))}, with ${current}. Save again to overwrite it.`,
  };
}

/** Redraws the modal, or sends a message if it was closed. */
async function redraw(context: ViewContext, edit: Edit & { readonly notice: Line }): Promise<void> {
  if (!(await context.modal.show(editView(edit)))) {
    await context.postPrivately(textMessage(edit.notice));
  }
}
