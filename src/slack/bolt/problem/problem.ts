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
  plain,
  type RichTextElement,
} from '../../block-kit/elements.js';
import { barcodeElement, bold, code, escaped, fallback, richText, textElement } from '../../block-kit/text.js';
import { isExpected, isSlackOutage, neededScope, SlackError, slackErrorCode } from '../errors.js';
import { accountProblem, orManagers, type Problem, type Reader } from './account-problem.js';

export type { Problem, Reader };

/** What the request was about, and the buttons below the explanation. */
export interface ProblemOptions {
  readonly barcode?: string | undefined;
  readonly buttons?: readonly Button[];
}

const say = (text: string) => textElement(text);

/** Every error Scandesk throws has its text here; one without a text is a bug, and the answer says so. */
export function problemOf(error: unknown, reader: Reader = {}): Problem {
  if (error instanceof AccountError) {
    return accountProblem(error, reader);
  }
  if (error instanceof SlackError && error.code === 'slack.not_allowed') {
    return refusedProblem(error, reader);
  }
  if (error instanceof SlackError && error.code === 'slack.not_connected') {
    return notConnected(reader);
  }
  if (isSlackOutage(error)) {
    return slackOutage;
  }
  const slackCode = slackErrorCode(error);
  if (slackCode === 'missing_scope' || slackCode === 'no_permission') {
    return missingScope(neededScope(error));
  }
  const code = slackCode ?? codeOf(error);
  if (code.startsWith('store.') && error instanceof ScandeskError) {
    return storeProblem;
  }
  return byCode[code] ?? (code.startsWith('slack_webapi') && slackCode === undefined ? unreachable : internalProblem);
}

const internalProblem: Problem = { what: 'Something went wrong on our end.', todo: [say('Try again.')], report: true };

const storeProblem: Problem = {
  what: 'Scandesk can’t reach its stored data right now.',
  todo: [say('Try again in a minute.')],
  report: true,
};

const unreachable: Problem = { what: 'Scandesk can’t reach Slack right now.', todo: [say('Try again in a minute.')] };

const slackOutage: Problem = {
  what: 'Slack is having trouble right now.',
  todo: [say('Try again in a minute. If it continues, check status.slack.com.')],
};

const tooSlow: Problem = {
  what: 'Slack didn’t open the form because it took longer than 3 seconds.',
  todo: [say('Try again. It’s usually faster the second time.')],
};

const rateLimited: Problem = {
  what: 'Slack is limiting how often Scandesk can send requests.',
  todo: [say('Nothing was lost. Try again in a minute.')],
};

const cannotPost: Problem = {
  what: 'Scandesk can’t post in that channel.',
  todo: [say('Invite it with '), code('/invite @Scandesk'), say(', or choose another channel.')],
};

const withoutAccess = (what: string): Problem => ({
  what,
  todo: [say('Ask a workspace admin to install Scandesk again, or your Scandesk administrator to renew its token.')],
});

const accessRevoked = withoutAccess('Scandesk’s access to this workspace was revoked.');
const tokenRejected = withoutAccess('Slack rejected Scandesk’s token for this workspace.');

/** Explanations that depend on the code alone: Scandesk's codes, then Slack's. */
const byCode: Readonly<Record<string, Problem>> = {
  'relay.no_such_relay': {
    what: 'This relay was deleted.',
    todo: [say('See your relays with '), code('/scandesk relay'), say('.')],
  },
  'relay.too_many': {
    what: 'This workspace has reached its limit for watches or mutes.',
    todo: [
      say('Stop one that you no longer need: '),
      code('/scandesk watch'),
      say(' and '),
      code('/scandesk mute'),
      say(' list them.'),
    ],
  },
  'slack.not_installed': {
    what: 'Scandesk isn’t installed in your workspace.',
    todo: [say('Ask a workspace admin to install it.')],
  },
  'slack.other_account': {
    what: 'A different account or API key is connected now, so nothing was changed.',
    todo: [say('Run the command again to see what’s in the account that is connected now.')],
  },
  'slack.window_late': tooSlow,
  'slack.card_old': {
    what: 'This message is too old to use.',
    todo: [say('Run '), code('/barcode'), say(' again and use the new message.')],
  },
  'slack.response_url': {
    what: 'Slack didn’t confirm that this was posted.',
    todo: [say('It may already be in the conversation. Check before you try again.')],
  },
  'slack.state': { what: 'This form is out of date.', todo: [say('Run the command again.')] },
  expired_trigger_id: tooSlow,
  trigger_expired: tooSlow,
  exchanged_trigger_id: tooSlow,
  token_revoked: accessRevoked,
  token_expired: accessRevoked,
  account_inactive: withoutAccess('Scandesk was deactivated in this workspace.'),
  invalid_auth: tokenRejected,
  not_authed: tokenRejected,
  channel_not_found: cannotPost,
  not_in_channel: cannotPost,
  is_archived: cannotPost,
  ratelimited: rateLimited,
  rate_limited: rateLimited,
  slack_webapi_rate_limited_error: rateLimited,
};

