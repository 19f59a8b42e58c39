/** Draws what a device shows after a scan, large enough for a gate, and in small what was posted where. */
import type { ScanResult } from '../../../account/api.js';
import { el } from '../dom.js';

const signs = { valid: '✓', invalid: '✕', kept: '…', recorded: '✓' } as const;

/** Where it went without the secret in the path. */
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

export function drawResult(result: ScanResult, barcode: string): HTMLElement {
  const { kind, title, text } = result.shown;
  const { posted } = result;
  return el(
    'div',
    { class: `result result-${kind}`, 'data-test': 'scanner-result', 'data-kind': kind },
    el(
      'div',
      { class: 'result-head' },
      el('span', { class: 'result-sign', 'aria-hidden': 'true' }, signs[kind]),
      el('strong', { 'data-test': 'scanner-title' }, title),
    ),
    text !== '' && el('p', { class: 'result-text', 'data-test': 'scanner-text' }, text),
    barcode !== '' && el('div', { class: 'barcode result-barcode' }, barcode),
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
