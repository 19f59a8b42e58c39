/** The log of listeners' errors: one line each, under a reference that the person sees too. */
import { AuthorizationError, type CodedError } from '@slack/bolt';
import { z } from 'zod';
import type { Clock, Random } from '../../../clock.js';
import { codeOf } from '../../../errors.js';
import type { Log } from '../../../log.js';
import { isExpected, SlackError, slackWord } from '../errors.js';
import { postToResponseUrl } from '../response-url.js';
import { problemMessage } from './problem.js';

export interface ErrorReporter {
  newReference(): string;
  /** Logs one line. `where`: the command, action or form. */
  record(error: unknown, reference: string, where: string): void;
  /** For errors before a listener runs: no installation for the workspace, a payload Bolt does not know. */
  outside(error: { readonly error: CodedError; readonly body: unknown }): Promise<void>;
}

/** How a request ended, for metrics: `refused` is expected, `failed` is an error. */
export type RequestOutcome = 'ok' | 'refused' | 'failed';

export function outcomeOf(error: unknown): Exclude<RequestOutcome, 'ok'> {
  return isExpected(error) ? 'refused' : 'failed';
}

const reachable = z.object({
  response_url: z.url().optional(),
  response_urls: z.array(z.object({ response_url: z.url() })).optional(),
});

/** Can be read out on the phone: no letters that look or sound alike. */
const letters = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';

export function createErrorReporter(deps: {
  readonly log: Log;
  readonly clock: Clock;
  readonly random: Random;
}): ErrorReporter {
  const newReference = () => Array.from(deps.random.bytes(8), (byte) => letters[byte % letters.length]).join('');

  function record(error: unknown, reference: string, where: string): void {
    if (outcomeOf(error) === 'refused') {
      const why = error instanceof SlackError ? error.why : undefined;
      deps.log.info({ reference, where, code: codeOf(error), why }, 'a person was refused');
    } else {
      const line = { reference, where, code: codeOf(error), slack: slackWord(error), err: error };
      deps.log.warn(line, 'a request from Slack could not be served');
    }
  }

  return {
    newReference,
    record,
    async outside({ error, body }) {
      const reference = newReference();
      record(error, reference, 'bolt');
      const cause = error instanceof AuthorizationError ? new SlackError('slack.not_installed', error.message) : error;
      const parsed = reachable.safeParse(body);
      const url = parsed.data?.response_url ?? parsed.data?.response_urls?.[0]?.response_url;
      if (!url) {
        return;
      }
      const message = problemMessage(cause, reference);
      // There is no token to answer with; a response_url needs none.
      await postToResponseUrl(url, { ...message, response_type: 'ephemeral', replace_original: false }).catch(
        (failure: unknown) => record(failure, reference, 'bolt answer'),
      );
    },
  };
}
