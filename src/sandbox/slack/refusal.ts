/** The workspace's errors: Slack's error code for the app, and a reason for people and scripts. */
import { ScandeskError } from '../../errors.js';

/** Thrown by a Web API method. `error` is Slack's code; `details` are added to the response. */
export class SlackRefusal extends ScandeskError {
  constructor(
    readonly error: string,
    readonly details: Readonly<Record<string, unknown>> = {},
    /** The seconds of Retry-After, for a 429; other errors of the Web API are sent with status 200, as Slack does. */
    readonly retryAfter?: number,
  ) {
    super(`slack.${error}`, error);
  }
}

/** Thrown by the workspace's own API where a person or a script asks for something that is not allowed. */
export class SandboxRefusal extends ScandeskError {
  constructor(
    readonly status: number,
    readonly error: string,
    readonly why: string,
  ) {
    super(`sandbox.${error}`, why);
  }
}
