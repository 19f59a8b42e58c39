/** The count of scans that a device has stored but not sent, with the reason and a button to send them. */
import type { KeptScan } from '../../../codereadr/api.js';
import { el, pushButton } from '../dom.js';

function summary(scans: readonly KeptScan[]): string {
  const many = scans.length === 1 ? '1 scan is' : `${scans.length} scans are`;
  return scans.every((scan) => scan.why === 'not_uploaded')
    ? `${many} waiting to be uploaded.`
    : `${many} stored on this device.`;
}

export function drawUnsent(scans: readonly KeptScan[], upload: () => void): HTMLElement | undefined {
  if (scans.length === 0) return undefined;
  return el(
    'div',
    { class: 'kept-box', 'data-test': 'scanner-kept', 'data-count': String(scans.length) },
    el('span', {}, summary(scans)),
    pushButton({ class: 'button button-small', 'data-test': 'scanner-upload', onclick: upload }, 'Upload'),
  );
}
