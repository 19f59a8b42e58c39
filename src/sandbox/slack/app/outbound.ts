/**
 * Requests from the simulated Slack to the app: commands, interactions, option requests and events. Each goes to the
 * manifest's URL for it, with the fields that all requests of its kind share.
 */
import type { Clock, Random } from '../../../clock.js';
import type { Log } from '../../../log.js';
import type { Rules } from '../api.js';
import { newId } from '../ids.js';
import { type Manifest, onAppUrl } from '../manifest.js';
import type { ChannelRecord, Organisation, PersonRecord, TeamRecord } from '../world/records.js';
import type { Answer, NoAnswer, Sender } from './sender.js';

/** `app_not_connected`: the app's address is not known. `not_configured`: the manifest lacks the URL or interactivity. */
export type SendOutcome = Answer | (Omit<NoAnswer, 'error'> & { readonly error: string });

export interface Outbound {
  command(to: {
    readonly team: TeamRecord;
    readonly person: PersonRecord;
    readonly channel: ChannelRecord;
    readonly command: string;
    readonly text: string;
    readonly responseUrl: string;
    readonly triggerId: string;
  }): Promise<SendOutcome>;
  /** Sends an interaction: block_actions, view_submission, view_closed, shortcut, message_action. */
  interaction(team: TeamRecord, person: PersonRecord, payload: Readonly<Record<string, unknown>>): Promise<SendOutcome>;
  /** Sends an option request: block_suggestion. */
  options(team: TeamRecord, person: PersonRecord, payload: Readonly<Record<string, unknown>>): Promise<SendOutcome>;
  /** Resolves when the app has acknowledged the event (true) or Slack gives up. Only events in the manifest are sent. */
  event(team: TeamRecord, event: Readonly<Record<string, unknown>> & { readonly type: string }): Promise<boolean>;
  /** Sends url_verification, as Slack does when a request URL is entered. */
  verify(): Promise<boolean>;
}

const notSent = (error: string): SendOutcome => ({ ok: false, error, ms: 0, noRetry: true });

