/** Explanations of errors: what happened, whose move it is, what to do, and the log's reference. Pure. */
import { AccountError } from '../../../codereadr/types.js';
import { codeOf, ScandeskError } from '../../../errors.js';
import {
  actions,
  type Block,
  button,
  type Message,
  type ModalView,
  message,
  modalView,
  plain,
  type RichTextElement,
} from '../../block-kit/elements.js';
import { barcodeElement, bold, code, escaped, fallback, richText, textElement } from '../../block-kit/text.js';
import { isExpected, isSlackTrouble, neededScope, SlackError, slackWord } from '../errors.js';
import { actionIds, callbackIds } from '../ids.js';
import { accountProblem, orManagers, type Problem, type Reader } from './account-problem.js';

export type { Problem, Reader };

/** What the person asked for, so that nobody types it again. `again`: value of the button that looks it up again. */
export interface ProblemSubject {
  readonly barcode?: string;
  readonly again?: string;
}

const say = (text: string) => textElement(text);

/** Every error Scandesk throws has its text here; one without a text is a bug, and the answer says so. */
export function problemOf(error: unknown, reader: Reader = {}): Problem {
  if (error instanceof AccountError) {
    return accountProblem(error, reader);
  }
  if (error instanceof SlackError) {
    return roomProblem(error, reader);
  }
  if (isSlackTrouble(error)) {
    return slackTrouble;
  }
  const word = slackWord(error);
  if (word !== undefined) {
    return slackProblem(word, neededScope(error));
  }
  const thrown = codeOf(error);
  if (thrown === 'slack_webapi_rate_limited_error') {
    return {
      what: 'Slack asks Scandesk to slow down.',
      todo: [say('Nothing is lost. Try again in a minute.')],
    };
  }
  if (thrown.startsWith('slack_webapi')) {
    return { what: 'Slack could not be reached just now.', todo: [say('Try again in a minute.')] };
  }
  if (thrown === 'relay.no_such_relay') {
    return {
      what: 'This relay is not there any more.',
      todo: [say('Somebody removed it. '), code('/scandesk relay'), say(' shows those there are.')],
    };
  }
  if (thrown === 'relay.too_many') {
    return {
      what: 'This workspace watches or mutes as much as it may.',
      todo: [
        say('Stop one that is not needed any more: '),
        code('/scandesk watch'),
        say(' and '),
        code('/scandesk mute'),
        say(' show them.'),
      ],
    };
  }
  if (error instanceof ScandeskError && thrown.startsWith('store.')) {
    return {
      what: 'Scandesk cannot reach its own records right now.',
      todo: [say('Try again in a minute.')],
      report: true,
    };
  }
  return ours;
}

const ours: Problem = { what: 'Something went wrong on our end.', todo: [say('Try again.')], report: true };

const slackTrouble: Problem = {
  what: 'Slack is having trouble right now.',
  todo: [say('Try again in a minute. If it lasts, status.slack.com says more.')],
};

function refusedProblem({ why = 'unknown', cause }: SlackError, reader: Reader): Problem {
  switch (why) {
    case 'guest':
      return {
        what: 'Guests cannot use Scandesk.',
        todo: [say('Ask a full member of this workspace to look it up for you.')],
      };
    case 'external':
      return {
        what: 'Scandesk belongs to another workspace in this channel.',
        todo: [say('Only its full members can use it: ask one of them to look it up and share it here.')],
      };
    case 'not_manager':
      return {
        what: 'This needs a workspace admin, or somebody an admin has named.',
        todo: [
          say('Ask an admin'),
          ...orManagers(reader),
          say(' to do it, or ask an admin to name you with '),
          code('/scandesk access'),
          say('.'),
        ],
      };
    case 'not_admin':
      return { what: 'This needs a workspace admin or owner.', todo: [say('Ask one of them to do it.')] };
    case 'unknown':
      return unknownPerson(cause);
  }
}

/** A person Slack cannot identify is allowed nothing; the text explains why Slack could not. */
function unknownPerson(cause: unknown): Problem {
  const problem = problemOf(cause);
  return problem === ours
    ? {
        what: 'Slack could not say who you are just now, so nothing was done.',
        todo: [say('Try again in a moment.')],
        report: true,
      }
    : { ...problem, todo: [say('Scandesk could not check who you are, so nothing was done. '), ...problem.todo] };
}

function roomProblem(error: SlackError, reader: Reader = {}): Problem {
  const { mayConnect = false } = reader;
  switch (error.code) {
    case 'slack.not_allowed':
      return refusedProblem(error, reader);
    case 'slack.not_connected':
      return {
        what: 'No scanning account is connected yet.',
        todo: [
          ...(mayConnect
            ? [say('Connect one with ')]
            : [say('Ask a workspace admin'), ...orManagers(reader), say(' to connect one with ')]),
          code('/scandesk connect'),
          say('.'),
        ],
        ...(mayConnect ? { offer: 'connect' as const } : {}),
      };
    case 'slack.not_installed':
      return {
        what: 'Scandesk is not installed in your workspace, or not any more.',
        todo: [say('Ask a workspace admin to install it (again).')],
      };
    case 'slack.other_account':
      return {
        what: 'This was made while another account or key was connected, so nothing was changed.',
        todo: [say('Start again with the command: it shows what is in the account that is connected now.')],
      };
    case 'slack.window_late':
      return {
        what: 'Slack would not open the window any more: it took longer than 3 seconds.',
        todo: [say('Try again; it is usually quicker the second time.')],
      };
    case 'slack.card_old':
      return {
        what: 'This message is too old to go on from.',
        todo: [say('Ask again with '), code('/barcode'), say(', and go on from the new one.')],
      };
    case 'slack.response_url':
      return {
        what: 'Slack did not confirm this.',
        todo: [say('It may be in the conversation already: look before you try again.')],
      };
    case 'slack.state':
      return {
        what: 'This button or window was made by another version of Scandesk.',
        todo: [say('Start again with the command, and it will work.')],
      };
  }
}

