/**
 * Owns what the windows of an operation carry from one step to the next, and the ids by which Slack names their parts.
 * Refuses secrets: what is entered stays in the window's own inputs.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { findOperation } from '../../codereadr/operations/index.js';
import type { Operation } from '../../codereadr/operations/operation.js';
import { SlackError } from '../bolt/errors.js';
import { notes } from '../bolt/ids.js';

export const formCallbacks = {
  /** The thing to change is chosen first. */
  choose: 'form.choose',
  read: 'form.read',
  change: 'form.change',
  confirm: 'form.confirm',
  result: 'form.result',
} as const;

export const formActions = {
  field: 'form.field',
  more: 'form.more',
  before: 'form.before',
  next: 'form.next',
  /** Followed by the kind of thing. */
  pick: 'form.pick.',
  zone: 'form.pick.zone',
} as const;

export const formBlocks = {
  /** Followed by the variable. */
  variable: 'v.',
  /** Followed by the variable: its text, given as a file. */
  file: 'f.',
  /** Followed by the variable: the address of its file. */
  link: 'u.',
  /** Followed by the group: what is to be emptied in it. */
  clear: 'c.',
  /** Followed by the group. */
  more: 'g.',
} as const;

const raw = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
const origin = {
  channel: z.string().optional(),
  /** `connectedAt` of the connection that the window was opened under. */
  since: z.number().optional(),
};
const after = z.object({ name: z.string(), value: z.string().max(1000) }).optional();
const file = z.object({ id: z.string(), name: z.string(), type: z.string(), size: z.number(), url: z.string() });

export const formNotes = notes(
  z.object({
    ...origin,
    op: z.string(),
    /** Variables that were chosen before, with what the form shows for them. */
    locked: z.record(z.string(), z.object({ raw, label: z.string(), shown: z.string() })).optional(),
    /** What is known for the next step, while the thing to change is still chosen. */
    carried: z.record(z.string(), raw).optional(),
    /** By variable, the mark of what the account told; there only where something is changed. */
    told: z.record(z.string(), z.string()).optional(),
    /** By variable, words about what it is now that is not in its input. */
    now: z.record(z.string(), z.string()).optional(),
    /** What decides about the rest and cannot be changed. */
    fixed: z.record(z.string(), z.string()).optional(),
    /** The group that was unfolded last. */
    open: z.string().optional(),
    /** Files given before: they need not be given again. */
    files: z.record(z.string(), file).optional(),
    after,
  }),
);
export type FormNotes = ReturnType<typeof formNotes.read>;

export const confirmNotes = notes(
  z.object({
    ...origin,
    op: z.string(),
    input: z.record(z.string(), raw),
    /** What goes, in few words. */
    what: z.string(),
    after,
  }),
);
export type ConfirmNotes = ReturnType<typeof confirmNotes.read>;

/** A button to another page of a result. */
export const pageNotes = notes(z.object({ kept: z.string(), page: z.number().int().min(0) }), 2000);

/** @throws SlackRoomError `slack.state` for a name that is no operation's (any more). */
export function operationOf({ op }: { readonly op: string }): Operation {
  const [section = '', action = ''] = op.split('/');
  const found = findOperation(section, action);
  if (!found) {
    throw new SlackError('slack.state', 'a form of an operation that is not there');
  }
  return found;
}

/** Tells whether a text was changed, without carrying it along. Space at its ends and kinds of line breaks count for nothing: Slack's inputs change those by themselves. */
export function markOf(value: unknown): string {
  const text = String(value).replace(/\r\n?/g, '\n').trim();
  return createHash('sha256').update(text).digest('base64url').slice(0, 8);
}
