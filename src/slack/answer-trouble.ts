/**
 * Owns telling a person that their request failed: in a window they see, else in words. Refuses to fail itself; what
 * cannot be told is in the log.
 */
import { problemMessage, problemView, type Reader } from './blocks/problem.js';
import type { BaseContext } from './context.js';
import { SlackRoomError } from './errors.js';
import { type Outcome, outcomeOf, type Troubles } from './trouble.js';
import type { Window } from './window.js';

interface Listening extends Pick<BaseContext, 'deps' | 'client' | 'asker' | 'reference' | 'tell'> {
  /** Where trouble is told: the first of these that the person sees. Words come last. */
  readonly windows: readonly Window[];
}

/** Telling can fail too; then the log is all there is. */
export async function answerTrouble(
  error: unknown,
  where: string,
  to: Listening,
  troubles: Troubles,
): Promise<Outcome> {
  troubles.record(error, to.reference, where);
  const reader = await readerOf(error, to);
  for (const window of to.windows) {
    try {
      if (await window.show(problemView(error, to.reference, reader))) return outcomeOf(error);
    } catch (failure) {
      troubles.record(failure, to.reference, `${where} (telling in a window)`);
    }
  }
  try {
    await to.tell(problemMessage(error, to.reference, reader));
  } catch (failure) {
    troubles.record(failure, to.reference, `${where} (telling)`);
  }
  return outcomeOf(error);
}

/** A button is for those who may press it. Asked only where it matters: it may cost a call of Slack's. */
async function readerOf(error: unknown, { deps, client, asker }: Listening): Promise<Reader> {
  const matters = error instanceof SlackRoomError && error.code === 'slack.not_connected';
  return matters ? { mayConnect: await deps.permissions.may(client, asker, 'manager') } : {};
}
