/** What a device shows of a result. */
import type { ScanResult } from '../api.js';
import type { Service } from '../operations/service-row.js';
import type { PostReport } from './post.js';
import type { Reply } from './reply.js';
import type { Verdict } from './scan.js';

export function resultOf(
  service: Service | undefined,
  verdict: Verdict,
  source: { readonly reply?: Reply; readonly posted?: PostReport },
): ScanResult {
  const recorded = service !== undefined && verdict.status === 1 && !source.reply && service.databaseId === undefined;
  const kind = recorded ? 'recorded' : verdict.status === 1 ? 'valid' : 'invalid';
  const title = { recorded: 'Saved', valid: 'Valid', invalid: 'Invalid' }[kind];
  // The text of a web view is its description, the page it shows *(guess)*.
  const text = service?.method === 'webview' ? (service.settings.description ?? '') : verdict.text;
  return {
    shown: { kind, title: source.reply?.title ?? title, ...contentOf(text) },
    ...(source.posted ? { posted: source.posted } : {}),
  };
}

export function keptResult(posted: PostReport): ScanResult {
  const text = 'No response. The scan stays on this device and is sent again with the next upload.';
  return { shown: { kind: 'kept', title: 'Stored on the device', text, as: 'text' }, posted };
}

export function refusedResult(title: string, text: string): ScanResult {
  return { shown: { kind: 'invalid', title, text, as: 'text' } };
}

/** A text that begins with `<html>` is a page, `<curl>URL</curl>` opens the URL; all else is text. */
function contentOf(text: string): { text: string; as: 'text' | 'page' | 'address' } {
  const address = /^\s*<curl>([\s\S]*)<\/curl>\s*$/i.exec(text)?.[1];
  if (address !== undefined) return { text: address.trim(), as: 'address' };
  return { text, as: /^\s*<html>/.test(text) ? 'page' : 'text' };
}
