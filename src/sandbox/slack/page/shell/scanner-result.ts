/** A device's response to a scan, large enough to read at a gate, with the request to the service's URL below it. */
import type { ScanResult } from '../../../codereadr/api.js';
import { el, link } from '../dom.js';

const signs = { valid: '✓', invalid: '✕', kept: '…', recorded: '✓' } as const;
/** The words for a result's color and icon, for a response with a title of its own. */
const words = { valid: 'Valid', invalid: 'Invalid', kept: 'Stored on the device', recorded: 'Saved' } as const;

function host(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}

function outcome(posted: NonNullable<ScanResult['posted']>): string {
  if (posted.error !== undefined) return `no response (${posted.error})`;
  return posted.http_status === undefined ? 'no response' : `status ${posted.http_status}`;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The text of an HTML response without its tags, read without a parser that could run or load its content. */
function wordsOf(html: string): string {
  return html
    .replace(/<(script|style|template|title)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<\/?(p|div|h[1-6]|li|tr|br)\b[^>]*>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (whole, name: string) => entities[name] ?? whole)
    .replace(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/\s*\n\s*/g, '\n')
    .trim();
}

function content(response: ScanResult['shown']): HTMLElement | undefined {
  const props = { class: 'result-text', 'data-test': 'scanner-text', 'data-as': response.as };
  if (response.as === 'address') {
    return el('div', props, el('small', {}, 'The device opens '), link(response.text, {}, response.text));
  }
  if (response.as === 'page') {
    return el('div', props, el('small', {}, 'The device shows a page: '), el('p', {}, wordsOf(response.text)));
  }
  return response.text === '' ? undefined : el('p', props, response.text);
}

export function drawResult(result: ScanResult, barcode: string): HTMLElement {
  const { shown, posted } = result;
  return el(
    'div',
    { class: `result result-${shown.kind}`, 'data-test': 'scanner-result', 'data-kind': shown.kind },
    el(
      'div',
      { class: 'result-head' },
      el('span', { class: 'result-sign', 'aria-hidden': 'true' }, signs[shown.kind]),
      el('strong', { 'data-test': 'scanner-title' }, shown.title),
      shown.title !== words[shown.kind] && el('span', { class: 'result-word' }, words[shown.kind]),
    ),
    content(shown),
    barcode !== '' && el('div', { class: 'barcode result-barcode', 'data-test': 'scanner-barcode' }, barcode),
    posted &&
      el(
        'details',
        { class: 'posted', 'data-test': 'scanner-posted' },
        el('summary', {}, `Posted to ${host(posted.url)}: ${outcome(posted)}`),
        el('div', { class: 'barcode' }, posted.url),
        posted.body !== undefined && posted.body !== '' && el('pre', {}, posted.body),
      ),
  );
}
