/** Commands: each has a table of subcommands, and the first word of the text chooses one. */
import type { SlackCommandMiddlewareArgs } from '@slack/bolt';
import { decodeEntities } from '../../block-kit/text.js';
import { authorize, type RequiredRole } from '../people/permissions.js';
import type { RequestOutcome } from '../problem/answer-error.js';
import { noticeView } from '../problem/notice.js';
import { quote } from '../quotes.js';
import type { CommandContext, Topic, Unchecked } from './context.js';
import { modalToOpen } from './modal.js';
import { actorOf, answerErrors, type BoltArgs, type Host, requestFrom } from './request.js';
import { respondOrPostPrivately, trackAnswers } from './respond.js';
import { refuseTyped } from './typed-text.js';

/** The function to run, and the title of the modal it opens: shown as loading during the permission check. */
export interface Runnable {
  readonly modalTitle?: string | undefined;
  readonly topic?: Topic | undefined;
  run(context: CommandContext): Promise<void>;
}

/** A role, and the function that runs. `prepare` parses the text once, and decides which function and modal it is. */
type Entry = { readonly role: RequiredRole } & (Runnable | { prepare(text: string): Runnable });

export type Subcommand = Entry & {
  /** The word after the command, which names the subcommand; case does not matter. */
  readonly name: string;
  /** The subcommand as help shows it, without the command: `connect`, `make [VALUE]`. */
  readonly usage: string;
  /** The command's effect, for help, in the imperative. */
  readonly description: string;
};

/** The handler of other texts. `usage` and `description`, for help, are absent where there is nothing to explain. */
export type Otherwise = Entry & { readonly usage?: string; readonly description?: string };

export interface CommandTable {
  readonly command: `/${string}`;
  readonly subcommands: readonly Subcommand[];
  /** Handles text that starts with a quote, or with no subcommand. */
  readonly otherwise: Otherwise;
  /** The subcommand for an empty text; '': `otherwise` handles it. */
  readonly forEmptyText: string;
}

const startsQuoted = new RegExp(`^${quote}`);

export type CommandArgs = BoltArgs & Pick<SlackCommandMiddlewareArgs, 'ack' | 'command'>;

export async function onCommand(
  { ack, command, context, client }: CommandArgs,
  host: Host,
  table: CommandTable,
): Promise<RequestOutcome> {
  await ack();
  const request = requestFrom(client, host, {
    actor: actorOf(context, command.user_id, command.channel_id),
    reference: host.reporter.newReference(),
    responseUrl: command.response_url,
    modalIn: (modalHost) => modalToOpen(modalHost, command.trigger_id),
  });
  const { base, modal, notice } = request;
  return answerErrors(command.command, request, host, () =>
    dispatch(table, {
      ...base,
      command: command.command,
      text: decodeEntities(command.text ?? ''),
      channelId: command.channel_id,
      responseUrl: command.response_url,
      respond: trackAnswers(base.changes, respondOrPostPrivately(notice!.respond, base.postPrivately)),
      modal,
      slowNotice: notice!.slowNotice,
    }),
  );
}

async function dispatch(table: CommandTable, context: Unchecked<CommandContext>): Promise<void> {
  const commandText = context.text.trim();
  await refuseTyped(context, commandText);
  const [, first = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/.exec(commandText) ?? [];
  const name = commandText === '' ? table.forEmptyText : first.toLowerCase();
  const found = startsQuoted.test(commandText)
    ? undefined
    : table.subcommands.find((subcommand) => subcommand.name === name);
  await (found ? runAs(found, { ...context, text: rest }) : runAs(table.otherwise, context));
}

async function runAs(entry: Entry, context: Unchecked<CommandContext>): Promise<void> {
  const runnable: Runnable = 'prepare' in entry ? entry.prepare(context.text) : entry;
  const { modalTitle: title } = runnable;
  Object.assign(context.topic, runnable.topic);
  const person = await authorize(context, { role: entry.role, modalTitle: title });
  await runnable.run({ ...context, person });
  // The modal opened for a form, but the answer was posted instead.
  if (title !== undefined && context.modal.loading) {
    await context.modal.show(noticeView(title, 'The answer is in the conversation behind this dialog.'));
  }
}
