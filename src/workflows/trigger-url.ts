/**
 * URLs of Workflow Builder's webhook triggers. Anyone who has one can start the workflow, so it is a secret. Requests
 * go only to Slack's own host, below `/triggers/`, and never to an address in one's own network.
 */
import { hash } from 'node:crypto';

const prefix = 'trigger.';
const path = /^\/triggers\/[\w-]{1,64}\/[\w-]{1,64}\/[\w-]{1,64}$/;

/** `https://hooks.slack.com`. Where the Web API is not Slack's, as in the demo, the triggers are at its origin too. */
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

/** Whether a queue is that of a trigger's starts. */
export function isTrigger(queue: string): boolean {
  return queue.startsWith(prefix);
}
