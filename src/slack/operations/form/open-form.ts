/**
 * The opening of an operation: its form with known values, the choice of the item to change,
 * or the confirmation if a delete names its items.
 */
import { type CurrentReader, currentReaderOf } from '../../../codereadr/current-values.js';
import { expand, type InputProblem, parseInput } from '../../../codereadr/operations/check.js';
import type { Operation } from '../../../codereadr/operations/operation.js';
import { isAbsent } from '../../../codereadr/operations/param-schema.js';
import { asDeclared } from '../../../codereadr/operations/php-names.js';
import type { Account } from '../../../codereadr/types.js';
import { cut, type ModalView } from '../../block-kit/elements.js';
import { accountOf, connectedSince } from '../../connection/account.js';
import { confirmView } from '../delete/confirm.js';
import { type FormMetadata, startingMetadata, textHash } from '../metadata.js';
import { requiredRoleFor } from '../perform.js';
import { shownUrl, withoutSecrets } from '../redact.js';
import { isSecret, secretNames } from '../secret-properties.js';
import type { ModalOperationContext, OpenForm, OperationContext, Values } from '../types.js';
import { limitProblems, needsConfirmation, startingValues } from './limits.js';
import { drawForm, namedIds } from './load-form.js';
import { operationForm } from './operation-form.js';
import { longestOf } from './param-kinds.js';
import { prefilled } from './prefill.js';
import { textToHash } from './read-form.js';
import { labelIn } from './resources.js';

/**
 * Opens an operation's form in the context's modal. A change first asks for its item, unless `prefill` names it, and
 * shows its current values. A delete that names its items goes straight to the confirmation.
 * @throws SlackError `slack.not_allowed`, `slack.not_connected`; AccountError
 */
export async function openOperationForm(context: ModalOperationContext, form: OpenForm): Promise<void> {
  const { deps, client, actor, modal } = context;
  // The modal opens while permission and values are read, as its trigger expires.
  await modal.fill(form.operation.title, async () => {
    await deps.permissions.require(client, actor, requiredRoleFor(form.operation));
    return formViewFor(context, form);
  });
}

/** The view of an operation's form. @throws SlackError `slack.not_connected`, AccountError */
export async function formViewFor(context: OperationContext, form: OpenForm): Promise<ModalView> {
  const { operation, after, locked = [] } = form;
  const connectedAt = await connectedSince(context.deps, context.actor.owner);
  const account = await accountOf(context.deps, context.actor.owner);
  const givenValues = withoutSecrets(operation, declaredValues(operation, expand(form.prefill ?? {})));
  const prefill = { ...startingValues(operation, { zone: context.person.zone, given: givenValues }), ...givenValues };
  const parsed = parseInput(operation, prefill);
  if (operation.effect === 'delete' && parsed.ok && !form.problems?.length) {
    const input = parsed.input as Values;
    if (needsConfirmation(operation, input) && limitProblems(operation, input).length === 0) {
      return confirmView(context, account, { operation, input, after, since: connectedAt });
    }
  }
  const current = currentReaderOf(operation);
  const start: Start = { context, account, form, prefill, since: connectedAt };
  if (!current) {
    return blankForm(start, locked);
  }
  const isNamed = current.keys.every((key) => !isAbsent(operation.input[key]!, prefill[key]));
  const wrongKeys = parsed.ok ? [] : parsed.problems.filter(({ param }) => current.keys.includes(param));
  return isNamed && wrongKeys.length === 0
    ? changeForm(start, current)
    : chooseForm(start, current, isNamed ? wrongKeys : []);
}

function declaredValues(operation: Operation, givenValues: Values): Values {
  return Object.fromEntries(
    Object.entries(givenValues).map(([name, value]) => {
      const param = operation.input[name];
      return [name, param ? asDeclared(param, value) : value];
    }),
  );
}

interface Start {
  readonly context: OperationContext;
  readonly account: Account;
  readonly form: OpenForm;
  readonly prefill: Values;
  readonly since: number | undefined;
}

async function blankForm(start: Start, locked: readonly string[]): Promise<ModalView> {
  const { context, account, form, prefill, since } = start;
  const { operation, usual, after } = form;
  const carriedLocks = locked.filter((name) => canCarry(prefill[name]));
  const otherValues = Object.fromEntries(Object.entries(prefill).filter(([name]) => !carriedLocks.includes(name)));
  const names = await namedIds(context, account, operation, prefill);
  const metadata = startingMetadata(operation, {
    channel: context.actor.channelId,
    since,
    usual,
    after,
    ...(carriedLocks.length > 0 ? { locked: lock(operation, prefill, carriedLocks, names) } : {}),
  });
  return filledForm(start, metadata, { ...usual, ...otherValues });
}