export function createOutbound(deps: {
  readonly sender: Sender;
  readonly manifest: Manifest;
  readonly appId: string;
  /** The organization of an org-wide install; absent otherwise. */
  readonly organisation?: Organisation | undefined;
  readonly rules: Rules;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly appUrl: () => string | undefined;
  readonly stopped: AbortSignal;
}): Outbound {
  const { sender, manifest, appId, organisation, rules, clock, random, log, appUrl, stopped } = deps;
  /** The deprecated verification token: Slack still sends one, but it authenticates nothing. */
  const token = random.bytes(12).toString('hex');
  const { interactivity, event_subscriptions: events } = manifest.settings;

  const post = async (
    url: string | undefined,
    contentType: 'application/x-www-form-urlencoded' | 'application/json',
    body: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<SendOutcome> => {
    const base = appUrl();
    if (base === undefined) {
      return notSent('app_not_connected');
    }
    return url === undefined
      ? notSent('not_configured')
      : sender.post({ url: onAppUrl(url, base), contentType, body, headers, timeoutMs: rules.acknowledgeMs });
  };
  const form = (fields: Readonly<Record<string, string>>): string => new URLSearchParams(fields).toString();
  const shared = (team: TeamRecord, person: PersonRecord) => ({
    user: { id: person.id, username: person.name, name: person.name, team_id: person.home_team },
    api_app_id: appId,
    token,
    // An org-wide install's payload has no team; the user's `team_id` names the workspace.
    team: organisation ? null : { id: team.id, domain: team.domain },
    enterprise: organisation ?? null,
    is_enterprise_install: organisation !== undefined,
  });
  const interactive = (
    url: string | undefined,
    team: TeamRecord,
    person: PersonRecord,
    payload: Readonly<Record<string, unknown>>,
  ): Promise<SendOutcome> =>
    interactivity?.is_enabled
      ? post(
          url,
          'application/x-www-form-urlencoded',
          form({ payload: JSON.stringify({ ...shared(team, person), ...payload }) }),
        )
      : Promise.resolve(notSent('not_configured'));

  /** Whether the app subscribes to the type and sender of the event's metadata; true for an event without metadata. */
  const acceptsMetadata = (event: Readonly<Record<string, unknown>>): boolean => {
    const metadata = event.metadata as { readonly event_type: string } | undefined;
    return (
      metadata === undefined ||
      (events?.metadata_subscriptions ?? []).some(
        (one) => one.event_type === metadata.event_type && ['*', event.app_id].includes(one.app_id),
      )
    );
  };

  return {
    command: ({ team, person, channel, command, text, responseUrl, triggerId }) =>
      post(
        manifest.features.slash_commands?.find((one) => one.command === command)?.url,
        'application/x-www-form-urlencoded',
        form({
          token,
          team_id: team.id,
          team_domain: team.domain,
          channel_id: channel.id,
          channel_name: channel.is_im ? 'directmessage' : channel.is_private ? 'privategroup' : channel.name,
          user_id: person.id,
          user_name: person.name,
          command,
          text,
          api_app_id: appId,
          ...(organisation ? { enterprise_id: organisation.id, enterprise_name: organisation.name } : {}),
          is_enterprise_install: String(organisation !== undefined),
          response_url: responseUrl,
          trigger_id: triggerId,
        }),
      ),
    interaction: (team, person, payload) => interactive(interactivity?.request_url, team, person, payload),
    options: (team, person, payload) => interactive(interactivity?.message_menu_options_url, team, person, payload),

    async event(team, event) {
      const subscription = event.type === 'message' ? `message.${String(event.channel_type)}` : event.type;
      if (!events?.bot_events?.includes(subscription) || !acceptsMetadata(event)) {
        return false;
      }
      const body = JSON.stringify({
        token,
        team_id: team.id,
        ...(organisation ? { enterprise_id: organisation.id } : {}),
        context_team_id: organisation ? null : team.id,
        context_enterprise_id: organisation?.id ?? null,
        api_app_id: appId,
        event,
        type: 'event_callback',
        event_id: newId(random, 'Ev'),
        event_time: Math.floor(clock.now() / 1000),
        authorizations: [
          {
            enterprise_id: organisation?.id ?? null,
            team_id: organisation ? null : team.id,
            user_id: team.bot_user,
            is_bot: true,
            is_enterprise_install: organisation !== undefined,
          },
        ],
        is_ext_shared_channel: false,
      });
      let headers: Record<string, string> = {};
      for (const [attempt, pause] of [0, ...rules.eventRetryMs].entries()) {
        if (attempt > 0) {
          await clock.sleep(pause, stopped).catch(() => undefined);
          if (stopped.aborted) {
            return false;
          }
        }
        const answer = await post(events.request_url, 'application/json', body, headers);
        if (answer.ok) {
          return true;
        }
        if (answer.noRetry) {
          return false;
        }
        headers = { 'x-slack-retry-num': String(attempt + 1), 'x-slack-retry-reason': retryReason(answer.error) };
      }
      log.warn({ event: event.type }, 'the app did not accept an event');
      return false;
    },

    async verify() {
      const challenge = random.bytes(20).toString('hex');
      const answer = await post(
        events?.request_url,
        'application/json',
        JSON.stringify({ token, challenge, type: 'url_verification' }),
      );
      if (!answer.ok) {
        return false;
      }
      return answer.body.trim() === challenge || challengeIn(answer.body) === challenge;
    },
  };
}

function retryReason(error: string): string {
  return error === 'operation_timeout'
    ? 'http_timeout'
    : error === 'dispatch_failed'
      ? 'connection_failed'
      : 'http_error';
}

function challengeIn(body: string): unknown {
  try {
    return (JSON.parse(body) as { challenge?: unknown } | null)?.challenge;
  } catch {
    return undefined;
  }
}
