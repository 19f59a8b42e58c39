/** The page's error messages: what happened, and what to do. */

const reasons: Readonly<Record<string, string>> = {
  operation_timeout: 'the app took longer than 3 seconds to answer',
  dispatch_failed: 'the app could not be reached',
  http_service_error: 'the app answered with an error',
  unreachable: 'the workspace is not responding; check that it is still running',
  unknown_command: 'there is no such command here',
  not_supported_in_threads: 'commands do not work in threads; use the channel’s message box',
  user_not_found: 'no one here has that name',
};

function reasonFor(code: string): string {
  return reasons[code] ?? 'something went wrong';
}

/** The message for a failed click or choice. */
export function actionFailed(code: string): string {
  return `That didn’t work: ${reasonFor(code)} (${code}). Try again.`;
}

/** The message for a failed slash command: Slack's own words, with their meaning. */
export function commandFailed(command: string, code: string): string {
  const known = reasons[code];
  return `${command} failed with the error "${code}"${known ? `: ${known}` : ''}. Your text is back in the message box.`;
}

export function messageFailed(code: string): string {
  return `Your message was not sent: ${reasonFor(code)} (${code}). It is back in the message box.`;
}

/** The message for a mention of the app in a channel where the app is not. */
export function notInChannel(app: string): string {
  return `${app} is not in this channel, so it did not see this. Choose Add ${app} above, then mention it again.`;
}

/** The message for a modal's failed submit; `why` is the workspace's more specific reason. */
export function formFailed(code: string, why: string | undefined): string {
  const reason = why === undefined ? reasonFor(code) : (reasons[why] ?? why);
  return `This form was not submitted: ${reason} (${code}). Your entries are still here. Try again.`;
}