function missingScope(scope = ''): Problem {
  return {
    what: `Scandesk is missing ${scope === '' ? 'a permission' : `the permission ${scope}`} in this workspace.`,
    todo: [say('Ask a workspace admin to install it again. The install page requests every permission it needs.')],
  };
}

function notConnected(reader: Reader): Problem {
  const who = reader.mayConnect
    ? [say('Connect one with ')]
    : [say('Ask a workspace admin'), ...orManagers(reader), say(' to connect one with ')];
  return {
    what: 'No scanning account is connected yet.',
    todo: [...who, code('/scandesk connect'), say('.')],
  };
}

function refusedProblem({ why = 'unknown', cause }: SlackError, reader: Reader): Problem {
  switch (why) {
    case 'guest':
      return {
        what: 'Guests can’t use Scandesk.',
        todo: [say('Ask a full member of this workspace to do it for you.')],
      };
    case 'external':
      return {
        what: 'In this channel, Scandesk belongs to another workspace.',
        todo: [
          say(
            'Only full members of that workspace can use it. Ask one of them to look up the barcode and share the result here.',
          ),
        ],
      };
    case 'not_manager':
      return {
        what: 'Only workspace admins and people with access can do this.',
        todo: [
          say('Ask an admin'),
          ...orManagers(reader),
          say(' to do it, or ask an admin to give you access with '),
          code('/scandesk access'),
          say('.'),
        ],
      };
    case 'not_admin':
      return { what: 'Only workspace admins and owners can do this.', todo: [say('Ask one of them to do it.')] };
    case 'unknown':
      return unknownPerson(cause);
  }
}

/** A person Slack cannot identify is allowed nothing; the text explains why Slack could not. */
function unknownPerson(cause: unknown): Problem {
  const problem = problemOf(cause);
  return problem === internalProblem
    ? {
        what: 'Scandesk couldn’t verify who you are, so nothing was done.',
        todo: [say('Try again in a moment.')],
        report: true,
      }
    : { ...problem, todo: [say('Scandesk couldn’t verify who you are, so nothing was done. '), ...problem.todo] };
}

/** Whether the change was made is unknown. */
export function isUnconfirmed(error: unknown): boolean {
  return error instanceof AccountError && error.unconfirmed !== undefined;
}

/** `reference`: as in the log; undefined for an expected refusal. */
export function problemBlocks(
  problem: Problem,
  reference: string | undefined,
  { barcode, buttons = [] }: ProblemOptions = {},
): Block[] {
  return [
    richText(
      [bold(problem.what)],
      reference === undefined ? problem.todo : [...problem.todo, ...reportElements(problem)],
      ...(barcode === undefined ? [] : [[say('Barcode: '), barcodeElement(barcode)]]),
    ),
    ...(buttons.length > 0 ? [actions([...buttons])] : []),
    ...(reference === undefined ? [] : [referenceBlock(reference)]),
  ];
}

/** Mentions the reference only where it is shown. */
function reportElements({ report }: Problem): RichTextElement[] {
  return report ? [say(' If it keeps happening, send the reference below to your Scandesk administrator.')] : [];
}

export function referenceBlock(reference: string): Block {
  return { type: 'context', elements: [plain(`Reference ${reference}`)] };
}

export function problemMessage(
  error: unknown,
  reference: string,
  reader: Reader = {},
  options: ProblemOptions = {},
): Message {
  const problem = problemOf(error, reader);
  const { barcode } = options;
  const text = `${escaped(problem.what)} ${inMrkdwn(problem.todo)}`;
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

/** One line above a field of a form drawn again. `reference`: where the log has a line for it. */
export function problemLine(error: unknown, reference?: string): string {
  const problem = problemOf(error);
  const shown = reference === undefined ? undefined : referenceFor(error, reference);
  return `${problem.what} ${plainText(problem.todo)}${shown === undefined ? '' : ` Reference ${shown}.`}`;
}

/** An expected refusal has no log line worth looking up. */
function referenceFor(error: unknown, reference: string): string | undefined {
  return isExpected(error) ? undefined : reference;
}

function plainText(elements: readonly RichTextElement[]): string {
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
      return element.type === 'usergroup' ? `<!subteam^${element.usergroup_id}>` : escaped(plainText([element]));
    })
    .join('');
}
