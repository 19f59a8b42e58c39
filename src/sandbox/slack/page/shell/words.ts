/** What this page says when something did not work: what happened, and what to do. */

const reasons: Readonly<Record<string, string>> = {
  operation_timeout: 'The app took longer than 3 seconds to answer',
  dispatch_failed: 'The app could not be reached',
  http_service_error: 'The app answered with an error',
  unreachable: 'The workspace does not answer; is it still running',
};

export function reasonFor(code: string): string {
  return reasons[code] ?? 'Something went wrong';
}

/** For a click or a choice. */
export function actionFailed(code: string): string {
  return `${reasonFor(code)} (${code}). Please try again.`;
}

/** For a slash command, in Slack's own words, with what they mean. */
export function commandFailed(command: string, code: string): string {
  const known = reasons[code];
  return `${command} failed with the error "${code}"${known ? `: ${known}` : ''}. Your text is back in the box.`;
}
