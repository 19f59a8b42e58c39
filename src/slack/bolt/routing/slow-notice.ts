/**
 * Owns the one line that is said when the answer to a command takes long, whatever it is that takes long: the clock starts
 * when the command arrives. The line comes before the answer, or not at all.
 */
import type { Clock } from '../../../clock.js';
import type { Log } from '../../../log.js';
import type { Message } from '../../block-kit/elements.js';
import { waitingMessage } from '../problem/loading.js';
import type { Respond } from './respond.js';

/** Made once: an abort without a reason makes an error with a stack for each command. */
const answered = new Error('it is answered');

/** Longer without a word, and a person wonders whether it was heard. */
const patienceMs = 2_500;

export interface SlowNotice {
  /** What the line says from now on, where more is known. It has to stay true: it cannot be taken back. */
  set(line: Message): void;
}

export interface WordInTime {
  readonly word: SlowNotice;
  /** Answers; the line is not said any more. */
  readonly respond: Respond;
  /** Resolves once nothing more is going to be said. */
  stop(): Promise<void>;
}

/** `seen`: something else tells the person already that they were heard: a window. */
export function wordInTime(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  { respond, seen, reference }: { readonly respond: Respond; readonly seen: () => boolean; readonly reference: string },
): WordInTime {
  let line = waitingMessage();
  const over = new AbortController();
  const said = clock
    .sleep(patienceMs, over.signal)
    .then(
      async () => (seen() ? undefined : respond(line)),
      () => undefined,
    )
    .catch((error: unknown) => log.warn({ err: error, reference }, 'could not say that an answer takes long'));
  const stop = async (): Promise<void> => {
    over.abort(answered);
    await said;
  };
  return {
    word: {
      set(next) {
        line = next;
      },
    },
    stop,
    respond: async (message, how) => {
      await stop();
      await respond(message, how);
    },
  };
}
