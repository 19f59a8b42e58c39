/** The notice "One moment…", posted when a request is unanswered after 2.5 s; never after the answer. */
import type { Clock } from '../../../clock.js';
import type { Log } from '../../../log.js';
import type { Message } from '../../block-kit/elements.js';
import { textMessage } from '../../block-kit/text.js';
import type { Respond } from './respond.js';

/** One shared error: an abort without a reason creates an error with a stack for each request. */
const answeredError = new Error('answered');

/** How long a request may stay unanswered: after a longer silence, a person wonders whether it arrived. */
const slowAfterMs = 2_500;

const waitingMessage = textMessage('One moment… This is taking longer than usual. The answer will appear here.');

export interface SlowNotice {
  /** Replaces the notice's text where more is known. The new text must stay true: only in a direct message the answer replaces it. */
  set(line: Message): void;
}

export interface SlowNoticeHandle {
  readonly slowNotice: SlowNotice;
  /** Sends the answer; the notice is not posted after it. */
  readonly respond: Respond;
  /** Ends the timer; resolves once the notice can no longer be posted. */
  stop(): Promise<void>;
}

/** Starts the timer of the notice. `sawModal`: whether the person already sees a modal. */
export function startSlowNotice(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  {
    respond,
    sawModal,
    reference,
  }: { readonly respond: Respond; readonly sawModal: () => boolean; readonly reference: string },
): SlowNoticeHandle {
  let line = waitingMessage;
  const timerEnd = new AbortController();
  const posting = clock
    .sleep(slowAfterMs, timerEnd.signal)
    .then(
      async () => (sawModal() ? undefined : respond(line, { notice: true })),
      () => undefined,
    )
    .catch((error: unknown) => log.warn({ err: error, reference }, 'the slow notice could not be posted'));
  const stopTimer = async (): Promise<void> => {
    timerEnd.abort(answeredError);
    await posting;
  };
  return {
    slowNotice: {
      set(next) {
        line = next;
      },
    },
    stop: stopTimer,
    respond: async (message, how) => {
      await stopTimer();
      await respond(message, how);
    },
  };
}
