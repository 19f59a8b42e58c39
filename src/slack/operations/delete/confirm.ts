/** The confirmation before a delete, or before a change to all items: what is affected, and how much. */
import { z } from 'zod';
import { parseInput } from '../../../codereadr/operations/check.js';
import { operationName } from '../../../codereadr/operations/index.js';
import type { Operation } from '../../../codereadr/operations/operation.js';
import type { Account } from '../../../codereadr/types.js';
import { context as contextBlock, type ModalView, modalView } from '../../block-kit/elements.js';
import { richText } from '../../block-kit/text.js';
import { SlackError } from '../../bolt/errors.js';
import { encode } from '../../bolt/metadata.js';
import { savingView } from '../../bolt/problem/loading.js';
import type { Acknowledged } from '../../bolt/routing/context.js';
import { type Listener, modal } from '../../bolt/routing/listeners.js';
import { connectedSince } from '../../connection/account.js';
import { operationModal, operationOf, rawValue } from '../metadata.js';
import { performChecked } from '../perform.js';
import { finish } from '../result/finish.js';
import { secretNames } from '../secret-properties.js';
import type { Afterwards, OperationContext, StepAfter, Values } from '../types.js';
import { readDeleteImpact } from './delete-impact.js';

const confirmModal = z.object({
  ...operationModal,
  input: z.record(z.string(), rawValue),
  /** A summary of the affected records, shown once the operation is done. */
  what: z.string(),
});

export interface Confirming {
  readonly operation: Operation;
  readonly input: Values;
  readonly after?: StepAfter | undefined;
  /** `connectedAt` of the connection under which the input was entered, if somebody entered it before. */
  readonly since?: number | undefined;
}

/** The confirmation's title, which fits the number of items: one, several or all. */
export function confirmTitle({ title, input, effect }: Operation, values: Values): string {
  if (effect !== 'delete') {
    return 'Apply to all?';
  }
  const [name, param] = Object.entries(input).find(([, { type }]) => type === 'ids') ?? [];
  const ids = name === undefined ? undefined : values[name];
  return param?.type === 'ids' && title === `Delete ${param.of}s` && Array.isArray(ids) && ids.length === 1
    ? `Delete this ${param.of}?`
    : `${title}?`;
}

/** The confirmation. @throws AccountError when the account cannot say what is affected, or lacks an item to delete */
export async function confirmView(
  context: Pick<OperationContext, 'deps' | 'actor'>,
  account: Account,
  { operation, input, after, since: knownSince }: Confirming,
): Promise<ModalView> {
  const { actor, deps } = context;
  const connectedAt = knownSince ?? (await connectedSince(deps, actor.owner));
  const { lines, summary } = await readDeleteImpact(account, operation, input, await secretNames(context, operation));
  const isDelete = operation.effect === 'delete';
  return modalView(
    confirmTitle(operation, input),
    [richText(...lines), ...(isDelete ? [contextBlock('This can’t be undone.')] : [])],
    {
      callback_id: 'form.confirm',
      submit: isDelete ? (operation.action === 'clear' ? 'Empty' : 'Delete') : 'Continue',
      close: 'Cancel',
      private_metadata: encode(confirmModal, {
        ...(actor.channelId === undefined ? {} : { channel: actor.channelId }),
        ...(connectedAt === undefined ? {} : { since: connectedAt }),
        op: operationName(operation),
        input: input as z.output<typeof confirmModal>['input'],
        what: summary,
        ...(after ? { after } : {}),
      }),
    },
  );
}

/** The submission of the confirmation runs the operation. */
export function confirmSubmitted(afterSteps: Afterwards): Listener {
  return modal('form.confirm', {
    role: 'manager',
    metadata: confirmModal,
    fields({ metadata }): Acknowledged<undefined> {
      const { title, effect } = operationOf(metadata);
      return { show: savingView(title, effect === 'delete' ? 'Deleting…' : 'Saving…'), input: undefined };
    },
    async run(context) {
      const { metadata } = context;
      const operation = operationOf(metadata);
      const parsed = parseInput(operation, metadata.input);
      if (!parsed.ok) {
        throw new SlackError('slack.state', `the confirmed input is not valid for ${metadata.op}`);
      }
      const input = parsed.input as Values;
      const output = await performChecked(context, operation, input, { connectedAt: metadata.since });
      await finish(
        context,
        { operation, input, output, also: [`Details: ${metadata.what}.`] },
        metadata.after,
        afterSteps,
      );
    },
  });
}
