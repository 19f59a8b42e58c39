/** Draws what a device shows after a scan, large enough for a gate, and in small what was posted where. */
import type { ScanResult } from '../../../account/api.js';
import { el, link } from '../dom.js';

const signs = { valid: '✓', invalid: '✕', kept: '…', recorded: '✓' } as const;

function host(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}

function outcome(posted: NonNullable<ScanResult['posted']>): string {
  if (posted.error !== undefined) return `no answer (${posted.error})`;
  return posted.http_status === undefined ? 'no answer' : `answered ${posted.http_status}`;
}

/** A page's words, read by a parser that runs no script and loads nothing. */
function wordsOf(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const unseen of body.querySelectorAll('script, style, template')) unseen.remove();
  return (body.textContent ?? '').replace(/\n\s*\n+/g, '\n').trim();
}

function content(shown: ScanResult['shown']): HTMLElement | undefined {
  const props = { class: 'result-text', 'data-test': 'scanner-text', 'data-as': shown.as };
  if (shown.as === 'address') {
    return el('div', props, el('small', {}, 'The device opens '), link(shown.text, {}, shown.text));
  }
  if (shown.as === 'page') {
    return el('div', props, el('small', {}, 'The device shows a page: '), el('p', {}, wordsOf(shown.text)));
  }
  return shown.text === '' ? undefined : el('p', props, shown.text);
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
    ),
    content(shown),
    barcode !== '' && el('div', { class: 'barcode result-barcode', 'data-test': 'scanner-barcode' }, barcode),
    posted &&
      el(
        'details',
        { class: 'posted', 'data-test': 'scanner-posted' },
        el('summary', {}, `Posted to ${host(posted.url)}, ${outcome(posted)}`),
        el('div', { class: 'barcode' }, posted.url),
        posted.body !== undefined && posted.body !== '' && el('pre', {}, posted.body),
      ),
  );
}
