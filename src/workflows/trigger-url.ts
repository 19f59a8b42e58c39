/**
 * URLs of Workflow Builder's webhook triggers. Anyone who has one can start the workflow, so it is a secret. Requests
 * go to Slack's own host alone, or to that of SLACK_API_URL, below `/triggers/`: a person can enter no other host.
 */
import { hash } from 'node:crypto';

const prefix = 'trigger.';
const path = /^\/triggers\/[\w-]{1,64}\/[\w-]{1,64}\/[\w-]{1,64}$/;

/** The origin of triggers: `https://hooks.slack.com`; where the Web API is not Slack's, as in the demo, its origin. */
export function hooksOrigin(apiUrl: string): string {
  return new URL(apiUrl).origin.replace(/^https:\/\/(slack(?:-gov)?\.com)$/, 'https://hooks.$1');
}

/**
 * The URL in the text, compared as text: a URL parser would accept other texts too. Undefined if the text is not such a
 * URL.
 */
export function triggerUrlIn(text: string, origin: string): string | undefined {
  const url = text.trim();
  return url.startsWith(origin) && path.test(url.slice(origin.length)) ? url : undefined;
}

/**
 * The ID of a trigger, and of the queue of its starts: the same for equal URLs. The URL cannot be read from it; the dot
 * is in no id of Slack.
 */
export function triggerIdOf(url: string): string {
  return `${prefix}${hash('sha256', url, 'base64url').slice(0, 22)}`;
}

/** Whether the id of a queue is that of a trigger: its posts are starts of the workflow. */
export function isTrigger(queue: string): boolean {
  return queue.startsWith(prefix);
}
