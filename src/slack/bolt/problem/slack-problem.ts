/** Explanations of Slack's errors, and of what Scandesk refuses. Pure. */
import { code, person, textElement } from '../../block-kit/text.js';
import type { NotAllowedReason } from '../errors.js';
import { addingElements, lossOf, permissionsNamed } from '../scopes.js';
import { anAdmin, askOrDo, orManagers, type Problem, type Reader } from './account-problem.js';

export const internalProblem: Problem = {
  what: 'Something went wrong on our end.',
  todo: 'Try again.',
  report: true,
};

export const storeProblem: Problem = {
  what: 'Scandesk can’t reach its stored data right now.',
  todo: 'Try again in a minute.',
  report: true,
};

export const unreachable: Problem = {
  what: 'Scandesk can’t reach Slack right now.',
  todo: 'Try again in a minute.',
};

export const slackOutage: Problem = {
  what: 'Slack is having trouble right now.',
  todo: 'Try again in a minute. If it continues, check status.slack.com.',
};

const tooSlow: Problem = {
  what: 'Slack didn’t open the form because it took longer than 3 seconds.',
  todo: 'Try again. It’s usually faster the second time.',
};

const rateLimited: Problem = {
  what: 'Slack is limiting how often Scandesk can send requests.',
  todo: 'Nothing was lost. Try again in a minute.',
};

const unstorable: Problem = {
  what: 'This text holds a character that no database keeps (NUL).',
  todo: 'Nothing was done. Enter it without that character.',
};

const cannotPost: Problem = {
  what: 'Scandesk can’t post in that channel.',
  todo: ['Invite it with ', code('/invite @Scandesk'), ', or choose another channel.'],
};

const withoutAccess = (problemText: string): Problem => ({
  what: problemText,
  todo: 'Ask a workspace admin to install Scandesk again, or your Scandesk administrator to renew its token.',
});

const accessRevoked = withoutAccess('Scandesk’s access to this workspace was revoked.');
const tokenRejected = withoutAccess('Slack refused Scandesk’s token for this workspace.');

/** Explanations that depend on the code alone: Scandesk's codes, then those of Slack and its client. */
export const problemsByCode: ReadonlyMap<string, Problem> = new Map(
  Object.entries<Problem>({
    'relay.no_such_relay': {
      what: 'This relay was deleted.',
      todo: ['See your relays with ', code('/scandesk relay'), '.'],
    },
    'relay.post_gone': {
      what: 'This post is no longer stored.',
      todo: [
        'Its relay or its barcode was deleted, or it is older than scans are kept here. To look up the barcode, type ',
        code('/barcode VALUE'),
        '.',
      ],
    },
    'relay.too_many': {
      what: 'This workspace has reached its limit for watches or mutes.',
      todo: [
        'Stop one that you no longer need: ',
        code('/scandesk watch'),
        ' and ',
        code('/scandesk mute'),
        ' list them.',
      ],
    },
    'slack.not_installed': {
      what: 'Scandesk isn’t installed in your workspace.',
      todo: 'Ask a workspace admin to install it.',
    },
    'slack.other_account': {
      what: 'A different account or API key is connected now, so nothing was changed.',
      todo: 'Run the command again to see what’s in the account that is connected now.',
    },
    'slack.typed_nul': unstorable,
    'store.text_unstorable': unstorable,
    'slack.typed_key': {
      what: 'That looks like an API key, so nothing was done with it.',
      todo: [
        'If it is one, replace it, because Slack may keep what you typed: on your account’s ',
        textElement('API Keys', { bold: true }),
        ' page, delete it and create a new one, and enter that with ',
        code('/scandesk connect'),
        '. If it is a barcode, type it in quotes.',
      ],
    },
    'slack.window_late': tooSlow,
    'slack.response_url': {
      what: 'Slack didn’t confirm that this was posted.',
      todo: 'It may already be in the conversation. Check before you try again.',
    },
    'slack.state': { what: 'This form is out of date.', todo: 'Run the command again.' },
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
  }),
);

/** @param command the command that posts the message again */
export function outdatedMessage(command = '/barcode'): Problem {
  return {
    what: 'This message is too old. What it showed is no longer stored.',
    todo: ['Run ', code(command), ' again and use the new message.'],
  };
}

/** @param by the Slack user id of the person who deleted the report */
export function deletedReport(by?: string): Problem {
  return {
    what: 'This report was deleted.',
    todo: [
      ...(by === undefined ? [] : [person(by), ' deleted it. ']),
      'See the others, or make a new one, with ',
      code('/scandesk reports'),
      '.',
    ],
  };
}

export function missingScope(scopes: readonly string[], { reinstallUrl }: Reader): Problem {
  const loss = lossOf(scopes);
  return {
    what: `Scandesk is missing ${permissionsNamed(scopes)} in this workspace.`,
    todo: [...(loss === undefined ? [] : [`${loss} `]), ...addingElements(scopes, reinstallUrl)],
  };
}

export function notConnected(reader: Reader): Problem {
  return {
    what: 'No scanning account is connected yet.',
    todo: [...askOrDo(reader, 'connect one'), code('/scandesk connect'), '.'],
  };
}

export function refusal(reason: Exclude<NotAllowedReason, 'unknown'>, reader: Reader): Problem {
  switch (reason) {
    case 'guest':
    case 'bot':
    case 'deactivated':
      return {
        what: `${{ guest: 'Guests', bot: 'Apps', deactivated: 'Deactivated people' }[reason]} can’t use Scandesk.`,
        todo: 'Ask a full member of this workspace to do it for you.',
      };
    case 'external':
      return {
        what: 'In this channel, Scandesk belongs to another workspace.',
        todo: 'Only full members of that workspace can use it. Ask one of them to look up the barcode and share the result here.',
      };
    case 'not_manager':
      return {
        what: 'Only workspace admins and people with access can do this.',
        todo: [
          'Ask ',
          ...anAdmin(reader),
          ...orManagers(reader),
          ' to do it, or ask an admin to give you access with ',
          code('/scandesk access'),
          '.',
        ],
      };
    case 'not_admin':
      return {
        what: 'Only workspace admins and owners can do this.',
        todo: ['Ask ', ...anAdmin(reader), ' to do it.'],
      };
  }
}
