/** Metadata of an operation's modals. It holds no secret: a typed secret stays in its input. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { findOperation, operationName } from '../../codereadr/operations/index.js';
import type { Operation } from '../../codereadr/operations/operation.js';
import { SlackError } from '../bolt/errors.js';
import { origin } from '../bolt/metadata.js';

export const rawValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

/** The part that each modal of an operation has. */
export const operationModal = {
  ...origin,
  /** `connectedAt` of the connection under which the modal was opened. */
  since: z.number().optional(),
  op: z.string(),
  after: z.object({ name: z.string(), value: z.string().max(1000) }).optional(),
};
const file = z.object({ id: z.string(), name: z.string(), type: z.string(), size: z.number(), url: z.string() });

export const formModal = z.object({
  ...operationModal,
  /** Parameters chosen before, with the labels that the form shows for them. */
  locked: z.record(z.string(), z.object({ raw: rawValue, label: z.string(), shown: z.string() })).optional(),
  /** Known values for the next step, while the item is still being chosen. */
  carried: z.record(z.string(), rawValue).optional(),
  /** Defaults of folded fields, which apply while these fields are not shown. */
  usual: z.record(z.string(), rawValue).optional(),
  /** A hash of each current value that the form shows, by parameter. Present only in a change. */
  told: z.record(z.string(), z.string()).optional(),
  /** Text about the current value, by parameter, where the input does not show it. */
  now: z.record(z.string(), z.string()).optional(),
  /** Values that cannot be changed, and on which other parameters depend. */
  fixed: z.record(z.string(), z.string()).optional(),
  /** The heading of the group unfolded last. */
  open: z.string().optional(),
  /** Files given before, which need not be given again. */
  files: z.record(z.string(), file).optional(),
});
export type FormMetadata = z.output<typeof formModal>;

export function startingMetadata(operation: Operation, fields: Omit<FormMetadata, 'op'>): FormMetadata {
  return { op: operationName(operation), ...fields };
}

/** The operation in a modal's metadata. @throws SlackError `slack.state` for an unknown operation */
export function operationOf({ op }: { readonly op: string }): Operation {
  const [section = '', action = ''] = op.split('/');
  const found = findOperation(section, action);
  if (!found) {
    throw new SlackError('slack.state', `unknown operation: ${op}`);
  }
  return found;
}

/** A hash that tells whether a text was changed, but for outer spaces and line breaks: inputs in Slack change these. */
export function textHash(value: unknown): string {
  const text = String(value).replace(/\r\n?/g, '\n').trim();
  return createHash('sha256').update(text).digest('base64url').slice(0, 8);
}
