/**
 * Owns how trouble is told: what happened, whose move it is and what to do, in one or two sentences, with the reference
 * under which the log knows it. Pure: an error in, blocks out.
 */
import { AccountError } from '../../account/types.js';
import { codeOf, ScandeskError } from '../../errors.js';
import { type Refusal, SlackRoomError, slackWord } from '../errors.js';
import { actionIds, callbackIds } from '../ids.js';
import { accountProblem, type Problem } from './account-problem.js';
import {
  actions,
  type Block,
  button,
  type Message,
  type ModalView,
  message,
  modal,
  plain,
  type RichTextElement,
} from './kit.js';
import { bold, code, escaped, richText, textElement } from './text.js';

export type { Problem };

const say = (text: string) => textElement(text);

/** What is known of whoever reads it. `mayConnect`: they may connect an account. */
export interface Reader {
  readonly mayConnect?: boolean;
}

/** Every error Scandesk throws has its words here; what has none is our fault and says so. */
export function problemOf(error: unknown, reader: Reader = {}): Problem {
  if (error instanceof AccountError) {
    return accountProblem(error);
  }
  if (error instanceof SlackRoomError) {
    return roomProblem(error, reader);
  }
  const word = slackWord(error);
  if (word !== undefined) {
    return slackProblem(word);
  }
  const thrown = codeOf(error);
  if (thrown === 'slack_webapi_rate_limited_error') {
    return {
      what: 'Slack asks Scandesk to slow down.',
      todo: [say('Nothing is lost. Try again in a minute.')],
    };
  }
  if (thrown.startsWith('slack_webapi') || thrown === 'slack_bolt_respond_error') {
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
      todo: [say('Try again in a minute. If it stays, tell whoever runs Scandesk, with the reference below.')],
    };
  }
  return {
    what: 'Something went wrong inside Scandesk.',
    todo: [
      say('It is not your doing. Try again; if it comes back, tell whoever runs Scandesk, with the reference below.'),
    ],
  };
}

const refusals: Record<Refusal, Problem> = {
  guest: {
    what: 'Guests cannot use Scandesk.',
    todo: [say('Ask a full member of this workspace to look it up for you.')],
  },
  stranger: {
    what: 'Scandesk belongs to another organisation in this channel.',
    todo: [say('Ask somebody there to look it up and share it here.')],
  },
  not_manager: {
    what: 'This needs a workspace admin, or somebody an admin has named.',
    todo: [say('Ask an admin to do it, or to name you with '), code('/scandesk access'), say('.')],
  },
  not_admin: {
    what: 'This needs a workspace admin or owner.',
    todo: [say('Ask one of them to do it.')],
  },
  unknown: {
    what: 'Slack could not say who you are just now, so nothing was done.',
    todo: [say('Try again in a moment.')],
  },
};

function roomProblem(error: SlackRoomError, { mayConnect = false }: Reader = {}): Problem {
  switch (error.code) {
    case 'slack.not_allowed':
      return refusals[error.why ?? 'unknown'];
    case 'slack.not_connected':
      return {
        what: 'No scanning account is connected yet.',
        todo: [
          say(mayConnect ? 'Connect one with ' : 'Ask a workspace admin to connect one with '),
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
    case 'slack.state':
      return {
        what: 'This button or window was made by another version of Scandesk.',
        todo: [say('Start again with the command, and it will work.')],
      };
  }
}

function slackProblem(word: string): Problem {
  switch (word) {
    case 'expired_trigger_id':
    case 'trigger_expired':
    case 'exchanged_trigger_id':
      return roomProblem(new SlackRoomError('slack.window_late', word));
    case 'token_revoked':
    case 'account_inactive':
    case 'invalid_auth':
    case 'not_authed':
      return roomProblem(new SlackRoomError('slack.not_installed', word));
    case 'missing_scope':
    case 'no_permission':
      return {
        what: 'Scandesk lacks a permission in this workspace.',
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
      return {
        what: 'Slack did not take what Scandesk sent.',
        todo: [say('Try again; if it comes back, tell whoever runs Scandesk, with the reference below.')],
      };
  }
}

/** `reference`: as it stands in the log. */
export function problemBlocks(problem: Problem, reference: string): Block[] {
  return [
    richText([bold(problem.what)], problem.todo),
    ...(problem.offer === 'connect' ? [actions([button('Connect', actionIds.connectOpen)])] : []),
    referenceBlock(reference),
  ];
}

export function referenceBlock(reference: string): Block {
  return { type: 'context', elements: [plain(`Reference ${reference}`)] };
}

export function problemMessage(error: unknown, reference: string, reader: Reader = {}): Message {
  const problem = problemOf(error, reader);
  return message(escaped(`${problem.what} ${spoken(problem.todo)}`), problemBlocks(problem, reference));
}

export function problemView(error: unknown, reference: string, reader: Reader = {}): ModalView {
  const blocks = problemBlocks(problemOf(error, reader), reference);
  return modal('That did not work', blocks, { callback_id: callbackIds.problem });
}

/** The same for the place above a field, in a form that is drawn again. */
export function problemLine(error: unknown): string {
  const problem = problemOf(error);
  return `${problem.what} ${spoken(problem.todo)}`;
}

function spoken(elements: readonly RichTextElement[]): string {
  return elements
    .map((element) => {
      if (element.type === 'text') return element.text;
      return element.type === 'date' ? (element.fallback ?? '') : '';
    })
    .join('');
}
