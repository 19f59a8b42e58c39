/** The run of an operation: permission check, call, audit entry for every change. It confirms nothing: callers do. */
import { withCompanions } from '../../codereadr/current-values.js';
import { operationName } from '../../codereadr/operations/index.js';
import type { InputOf, Operation, OutputOf } from '../../codereadr/operations/operation.js';
import { type Account, AccountError } from '../../codereadr/types.js';
import { codeOf } from '../../errors.js';
import { record, unconfirmed } from '../bolt/audit.js';
import type { RequiredRole } from '../bolt/people/permissions.js';
import { isUnconfirmed } from '../bolt/problem/problem.js';
import { accountSince } from '../connection/account.js';
import { inputOnRecord } from './redact.js';
import { secretNames, withoutSecretValue } from './secret-properties.js';
import type { OperationContext, PerformOptions, Values } from './types.js';

/** The role an operation needs. Everybody may read, except with operations that try out a secret. */
export function requiredRoleFor({ effect, input }: Operation): RequiredRole {
  return effect === 'read' && !Object.values(input).some(({ secret }) => secret) ? 'everyone' : 'manager';
}

/**
 * Runs an operation without a form: checks the permission, calls, and writes an audit entry for every change,
 * failed or not. It asks for no confirmation: the caller of a delete must have asked.
 * @throws SlackError `slack.not_allowed`, `slack.not_connected`, `slack.other_account`; AccountError
 */
export async function performOperation<Op extends Operation>(
  context: OperationContext,
  operation: Op,
  input: InputOf<Op>,
  options?: PerformOptions,
): Promise<OutputOf<Op>> {
  return (await performChecked(context, operation, input as Values, options)) as OutputOf<Op>;
}

/** Runs an operation known only at run time. `input` is already validated. */
export async function performChecked(
  context: OperationContext,
  operation: Operation,
  input: Values,
  { auditDetail, connectedAt }: PerformOptions = {},
): Promise<unknown> {
  const { deps, client, actor } = context;
  await deps.permissions.require(client, actor, requiredRoleFor(operation));
  const account = await accountSince(deps, actor.owner, connectedAt);
  const typedInput = input as InputOf<Operation>;
  if (operation.effect === 'read') {
    return await account.client.call(operation, typedInput);
  }
  const operationId = operationName(operation);
  const redactedInput = withoutSecretValue(operation, input, await secretNames(context, operation));
  const detail = { ...inputOnRecord(operation, redactedInput), ...auditDetail };
  try {
    const sentInput = await withCompanions(account.client, operation, input);
    const output = await account.client.call(operation, sentInput as InputOf<Operation>);
    await record(context, { what: operationId, detail: { ...detail, ...createdId(output) } });
    noteChange(context, account, operation, sentInput);
    return output;
  } catch (error) {
    if (isUnconfirmed(error)) {
      noteChange(context, account, operation, input, true);
    }
    await record(context, { what: operationId, detail, outcome: outcomeOf(error) });
    throw error;
  }
}

/** Tells the mirror of a change in the background: nobody waits for it. */
function noteChange(
  { deps, actor }: OperationContext,
  account: Account,
  { section, action }: Operation,
  input: Values,
  unconfirmed = false,
): void {
  deps.mirror?.noteChange(actor.owner, account, { section, action, input, unconfirmed }).catch((error: unknown) => {
    deps.log.warn({ err: error, code: codeOf(error) }, 'the mirror could not follow a change');
  });
}

/** The id that a create returned, for the audit log. */
function createdId(output: unknown): { readonly id?: string } {
  return typeof output === 'object' && output !== null && 'id' in output && typeof output.id === 'string'
    ? { id: output.id }
    : {};
}

/** An error's code, with the account's code: `account.refused 216`; or with a mark: `account.slow unconfirmed`. */
function outcomeOf(error: unknown): string {
  if (isUnconfirmed(error)) {
    return `${codeOf(error)} ${unconfirmed}`;
  }
  const apiCode = error instanceof AccountError && error.code !== 'account.quota' ? error.apiCode : undefined;
  return apiCode === undefined || apiCode === '' ? codeOf(error) : `${codeOf(error)} ${apiCode}`;
}
