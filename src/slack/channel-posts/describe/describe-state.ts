/** The delivery status of a relay as text: pending posts, dead letters with reasons, mutes, databases. Pure. */
import { unnamed } from '../../../codereadr/names.js';
import type { NameOf } from '../../../codereadr/types.js';
import { countOf, plural } from '../../../english.js';
import type { MirrorState } from '../../../mirror/index.js';
import type { Relay, RelayReport } from '../../../relay/index.js';
import type { RelayState } from '../../../relay/relays/types.js';
import type { Block } from '../../block-kit/elements.js';
import { shortName } from '../../block-kit/short-text.js';
import { bold, code, type LinePart, momentAfter, richText } from '../../block-kit/text.js';
import { howToAdd, permissionsNamed, scopesInCode } from '../../bolt/scopes.js';
import { channelElements } from './describe-relay.js';

const reasons: Readonly<Record<string, string>> = {
  'relay.post_timeout': 'Slack took too long to respond',
  'relay.find_timeout': 'Slack took too long to confirm whether it was posted',
  'relay.interrupted': 'Scandesk was stopped while posting',
  'relay.absent': 'it wasn’t found in the channel',
  'relay.duplicate': 'Slack says it already has this post, but it isn’t in the channel',
  'relay.card_gone': 'the message it replies to was deleted; a new one is posted first',
  'relay.undrawn': 'its message could not be drawn, which is an error of Scandesk',
  'relay.scan_unreadable': 'its scan could not be read from the database',
  'relay.uninstalled': 'Scandesk was uninstalled',
  'relay.removed': 'the relay was deleted',
  'slack.ratelimited': 'Slack is rate limiting Scandesk',
  'slack.rate_limited': 'Slack is rate limiting Scandesk',
  'slack.request_broken': 'the connection to Slack was lost',
  'slack.broken_answer': 'Slack sent an unreadable response',
  'workflow.gone':
    'the workflow’s webhook URL no longer works. If the workflow was changed, enter its URL in the rule again',
  'workflow.no_url': 'the workflow’s webhook URL can’t be read any more. Enter it in the rule again',
  'slack.channel_not_found': 'Scandesk isn’t in the channel, or the channel no longer exists',
  'slack.not_in_channel': 'Scandesk isn’t in the channel',
  'slack.is_archived': 'the channel is archived',
  'slack.thread_not_found': 'the message it replies to was deleted',
  'slack.msg_too_long': 'the message is too long for Slack',
  'slack.invalid_blocks': 'Slack refused the message’s format',
  'slack.not_installed': 'Scandesk is no longer installed',
  'slack.token_revoked': 'Slack revoked Scandesk’s access',
  'slack.invalid_auth': 'Slack revoked Scandesk’s access',
};

/** Begins the error code of a post whose last attempt was never confirmed. */
const inDoubt = 'doubt.';

/** The text of an error code; for a code that is not known, a general text with the code. */
export function describeReason(code: string | undefined): string {
  if (code === undefined) {
    return 'unknown reason';
  }
  if (code.startsWith(inDoubt)) {
    return `${describeReason(code.slice(inDoubt.length))}; it may be in the channel all the same`;
  }
  const knownReason = reasons[code];
  if (knownReason !== undefined) {
    return knownReason;
  }
  const scopes = scopesInCode(code);
  if (scopes !== undefined) {
    return missingScopeReason(scopes);
  }
  if (/^slack\.(http_5|internal_error|fatal_error|service_unavailable)/.test(code)) {
    return 'Slack is having problems';
  }
  if (code.startsWith('workflow.')) {
    const error = shortName(code.slice('workflow.'.length), 100);
    return `the workflow refused what was sent (${error}): compare the rule’s variables with those that it declares`;
  }
  return /^slack\.(E[A-Z]|UND_)/.test(code)
    ? 'Slack can’t be reached'
    : `Slack refused it: ${shortName(code.replace(/^slack\./, ''), 100)}`;
}

