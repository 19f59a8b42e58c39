/** The confirmation before a delete, or before a change to all items: what is affected, and how much. */
import { operationName } from '../../../codereadr/operations/index.js';
import type { Operation } from '../../../codereadr/operations/operation.js';
import type { Account } from '../../../codereadr/types.js';
import { context as contextBlock, type ModalView, modalView } from '../../block-kit/elements.js';
import { richText } from '../../block-kit/text.js';
import { connectedSince } from '../../connection/version.js';
import { confirmNotes } from '../metadata.js';
import { secretNames } from '../secret-properties.js';
import type { After, OperationContext } from '../types.js';
import { readDeleteImpact } from './delete-impact.js';

export interface Confirming {
  readonly operation: Operation;
  readonly input: Readonly<Record<string, unknown>>;
  readonly after?: After | undefined;
  /** `connectedAt` of the connection under which the input was entered, if it was entered before. */
  readonly since?: number | undefined;
}

/** The title counts correctly: one item is not called many, nor all of them one. */
export function confirmTitle({ title, input, effect }: Operation, given: Readonly<Record<string, unknown>>): string {
  if (effect !== 'delete') {
    return 'Apply to all?';
  }
  const [name, param] = Object.entries(input).find(([, { type }]) => type === 'ids') ?? [];
  const ids = name === undefined ? undefined : given[name];
  return param?.type === 'ids' && title === `Delete ${param.of}s` && Array.isArray(ids) && ids.length === 1
    ? `Delete this ${param.of}?`
    : `${title}?`;
}

/** @throws AccountError when the account cannot say what would be deleted */
export async function confirmView(
  context: Pick<OperationContext, 'deps' | 'actor'>,
  account: Account,
  { operation, input, after, since: known }: Confirming,
): Promise<ModalView> {
  const { actor, deps } = context;
  const since = known ?? (await connectedSince(deps, actor.owner));
  const { lines, brief } = await readDeleteImpact(account, operation, input, await secretNames(context, operation));
  const isDelete = operation.effect === 'delete';
  return modalView(
    confirmTitle(operation, input),
    [richText(...lines), ...(isDelete ? [contextBlock('This can’t be undone.')] : [])],
    {
      callback_id: 'form.confirm',
      submit: isDelete ? (operation.action === 'clear' ? 'Empty' : 'Delete') : 'Continue',
      close: 'Cancel',
      private_metadata: confirmNotes.write({
        ...(actor.channelId === undefined ? {} : { channel: actor.channelId }),
        ...(since === undefined ? {} : { since }),
        op: operationName(operation),
        input: input as ReturnType<typeof confirmNotes.read>['input'],
        what: brief,
        ...(after ? { after } : {}),
      }),
    },
  );
}
