/** The *More scans* modal: a barcode's scans, page by page. A modal can hold more than a card's message. */

import type { ScanPage } from '../../lookup/index.js';
import { pageSize } from '../../lookup/index.js';
import { actions, type Block, button, context, type ModalView, modalView } from '../block-kit/elements.js';
import { defaultScanLimits, scanLines, summaryLine } from '../block-kit/scan-rows.js';
import { barcodeElement, richText, textElement } from '../block-kit/text.js';
import type { ActionContext } from '../bolt/routing/context.js';
import { action } from '../bolt/routing/listeners.js';
import { modalOf } from '../bolt/routing/origin.js';
import { callsLeftLine } from '../connection/calls-left.js';
import { type Barcode, cardMetadata, scansPageMetadata } from './service.js';

const scansTitle = 'Scans of this barcode';

/** `pageValue`: metadata of a paging button. */
export function scansView(page: ScanPage, pageValue: (page: number) => string): ModalView {
  const first = page.page * pageSize + 1;
  const last = first + page.scans.length - 1;
  const turns = [
    ...(page.page > 0 ? [button('← Newer', 'lookup.newer', { value: pageValue(page.page - 1) })] : []),
    ...(page.older ? [button('Older →', 'lookup.older', { value: pageValue(page.page + 1) })] : []),
  ];
  const left = callsLeftLine(page.callsLeft, 1);
  const blocks: Block[] = [
    richText([textElement('Barcode '), barcodeElement(page.value)]),
    richText(summaryLine(page.summary)),
    ...(page.scans.length > 0
      ? [scanLines(page.scans, page.value, defaultScanLimits), context(`Scans ${first} to ${last}, newest first.`)]
      : page.page > 0
        ? [context('No older scans.')]
        : []),
    ...(page.endless ? [context('Older scans are not shown here.')] : []),
    ...(left ? [context(left)] : []),
    ...(turns.length > 0 ? [actions(turns)] : []),
  ];
  return modalView(scansTitle, blocks, { callback_id: 'lookup.scans' });
}

async function loadScans({ deps, actor }: ActionContext, barcode: Barcode, page: number) {
  const scans = await deps.lookups.scans(actor.owner, barcode, page);
  return scansView(scans, (other) => scansPageMetadata.write({ ...barcode, page: other }));
}

const carried = (action: ActionContext['action']) => ('value' in action ? action.value : undefined);

export const lookupScans = action('lookup.scans', {
  role: 'everyone',
  modalTitle: scansTitle,
  async run(context) {
    const { kept: _, ...barcode } = cardMetadata.read(carried(context.action));
    await context.modal.fill(scansTitle, () => loadScans(context, barcode, 0));
  },
});

/** *Newer* and *Older* in that modal. */
export const lookupPage = action(['lookup.newer', 'lookup.older'], {
  role: 'everyone',
  modalTitle: scansTitle,
  async run(context) {
    const { page, ...barcode } = scansPageMetadata.read(carried(context.action));
    await modalOf(context).fill(scansTitle, () => loadScans(context, barcode, page));
  },
});
