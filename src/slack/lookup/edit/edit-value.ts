/**
 * The edit of a database value from a card: read, compare with the card, change, audit. A value that somebody else has
 * changed since is not overwritten, and only the exact edit that was made is undone.
 */
import { databases } from '../../../codereadr/operations/index.js';
import { AccountError } from '../../../codereadr/types.js';
import { changedLookup, failureOf, readValueState, sameState, type ValueState } from '../../../lookup/index.js';
import { cut } from '../../block-kit/elements.js';
import { SlackError } from '../../bolt/errors.js';
import { accountSince } from '../../connection/account.js';
import { type OperationContext, performOperation } from '../../operations/index.js';
import { canBeUndone } from '../card/card-changes.js';
import { readBarcode } from '../read-barcode.js';
import type { Card, CardChange } from '../record-store.js';

/** A wanted edit: the state on the card, the database, its spelling of the barcode, and the wanted state. */
export interface ValueEdit {
  readonly database: { readonly id: string; readonly name: string };
  readonly value: string;
  readonly shown: ValueState;
  readonly wish: Partial<ValueState>;
}

export interface EditResult {
  /** `conflict`: nothing was done, because the value no longer was as shown. `same`: it already is as wanted. */
  readonly outcome: 'changed' | 'same' | 'conflict';
  readonly card: Card;
  /** The value's state in the database after the edit; undefined where the database lacks the value. */
  readonly now: ValueState | undefined;
}

/** Makes an edit. @throws SlackError `slack.other_account`, AccountError, and what `performOperation` throws */
export async function changeValue(context: OperationContext, card: Card, edit: ValueEdit): Promise<EditResult> {
  const { deps, actor } = context;
  const { connectedAt } = card;
  const { database, value, shown, wish } = edit;
  const now = await readValueState(await accountSince(deps, actor.owner, connectedAt), database.id, value);
  if (now !== undefined && sameState(now, { ...now, ...wish })) {
    return { outcome: 'same', now, card: await readAgain(context, card, database, now) };
  }
  if (now === undefined || !sameState(now, shown)) {
    const change = newChange(context, 'stands', { database, value });
    return { outcome: 'conflict', now, card: await readAgain(context, card, database, now, change) };
  }
  const newState = { ...now, ...wish };
  const input = { database_id: database.id, value, ...difference(now, newState) };
  await performOperation(context, databases.editvalue, input, { auditDetail: { was: auditState(now) }, connectedAt });
  const change = newChange(context, 'changed', { database, value, before: now, after: newState });
  return { outcome: 'changed', now: newState, card: await readAgain(context, card, database, newState, change) };
}

/** The card of a value that a form added. The database did not hold the value before: the account would refuse it. */
export function addedValue(
  context: OperationContext,
  card: Card,
  added: { readonly database: ValueEdit['database']; readonly value: string; readonly after: ValueState },
): Promise<Card> {
  const change = newChange(context, 'added', added);
  return readAgain(context, card, added.database, added.after, change);
}

/**
 * Restores the exact state before the card's last edit.
 * @throws SlackError `slack.state` if there is nothing to undo, `slack.other_account`; AccountError
 */
export async function undoChange(context: OperationContext, card: Card): Promise<EditResult> {
  const { deps, actor } = context;
  const { change, connectedAt } = card;
  if (!canBeUndone(change) || change.after === undefined) {
    throw new SlackError('slack.state', 'the card has no change to undo');
  }
  const { database, value, before, after } = change;
  const now = await readValueState(await accountSince(deps, actor.owner, connectedAt), database.id, value);
  if (sameState(now, before)) {
    return { outcome: 'same', now, card: await readAgain(context, card, database, before) };
  }
  if (!sameState(now, after)) {
    const change = newChange(context, 'stands', { database, value });
    return { outcome: 'conflict', now, card: await readAgain(context, card, database, now, change) };
  }
  const input = { database_id: database.id, value };
  const options = { auditDetail: { undoes: true, was: auditState(after) }, connectedAt };
  await (before === undefined
    ? performOperation(context, databases.deletevalue, input, options)
    : performOperation(context, databases.editvalue, { ...input, ...difference(after, before) }, options));
  const undone = newChange(context, 'undone', { database, value });
  return { outcome: 'changed', now: before, card: await readAgain(context, card, database, before, undone) };
}

/**
 * The card after a change: the barcode is read again, since its scans may be newer than the card. Where that fails, the
 * card is the former one with the value's present state, and says that it is not confirmed. Its `connectedAt` stays.
 */
async function readAgain(
  context: OperationContext,
  { lookup, connectedAt }: Card,
  database: ValueEdit['database'],
  state: ValueState | undefined,
  change?: CardChange,
): Promise<Card> {
  const { deps } = context;
  const { value, reading, symbology } = lookup;
  try {
    const symbologies = symbology === undefined ? undefined : new Map([[value, symbology]]);
    const { answer } = await readBarcode({ ...context, symbologies }, reading?.typed ?? value, {});
    const found = { ...(await answer), symbology };
    // Lookups may leave out the database that was changed.
    const isAsked = found.findings.some((finding) => finding.database.id === database.id);
    return {
      lookup: isAsked ? found : changedLookup(found, database, state, deps.clock.now()),
      change: [found.history, ...found.findings].some(({ kind }) => kind === 'failed') ? unconfirmed(change) : change,
      connectedAt,
    };
  } catch (error) {
    if (!(error instanceof AccountError)) {
      throw error;
    }
    deps.log.info({ code: error.code }, 'a barcode could not be read again after a change');
    const changed = changedLookup(lookup, database, state, deps.clock.now());
    const history = { ...changed.history, failure: failureOf(error) };
    return { lookup: { ...changed, history }, change: unconfirmed(change), connectedAt };
  }
}

const unconfirmed = (change: CardChange | undefined) => change && { ...change, unconfirmed: true };

/** The state for the audit log, shortened: a response has no length limit. */
function auditState({ valid, response }: ValueState): ValueState {
  return { valid, response: cut(response, 300) };
}

/** The difference between two states: only the difference is sent, so that nobody else's edit is overwritten. */
function difference(from: ValueState, to: ValueState): { readonly response?: string; readonly validity?: boolean } {
  return {
    ...(from.response === to.response ? {} : { response: to.response }),
    ...(from.valid === to.valid ? {} : { validity: to.valid }),
  };
}

function newChange(
  { deps, actor }: Pick<OperationContext, 'deps' | 'actor'>,
  kind: CardChange['what'],
  detail: Pick<CardChange, 'database' | 'value'> & Partial<Pick<CardChange, 'before' | 'after'>>,
): CardChange {
  return { ...detail, what: kind, by: actor.userId, at: deps.clock.now() };
}
