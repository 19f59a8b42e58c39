/**
 * The answer of a service's URL, as a device parses it: status, text, and optionally a scan id and questions. Anything
 * but XML (docs/account-api.md#scan-to-url) counts as no answer.
 */
import { readDocument, type XmlElement } from '../xml/read.js';

/** The most bytes of an answer; a longer one is truncated. */
export const longestReply = 10_000;

export interface ReplyQuestion {
  readonly id: string;
  readonly text: string;
  readonly type: string;
  readonly condition: string;
  readonly options: readonly string[];
}

export interface Reply {
  readonly status: 1 | 0;
  readonly text: string;
  readonly scanId?: string;
  readonly questions: readonly ReplyQuestion[];
  /** The title of the result: `status_title_default` of `scan_display_config`. */
  readonly title?: string;
}

/** Parses an answer; `undefined`: no XML, or no `message` whose `status` is 1 or 0. */
export function readReply(body: string): Reply | undefined {
  const root = readDocument(body);
  const message = root?.name === 'xml' ? child(root, 'message') : undefined;
  const status = message && child(message, 'status')?.text.trim();
  if (!message || (status !== '1' && status !== '0')) return undefined;
  // The reference shows optional elements inside the message and beside it: both are read *(guess)*.
  const find = (name: string) => child(message, name) ?? (root && child(root, name));
  const scanId = find('scanid')?.text.trim();
  const title = readTitle(find('scan_display_config')?.text);
  return {
    status: status === '1' ? 1 : 0,
    text: child(message, 'text')?.text ?? '',
    ...(scanId ? { scanId } : {}),
    questions: [...message.children, ...(root?.children ?? [])].filter((one) => one.name === 'question').map(question),
    ...(title ? { title } : {}),
  };
}

function child(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find((one) => one.name === name);
}

function question(element: XmlElement): ReplyQuestion {
  return {
    id: element.attributes.id ?? '',
    text: child(element, 'text')?.text ?? '',
    type: element.attributes.type ?? 'manual',
    condition: element.attributes.condition ?? 'post_submit',
    options: element.children.filter((one) => one.name === 'answer' && one.text !== '').map((one) => one.text),
  };
}

function readTitle(config: string | undefined): string | undefined {
  if (!config) return undefined;
  try {
    const parsed = JSON.parse(config) as { status_title_default?: unknown } | null;
    return typeof parsed?.status_title_default === 'string' ? parsed.status_title_default : undefined;
  } catch {
    return undefined;
  }
}
