/** What Slack says when it is asked at the start, and now and then while somebody wants to know: refused or answered. */
import type { Metrics } from '../../metrics.js';
import type { ProcessDeps } from '../../process.js';
import { isSlackOutage, slackErrorCode } from '../bolt/errors.js';

/** `unanswered`: Slack has not answered once since the start; `code` is that of the last request that failed. */
export type SlackState =
  | { readonly kind: 'unanswered'; readonly code?: string }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'answered' };

/** How long an answer counts: five minutes, a refusal one minute, none at all five seconds. */
const recheckMs = { answered: 5 * 60_000, refused: 60_000, unanswered: 5_000 };

const nextStep =
  'copy the Bot User OAuth Token from the app’s page OAuth & Permissions to SLACK_BOT_TOKEN, and start again';

export interface SlackCheck {
  /** Asks now, unless it is being asked; resolves with the state afterwards. Never rejects. */
  ask(): Promise<SlackState>;
  /** The state as last known; an old one is asked anew in the background. */
  state(): SlackState;
}

/** @param send sends the request, and rejects where Slack refuses it or does not answer */
export function createSlackCheck(
  deps: Pick<ProcessDeps, 'clock' | 'log'> & { readonly metrics: Pick<Metrics, 'botTokenRefused'> },
  send: () => Promise<void>,
): SlackCheck {
  let state: SlackState = { kind: 'unanswered' };
  let asking: Promise<SlackState> | undefined;
  let isTold = false;
  let askedAt = Number.NEGATIVE_INFINITY;

  function noteFailure(error: unknown): void {
    const code = slackErrorCode(error);
    if (code === undefined || isSlackOutage(error)) {
      const reason = causeCode(error) ?? code;
      if (state.kind === 'unanswered' && (!isTold || state.code !== reason)) {
        state = { kind: 'unanswered', ...(reason === undefined ? {} : { code: reason }) };
        isTold = true;
        deps.log.warn({ code: reason }, 'Slack cannot be reached; it is asked again');
      }
      return;
    }
    if (state.kind !== 'refused' || state.code !== code) {
      deps.log.error({ code }, `Slack refuses the bot token: ${nextStep}`);
    }
    state = { kind: 'refused', code };
  }

  async function askOnce(): Promise<SlackState> {
    askedAt = deps.clock.now();
    try {
      await send();
      state = { kind: 'answered' };
    } catch (error) {
      noteFailure(error);
    } finally {
      asking = undefined;
    }
    deps.metrics.botTokenRefused.set(state.kind === 'refused' ? 1 : 0);
    return state;
  }

  const ask = (): Promise<SlackState> => {
    asking ??= askOnce();
    return asking;
  };

  return {
    ask,
    state() {
      if (deps.clock.now() - askedAt >= recheckMs[state.kind]) {
        void ask();
      }
      return state;
    },
  };
}

/** The system's code of a connection that failed, as ENOTFOUND: fetch hides it two causes down. */
function causeCode(error: unknown): string | undefined {
  for (let at = error, depth = 0; typeof at === 'object' && at !== null && depth < 5; depth += 1) {
    const { code, original, cause } = at as { code?: unknown; original?: unknown; cause?: unknown };
    if (typeof code === 'string' && /^(E[A-Z]|UND_ERR|CERT|UNABLE|DEPTH|SELF)/.test(code)) {
      return code;
    }
    at = original ?? cause;
  }
  return undefined;
}
