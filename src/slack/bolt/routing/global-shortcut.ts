/** A shortcut from Slack's search or the composer: it has no channel and no response_url, so its answer is a modal. */
import type { AllMiddlewareArgs, GlobalShortcut, SlackShortcutMiddlewareArgs } from '@slack/bolt';
import { authorize } from '../people/permissions.js';
import type { RequestOutcome } from '../problem/answer-error.js';
import type { GlobalShortcutSpec } from './listeners.js';
import { modalToOpen } from './modal.js';
import { actorOf, answerErrors, type Host, requestFrom } from './request.js';

export type GlobalShortcutArgs = Pick<AllMiddlewareArgs, 'context' | 'client'> &
  Pick<SlackShortcutMiddlewareArgs<GlobalShortcut>, 'ack' | 'body' | 'shortcut'>;

export async function onGlobalShortcut(
  { ack, shortcut, context, client }: GlobalShortcutArgs,
  host: Host,
  { role, modalTitle, run }: GlobalShortcutSpec,
): Promise<RequestOutcome> {
  await ack();
  const request = requestFrom(client, host, {
    actor: actorOf(context, shortcut.user.id, undefined),
    reference: host.reporter.newReference(),
    modalIn: (modalHost) => modalToOpen(modalHost, shortcut.trigger_id),
  });
  const { base, modal } = request;
  // Without a channel an error can only be shown in a modal.
  return answerErrors(
    shortcut.callback_id,
    request,
    host,
    async () => run({ ...base, modal, person: await authorize({ ...base, modal }, { role, modalTitle }) }),
    () => [modal],
  );
}
