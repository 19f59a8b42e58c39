/** Owns the words for how a relay's posts and copies fare: what waits for what, what was set aside and why. Pure. */
import type { CopyState, Relay, RelayReport } from '../../relay/index.js';
import type { RelayState } from '../../relay/types.js';
import type { Block, RichTextElement } from './kit.js';
import { bold, momentElement, richText, textElement } from './text.js';
import { countOf, shortName } from './verdict.js';

const reasons: Readonly<Record<string, string>> = {
  'relay.post_timeout': 'Slack took too long to answer',
  'relay.find_timeout': 'Slack took too long to say whether it was posted',
  'relay.interrupted': 'Scandesk was stopped in the middle of it',
  'relay.absent': 'it was not in the channel yet',
  'relay.scan_unreadable': 'its scan could not be read from the records',
  'relay.uninstalled': 'Scandesk was uninstalled',
  'relay.removed': 'the relay was removed',
  'slack.ratelimited': 'Slack asks Scandesk to slow down',
  'slack.rate_limited': 'Slack asks Scandesk to slow down',
  'slack.request_broken': 'the connection to Slack broke',
  'slack.broken_answer': 'Slack gave an answer that cannot be read',
  'slack.channel_not_found': 'Scandesk is not in the channel, or it is gone',
  'slack.not_in_channel': 'Scandesk is not in the channel',
  'slack.is_archived': 'the channel is archived',
  'slack.msg_too_long': 'the message is longer than Slack takes',
  'slack.invalid_blocks': 'Slack does not take a message of this shape',
  'slack.not_installed': 'Scandesk is not installed any more',
  'slack.token_revoked': 'Slack took Scandesk’s access away',
  'slack.invalid_auth': 'Slack took Scandesk’s access away',
};

/** In words; the code itself where there are none for it. */
export function reasonWords(code: string | undefined): string {
  if (code === undefined) {
    return 'nobody noted why';
  }
  const known = reasons[code];
  if (known !== undefined) {
    return known;
  }
  if (/^slack\.(http_5|internal_error|fatal_error|service_unavailable)/.test(code)) {
    return 'Slack is in trouble';
  }
  return /^slack\.(E[A-Z]|UND_)/.test(code)
    ? 'Slack cannot be reached'
    : `Slack refused it: ${code.replace(/^slack\./, '')}`;
}

export function waitingLines(state: RelayState, { aside, waitingFor }: RelayReport): Block[] {
  const lines: RichTextElement[][] = [
    ...(state.waiting > 0 && waitingFor !== undefined && !state.relay.paused
      ? [[textElement(`Waiting because ${reasonWords(waitingFor)}. It is tried again by itself.`)]]
      : []),
    ...aside.map(({ code, posts, lastAt }) => [
      bold(`⚠️ ${countOf(posts, 'post')} set aside: `),
      textElement(`${reasonWords(code)}, `),
      momentElement(lastAt),
    ]),
  ];
  return lines.length === 0 ? [] : [richText(...lines)];
}

/** How old the copies are that the relay judges by. */
export function copyLines({ settings: { judging } }: Relay, { copies }: RelayReport, now: number): RichTextElement[][] {
  if (judging.kind !== 'database') {
    return [];
  }
  const missing = judging.databaseIds.filter((id) => !copies.some((copy) => copy.databaseId === id));
  return [
    ...copies.map((copy) => copyLine(copy, now)),
    ...missing.map((id) => [textElement(`  Database ${shortName(id)}: no copy yet`)]),
  ];
}

function copyLine({ databaseId, name, size, fetchedAt, lastCode }: CopyState, now: number): RichTextElement[] {
  const called = shortName(name ?? `Database ${databaseId}`);
  const trouble = lastCode === undefined ? [] : [textElement(` · ⚠️ ${copyTrouble(lastCode)}`)];
  return fetchedAt === undefined
    ? [textElement(`  ${called}: the copy is being fetched for the first time`), ...trouble]
    : [
        textElement(`  ${called}: a copy of ${countOf(size, 'value')}, ${ageWords(now - fetchedAt)} old, of `),
        momentElement(fetchedAt),
        ...trouble,
      ];
}

function copyTrouble(code: string): string {
  switch (code) {
    case 'account.quota':
      return 'no calls were left to refresh it';
    case 'account.key_refused':
      return 'the account refuses the API key';
    case 'account.unreachable':
    case 'account.slow':
      return 'the account did not answer when it was to be refreshed';
    default:
      return 'the last try to refresh it failed';
  }
}

function ageWords(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes < 1) {
    return 'less than a minute';
  }
  if (minutes < 120) {
    return countOf(minutes, 'minute');
  }
  return minutes < 2 * 1_440 ? countOf(Math.floor(minutes / 60), 'hour') : countOf(Math.floor(minutes / 1_440), 'day');
}