async function filledForm(
  { context, account, form }: Start,
  metadata: FormMetadata,
  givenValues: Values,
  currentValues?: Values,
): Promise<ModalView> {
  const { operation, problems: knownProblems = [] } = form;
  const { draft, problems } = prefilled(operationForm(operation, metadata), givenValues, knownProblems, currentValues);
  return drawForm(context, account, { operation, metadata, draft, problems: [...knownProblems, ...problems] });
}

/** The choice of the item to change; other known values go along to the next step, unless they are too long. */
async function chooseForm(
  { context, account, form, prefill, since }: Start,
  reader: CurrentReader,
  inputProblems: readonly InputProblem[],
): Promise<ModalView> {
  const { operation, problems = [], after } = form;
  const keys = Object.fromEntries(Object.entries(prefill).filter(([name]) => reader.keys.includes(name)));
  const otherValues = Object.entries(prefill).filter(([name]) => !reader.keys.includes(name));
  const carried = otherValues.filter(([, value]) => canCarry(value));
  const lostNames = otherValues.filter(([, value]) => !canCarry(value)).map(([name]) => name);
  const metadata = startingMetadata(operation, {
    channel: context.actor.channelId,
    since,
    after,
    ...(carried.length > 0 ? { carried: Object.fromEntries(carried) as NonNullable<FormMetadata['carried']> } : {}),
  });
  return drawForm(context, account, {
    operation,
    keys: reader.keys,
    metadata,
    draft: prefilled(operationForm(operation, metadata), keys, problems).draft,
    problems: [
      ...problems.filter(({ param }) => !reader.keys.includes(param)),
      ...lostNames.map((param) => ({
        param,
        path: param,
        message: 'This is too long to carry over. Fill it in on the next step.',
      })),
      ...inputProblems,
    ],
  });
}

/** The form of a change, filled in with the item's current values. @throws AccountError */
async function changeForm(start: Start, reader: CurrentReader): Promise<ModalView> {
  const { context, account, form, prefill, since } = start;
  const { operation, after } = form;
  const current = await reader.read(account.client, prefill);
  const secret = isSecret(operation, prefill, await secretNames(context, operation));
  const hashes: Record<string, string> = {};
  const currentTexts: Record<string, string> = {};
  const shownValues: Record<string, unknown> = {};
  const { params } = operationForm(operation, {
    told: Object.fromEntries(Object.keys(current.values).map((name) => [name, ''])),
  });
  for (const { name, param, kind } of params) {
    const value = current.values[name];
    if (value === undefined) {
      continue;
    }
    const draft = kind.fromRaw(value) ?? kind.blank;
    if (secret && name === 'value') {
      currentTexts[name] = 'The current value is a relay’s shared secret and is never shown.';
    } else if (param.type === 'url') {
      currentTexts[name] = `Current: ${shownUrl(String(value))}`;
    } else if (typeof draft === 'string' && draft.length > longestOf(param)) {
      currentTexts[name] =
        `The current text has ${String(value).length.toLocaleString('en-US')} characters, too many to show here.`;
    } else {
      hashes[name] = textHash(textToHash(draft));
      shownValues[name] = value;
    }
  }
  const [key] = reader.keys.filter((name) => operation.input[name]?.type === 'id');
  const nameById =
    key === undefined || operation.input.value
      ? await namedIds(context, account, operation, prefill)
      : { [key]: `${current.name} (ID ${String(prefill[key])})` };
  const metadata = startingMetadata(operation, {
    channel: context.actor.channelId,
    since,
    after,
    locked: lock(operation, prefill, reader.keys, nameById),
    told: hashes,
    ...(Object.keys(currentTexts).length > 0 ? { now: currentTexts } : {}),
    ...(Object.keys(current.fixed).length > 0 ? { fixed: current.fixed as Record<string, string> } : {}),
  });
  const otherValues = Object.fromEntries(Object.entries(prefill).filter(([name]) => !reader.keys.includes(name)));
  return filledForm(start, metadata, otherValues, shownValues);
}

/** The most characters of one carried value as JSON: a modal's whole metadata holds 3,000. */
const mostCarried = 1_000;

function canCarry(value: unknown): boolean {
  const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'string');
  return (isPlain || isList) && JSON.stringify(value).length <= mostCarried;
}

function lock(
  operation: Operation,
  values: Values,
  names: readonly string[],
  shownValues: Readonly<Record<string, string>>,
): NonNullable<FormMetadata['locked']> {
  return Object.fromEntries(
    names.map((name) => [
      name,
      {
        raw: values[name] as NonNullable<FormMetadata['locked']>[string]['raw'],
        label: labelIn(operation, name),
        shown: cut(shownValues[name] ?? [values[name]].flat().map(String).join(', '), 300),
      },
    ]),
  );
}
