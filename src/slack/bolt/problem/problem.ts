/** Explanations of errors: what happened, whose move it is, what to do, and the log's reference. Pure. */
import { AccountError } from '../../../codereadr/types.js';
import { codeOf, ScandeskError } from '../../../errors.js';
import {
  actions,
  type Block,
  type Button,
  type Message,
  type ModalView,
  message,
  modalView,
  plainContext,
} from '../../block-kit/elements.js';
import {
  barcodeElement,
  bold,
  elementsOf,
  escaped,
  fallback,
  inMrkdwn,
  type LinePart,
  plainText,
  richText,
} from '../../block-kit/text.js';
import { isExpected, isSlackOutage, SlackError, slackErrorCode } from '../errors.js';
import { scopesMissedBy } from '../scopes.js';
import { accountProblem, type Problem, type Reader } from './account-problem.js';
import {
  deletedReport,
  internalProblem,
  missingScope,
  notConnected,
  outdatedMessage,
  problemsByCode,
  refusal,
  slackOutage,
  storeProblem,
  unreachable,
} from './slack-problem.js';

export type { Problem, Reader };

/** What an explanation says besides the error: the subject of the request, and the buttons below. */
export interface ProblemOptions {
  readonly barcode?: string | undefined;
  readonly buttons?: readonly Button[];
}

/** The problem of any error. An error without a text of its own is a bug: its answer says that Scandesk failed. */
export function problemOf(error: unknown, reader: Reader = {}): Problem {
  if (error instanceof AccountError) {
    return accountProblem(error, reader);
  }
  if (error instanceof SlackError && error.code === 'slack.not_allowed') {
    const { why = 'unknown', cause } = error;
    return why === 'unknown' ? unknownPerson(cause, reader) : refusal(why, reader);
  }
  if (error instanceof SlackError && error.code === 'slack.not_connected') {
    return notConnected(reader);
  }
  if (error instanceof SlackError && error.code === 'slack.card_old') {
    return outdatedMessage(error.command);
  }
  if (error instanceof SlackError && error.code === 'slack.report_gone') {
    return deletedReport(error.by);
  }
  if (isSlackOutage(error)) {
    return slackOutage;
  }
  const missed = scopesMissedBy(error);
  if (missed) {
    return missingScope(missed, reader);
  }
  const slackCode = slackErrorCode(error);
  const code = slackCode ?? codeOf(error);
  const knownProblem = problemsByCode.get(code);
  if (!knownProblem && code.startsWith('store.') && error instanceof ScandeskError) {
    return storeProblem;
  }
  return knownProblem ?? (code.startsWith('slack_webapi') && slackCode === undefined ? unreachable : internalProblem);
}

/** A person Slack cannot identify is allowed nothing; the text explains why Slack could not. */
function unknownPerson(cause: unknown, reader: Reader): Problem {
  const problem = problemOf(cause, reader);
  return problem === internalProblem
    ? {
        what: 'Scandesk couldn’t verify who you are, so nothing was done.',
        todo: 'Try again in a moment.',
        report: true,
      }
    : {
        ...problem,
        todo: ['Scandesk couldn’t verify who you are, so nothing was done. ', ...elementsOf(problem.todo)],
      };
}

/** Whether nobody knows if the change was made. */
export function isUnconfirmed(error: unknown): boolean {
  return error instanceof AccountError && error.unconfirmed !== undefined;
}

/** The blocks of an explanation. `reference`: the request's in the log; undefined for an expected refusal. */
export function problemBlocks(
  problem: Problem,
  reference: string | undefined,
  { barcode, buttons = [] }: ProblemOptions = {},
): Block[] {
  return [
    richText(
      [bold(problem.what)],
      reference !== undefined && problem.report ? [...elementsOf(problem.todo), requestToReport] : problem.todo,
      ...(barcode === undefined ? [] : [['Barcode: ', barcodeElement(barcode)]]),
    ),
    ...(buttons.length > 0 ? [actions([...buttons])] : []),
    ...(reference === undefined ? [] : [referenceBlock(reference)]),
  ];
}

/** The request to report the error; shown only together with the reference that it mentions. */
const requestToReport = ' If it keeps happening, send the reference below to your Scandesk administrator.';

export function referenceBlock(reference: string): Block {
  return plainContext(`Reference ${reference}`);
}

export function problemMessage(
  error: unknown,
  reference: string,
  reader: Reader = {},
  options: ProblemOptions = {},
): Message {
  const problem = problemOf(error, reader);
  const { barcode } = options;
  const text = `${escaped(problem.what)} ${inMrkdwn(elementsOf(problem.todo))}`;
  return message(
    barcode === undefined ? text : `${text} Barcode: ${fallback(barcode)}`,
    problemBlocks(problem, referenceFor(error, reference), options),
  );
}

export function problemView(
  error: unknown,
  reference: string,
  reader: Reader = {},
  options: ProblemOptions = {},
): ModalView {
  const blocks = problemBlocks(problemOf(error, reader), referenceFor(error, reference), options);
  const title = isUnconfirmed(error) ? 'Change not confirmed' : 'Something went wrong';
  return modalView(title, blocks, { callback_id: 'problem' });
}

/**
 * The explanation in one line, as for a redrawn form: Slack draws its times in the reader's zone.
 * `reference`: present where the log has a line for the error.
 */
export function problemLine(error: unknown, reference?: string): LinePart[] {
  const { what, todo } = problemOf(error);
  const shownReference = reference === undefined ? undefined : referenceFor(error, reference);
  return [`${what} `, ...elementsOf(todo), ...(shownReference === undefined ? [] : [` Reference ${shownReference}.`])];
}

/** The explanation as plain text, where it is stored or joins other text: its times are in UTC. */
export function problemText(error: unknown): string {
  return plainText(elementsOf(problemLine(error)));
}

/** The reference to show: none for an expected refusal, whose log line helps nobody. */
function referenceFor(error: unknown, reference: string): string | undefined {
  return isExpected(error) ? undefined : reference;
}
