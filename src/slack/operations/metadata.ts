/** Metadata of an operation's modals. Metadata holds no secrets: what is entered stays in the inputs. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { findOperation } from '../../codereadr/operations/index.js';
import type { Operation } from '../../codereadr/operations/operation.js';
import { SlackError } from '../bolt/errors.js';
import { metadata } from '../bolt/ids.js';

const raw = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
const origin = {
  channel: z.string().optional(),
  /** `connectedAt` of the connection under which the modal was opened. */
  since: z.number().optional(),
};
const after = z.object({ name: z.string(), value: z.string().max(1000) }).optional();
const file = z.object({ id: z.string(), name: z.string(), type: z.string(), size: z.number(), url: z.string() });

export const formMetadata = metadata(
  z.object({
    ...origin,
    op: z.string(),
    /** Parameters chosen before, with what the form shows for them. */
    locked: z.record(z.string(), z.object({ raw, label: z.string(), shown: z.string() })).optional(),
    /** Known values for the next step, while the item is still being chosen. */
    carried: z.record(z.string(), raw).optional(),
    /** By parameter: a hash of the account's value. Present only in a change. */
    told: z.record(z.string(), z.string()).optional(),
    /** By parameter: text about the current value, where the input does not show it. */
    now: z.record(z.string(), z.string()).optional(),
    /** Values that other parameters depend on and that cannot be changed. */
    fixed: z.record(z.string(), z.string()).optional(),
    /** The group unfolded last. */
    open: z.string().optional(),
    /** Files given before, which need not be given again. */
    files: z.record(z.string(), file).optional(),
    after,
  }),
);
export type FormMetadata = ReturnType<typeof formMetadata.read>;

export const confirmMetadata = metadata(
  z.object({
    ...origin,
    op: z.string(),
    input: z.record(z.string(), raw),
    /** A summary of what is deleted. */
    what: z.string(),
    after,
  }),
);
export type ConfirmMetadata = ReturnType<typeof confirmMetadata.read>;

/** The value of a button to another page of a result. */
export const pageMetadata = metadata(z.object({ kept: z.string(), page: z.number().int().min(0) }), 2000);

/** @throws SlackError `slack.state` for an unknown operation */
export function operationOf({ op }: { readonly op: string }): Operation {
  const [section = '', action = ''] = op.split('/');
  const found = findOperation(section, action);
  if (!found) {
    throw new SlackError('slack.state', `unknown operation: ${op}`);
  }
  return found;
}

/**
 * A hash to tell whether a text was changed. Outer spaces and kinds of line breaks do not count: Slack's inputs
 * change them.
 */
export function markOf(value: unknown): string {
  const text = String(value).replace(/\r\n?/g, '\n').trim();
  return createHash('sha256').update(text).digest('base64url').slice(0, 8);
}
