/**
 * Owns how the workspace says no: with Slack's own word to the app, and with a reason to people and scripts.
 */
import { ScandeskError } from '../../errors.js';

/** Thrown by a Web API method. `error` is Slack's word; `details` go into the answer beside it. */
export class SlackRefusal extends ScandeskError {
  constructor(
    readonly error: string,
    readonly details: Readonly<Record<string, unknown>> = {},
    /** 429 carries Retry-After; everything else is Slack's 200. */
    readonly retryAfter?: number,
  ) {
    super(`slack.${error}`, error);
  }
}

/** Thrown on the workspace's own API: what a person or a script may not do here. */
export class SandboxRefusal extends ScandeskError {
  constructor(
    readonly status: number,
    readonly error: string,
    readonly why: string,
  ) {
    super(`sandbox.${error}`, why);
  }
}