const installAgain = 'Ask a workspace admin to install Scandesk again, or whoever runs it to renew its token.';

function slackProblem(word: string, scope?: string): Problem {
  switch (word) {
    case 'expired_trigger_id':
    case 'trigger_expired':
    case 'exchanged_trigger_id':
      return roomProblem(new SlackError('slack.window_late', word));
    case 'token_revoked':
    case 'token_expired':
      return { what: 'Scandesk’s access to this workspace was revoked.', todo: [say(installAgain)] };
    case 'account_inactive':
      return { what: 'Scandesk was deactivated in this workspace.', todo: [say(installAgain)] };
    case 'invalid_auth':
    case 'not_authed':
      return { what: 'Slack does not accept Scandesk’s access to this workspace.', todo: [say(installAgain)] };
    case 'missing_scope':
    case 'no_permission':
      return {
        what: `Scandesk lacks ${scope === undefined ? 'a permission' : `the permission ${scope}`} in this workspace.`,
        todo: [say('Ask a workspace admin to install it again: the install page asks for all it needs.')],
      };
    case 'channel_not_found':
    case 'not_in_channel':
    case 'is_archived':
      return {
        what: 'Scandesk cannot post in that channel.',
        todo: [say('Invite it there with '), code('/invite @Scandesk'), say(', or choose another channel.')],
      };
    case 'ratelimited':
    case 'rate_limited':
      return { what: 'Slack asks Scandesk to slow down.', todo: [say('Nothing is lost. Try again in a minute.')] };
    default:
      return ours;
  }
}

/** Whether the change was made is unknown. */
export function isUnconfirmed(error: unknown): boolean {
  return error instanceof AccountError && error.unconfirmed !== undefined;
}

/** `reference`: as in the log; undefined for an expected refusal. */
export function problemBlocks(problem: Problem, reference: string | undefined, about: ProblemSubject = {}): Block[] {
  const { barcode, again } = about;
  const buttons = [
    ...(problem.offer === 'connect' ? [button('Connect', actionIds.connectOpen)] : []),
    ...(again === undefined ? [] : [button('Try again', actionIds.lookupAgain, { value: again })]),
  ];
  return [
    richText(
      [bold(problem.what)],
      reference === undefined ? problem.todo : [...problem.todo, ...reportElements(problem)],
      ...(barcode === undefined ? [] : [[say('Barcode: '), barcodeElement(barcode)]]),
    ),
    ...(buttons.length > 0 ? [actions(buttons)] : []),
    ...(reference === undefined ? [] : [referenceBlock(reference)]),
  ];
}

/** Mentions the reference only where it is shown. */
function reportElements({ report }: Problem): RichTextElement[] {
  return report ? [say(' If it keeps happening, send the reference below to whoever runs Scandesk.')] : [];
}

export function referenceBlock(reference: string): Block {
  return { type: 'context', elements: [plain(`Reference ${reference}`)] };
}

export function problemMessage(
  error: unknown,
  reference: string,
  reader: Reader = {},
  about: ProblemSubject = {},
): Message {
  const problem = problemOf(error, reader);
  const { barcode } = about;
  const text = `${escaped(problem.what)} ${inMrkdwn(problem.todo)}`;
  return message(
    barcode === undefined ? text : `${text} Barcode: ${fallback(barcode)}`,
    problemBlocks(problem, referenceFor(error, reference), about),
  );
}

/** A modal has no *Try again* button: the person fills it in again or closes it. */
export function problemView(
  error: unknown,
  reference: string,
  reader: Reader = {},
  { barcode }: ProblemSubject = {},
): ModalView {
  const about = barcode === undefined ? {} : { barcode };
  const blocks = problemBlocks(problemOf(error, reader), referenceFor(error, reference), about);
  const title = isUnconfirmed(error) ? 'Not confirmed' : 'That did not work';
  return modalView(title, blocks, { callback_id: callbackIds.problem });
}

/** One line above a field of a form drawn again. `reference`: where the log has a line for it. */
export function problemLine(error: unknown, reference?: string): string {
  const problem = problemOf(error);
  const shown = reference === undefined ? undefined : referenceFor(error, reference);
  return `${problem.what} ${spoken(problem.todo)}${shown === undefined ? '' : ` Reference ${shown}.`}`;
}

/** An expected refusal has no log line worth looking up. */
function referenceFor(error: unknown, reference: string): string | undefined {
  return isExpected(error) ? undefined : reference;
}

function spoken(elements: readonly RichTextElement[]): string {
  return elements
    .map((element) => {
      if (element.type === 'text') return element.text;
      return element.type === 'date' ? (element.fallback ?? '') : '';
    })
    .join('');
}

function inMrkdwn(elements: readonly RichTextElement[]): string {
  return elements
    .map((element) => {
      if (element.type === 'user') return `<@${element.user_id}>`;
      return element.type === 'usergroup' ? `<!subteam^${element.usergroup_id}>` : escaped(spoken([element]));
    })
    .join('');
}
