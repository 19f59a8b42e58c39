/**
 * *Add and let in*: an unknown barcode is added, exactly as it was looked up, to a database that relays validate with.
 * The account refuses a value that it holds already, so a value added meanwhile is not overwritten.
 */
import { z } from 'zod';
import { databases } from '../../../codereadr/operations/index.js';
import { AccountError } from '../../../codereadr/types.js';
import { modalView } from '../../block-kit/elements.js';
import { shortName } from '../../block-kit/short-text.js';
import { barcodeElement, richText } from '../../block-kit/text.js';
import { encode, origin } from '../../bolt/metadata.js';
import { savingView } from '../../bolt/problem/loading.js';
import { noticeView } from '../../bolt/problem/notice.js';
import type { Acknowledged, BaseContext } from '../../bolt/routing/context.js';
import { modal } from '../../bolt/routing/listeners.js';
import { createForm, fieldsOf } from '../../forms/form.js';
import * as kinds from '../../forms/kinds.js';
import { formStateIn } from '../../forms/view-state.js';
import { performOperation } from '../../operations/index.js';
import { readBarcode } from '../read-barcode.js';
import { type Card, storedCard } from '../record-store.js';
import { walkUpChoices } from '../walk-up-choices.js';
import { changedView } from './changed-view.js';
import { addedValue } from './edit-value.js';
import { byStoredUrl, updateCard } from './update-card.js';

export const walkUpTitle = 'Add and let in';

/** The modal's metadata. `place`: the id of the card's stored response URL. */
const metadata = z.object({ ...origin, card: z.string(), place: z.string().optional() });

type EnteredValues = Readonly<Partial<Record<'choice' | 'response', string>>>;

const field = fieldsOf<EnteredValues>();
const id = 'lookup.walk_up';
const alreadyThere = '1027';

function walkUpForm(choices: Awaited<ReturnType<typeof walkUpChoices>>) {
  const hint = 'What the device shows when this barcode is scanned.';
  return createForm(
    id,
    { field: id, rerender: id },
    {
      choice: field(kinds.select(choices, { missing: 'Choose a database.' }), { label: 'Database', path: 'choice' }),
      response: field(kinds.text({ multiline: true }), { label: 'Response', hint, optional: true, path: 'response' }),
    },
  );
}

/** The form; a request for a new lookup where the barcode may be known by now, or no relay validates so any more. */
export async function walkUpView(
  { deps, actor }: Pick<BaseContext, 'deps' | 'actor'>,
  { lookup }: Card,
  opened: z.output<typeof metadata>,
) {
  const isOld = deps.clock.now() - lookup.askedAt >= deps.config.GREEN_MINUTES * 60_000;
  const choices = isOld ? [] : await walkUpChoices(deps, actor.owner, lookup);
  if (choices.length === 0) {
    return noticeView(walkUpTitle, 'This card may be out of date. Look up the barcode again, then add it.');
  }
  const form = walkUpForm(choices);
  const draft = form.draft(choices.length === 1 ? { choice: choices[0]![0] } : {});
  const barcode = richText(['Barcode ', barcodeElement(lookup.value)]);
  const blocks = [barcode, ...form.draw(draft, 'choice', 'response')];
  return modalView(walkUpTitle, blocks, { callback_id: id, submit: 'Add', private_metadata: encode(metadata, opened) });
}

export const walkUpSubmitted = modal(id, {
  role: 'manager',
  metadata,
  fields({ view }): Acknowledged<EnteredValues> {
    const errors: Record<string, string> = {};
    const input = walkUpForm([]).read(formStateIn(view), errors);
    return Object.keys(errors).length > 0 ? { errors } : { show: savingView(walkUpTitle), input };
  },
  async run(context, values) {
    const { deps, actor } = context;
    const card = await storedCard(deps, actor.owner, context.metadata.card);
    const { response = '', choice } = values;
    const { value, findings, symbology } = card.lookup;
    const { database } = findings[Number(choice)]!;
    const input = { database_id: database.id, value, response, validity: true, trim_value: false };
    const showResult = async (now: Card, notice: Parameters<typeof changedView>[1]) => {
      await context.modal.showOutcome(changedView(walkUpTitle, notice, now, deps.clock.now()));
      await updateCard(context, now, byStoredUrl(context, context.metadata.place));
    };
    try {
      await performOperation(context, databases.addvalue, input, { connectedAt: card.connectedAt });
    } catch (error) {
      if (!(error instanceof AccountError && error.apiCode === alreadyThere)) {
        throw error;
      }
      const { answer, connectedAt } = await readBarcode(context, value, { live: true });
      const problem = `Nothing was added: this barcode has been added to ${shortName(database.name)} in the meantime.`;
      return await showResult({ lookup: { ...(await answer), symbology }, connectedAt }, { problem });
    }
    const added = await addedValue(context, card, { database, value, after: { valid: true, response } });
    await showResult(added, { done: `Added to ${shortName(database.name)}. You can undo this on the card.` });
  },
});