function missingScopeReason(scopes: readonly string[]): string {
  const lacks = `is missing ${permissionsNamed(scopes)} (${howToAdd(scopes)})`;
  const isSearchScope = scopes.length > 0 && scopes.every((scope) => scope.endsWith(':history'));
  return isSearchScope ? `Scandesk can’t tell whether it was posted, because it ${lacks}` : `Scandesk ${lacks}`;
}

export function undeliveredLines(state: RelayState, { deadLetters, lastFailure }: RelayReport): Block[] {
  const lines: LinePart[][] = [
    ...(state.pending > 0 &&
    lastFailure !== undefined &&
    !state.relay.paused &&
    !state.blocked.some(({ code: why }) => why === lastFailure)
      ? [[`Posts are pending: ${describeReason(lastFailure)}. Scandesk retries automatically.`]]
      : []),
    ...deadLetters.map(({ code: why, posts, lastAt }) => [
      bold(`⚠️ ${countOf(posts, 'post')} not delivered: `),
      describeReason(why),
      momentAfter(', ', lastAt),
    ]),
  ];
  return lines.length === 0 ? [] : [richText(...lines)];
}

/** A line that says that mutes, not the rules, keep posts out of the channel. */
export function mutedLines({ muted }: RelayReport): LinePart[][] {
  return muted.length === 0
    ? []
    : [
        [
          bold('Mutes: '),
          `${muted.length}, in `,
          ...channelElements([...new Set(muted)]),
          '. Type ',
          code('/scandesk mute'),
          ` there to see ${plural(muted.length, 'it', 'them')}.`,
        ],
      ];
}

/** Names of the databases that a relay validates with; for a single one, also whether it is being fetched. */
export function databaseNames(
  { settings: { judging } }: Relay,
  { mirrors }: RelayReport,
  nameOf: NameOf,
): (id: string) => string {
  return (id) => {
    const mirror = mirrors.find(({ databaseId }) => databaseId === id);
    const name = shortName(mirror?.name ?? nameOf('database', id) ?? unnamed('database', id));
    const isOnly = judging.kind === 'database' && judging.databaseIds.length === 1;
    return isOnly && isBeingFetched(mirror) ? `${name} (${fetching(mirror)})` : name;
  };
}

/** The age and the errors of the mirrored databases. */
export function mirrorLines(
  { settings: { judging } }: Relay,
  { mirrors }: RelayReport,
  nameOf: (id: string) => string,
): LinePart[][] {
  if (judging.kind !== 'database') {
    return [];
  }
  return judging.databaseIds.flatMap((id) => {
    const mirror = mirrors.find(({ databaseId }) => databaseId === id);
    // For a single database, this is shown next to its name.
    return judging.databaseIds.length === 1 && isBeingFetched(mirror) ? [] : [mirrorLine(nameOf(id), mirror)];
  });
}

function isBeingFetched(mirror: MirrorState | undefined): boolean {
  return mirror === undefined || (mirror.fetchedAt === undefined && mirror.lastCode === undefined);
}

function fetching(mirror: MirrorState | undefined): string {
  return mirror ? 'downloading' : 'not downloaded yet';
}

function mirrorLine(databaseName: string, mirror: MirrorState | undefined): LinePart[] {
  const problem = mirror?.lastCode === undefined ? [] : [` · ⚠️ ${describeMirrorError(mirror.lastCode)}`];
  return mirror?.fetchedAt === undefined
    ? [`${databaseName}: ${fetching(mirror)}`, ...problem]
    : [
        `${databaseName}: a copy of ${countOf(mirror.size, 'value')} `,
        momentAfter('as of ', mirror.fetchedAt),
        ...problem,
      ];
}

function describeMirrorError(code: string): string {
  switch (code) {
    case 'account.quota':
      return 'no API calls were left to update it';
    case 'account.key_refused':
      return 'the account refuses the API key';
    case 'account.unreachable':
    case 'account.slow':
      return 'the account didn’t respond to the last update';
    case 'relay.database_gone':
      return 'the account no longer lists it for the API key';
    default:
      return 'the last update failed';
  }
}
