/** The modal of *All scans* and *Older scans*: a barcode's scans, page by page. A modal can hold more than a card's message. */
import { z } from 'zod';
import type { ScanPage } from '../../lookup/index.js';
import { pageSize } from '../../lookup/index.js';
import { actions, type Block, button, context, type ModalView, modalView } from '../block-kit/elements.js';
import { defaultScanLimits, scanLines, summaryLine } from '../block-kit/scan-rows.js';
import { barcodeElement, mrkdwnMomentAfter, richText } from '../block-kit/text.js';
import { encode, longest } from '../bolt/metadata.js';
import type { ActorContext } from '../bolt/routing/context.js';
import { opener } from '../bolt/routing/listeners.js';
import { findOfAccount } from '../connection/account.js';
import { type CardData, callsLeftLine, cardData } from './card/card.js';
import { lookupRecords } from './record-store.js';

const pageData = cardData.pick({ value: true, spellings: true, kept: true }).extend({ page: z.number().int().min(0) });

const scansTitle = 'Scans of this barcode';

/** The view of a page of scans. `pageValue`: the value of a button to another page. */
export function scansView(page: ScanPage, pageValue: (page: number) => string): ModalView {
  const start = page.page * pageSize + 1;
  const end = start + page.scans.length - 1;
  const turns = [
    ...(page.page > 0 ? [button('← Newer', 'lookup.newer', { value: pageValue(page.page - 1) })] : []),
    ...(page.older ? [button('Older →', 'lookup.older', { value: pageValue(page.page + 1) })] : []),
  ];
  const pageText =
    page.scans.length > 0 ? [`Scans ${start} to ${end}, newest first.`] : page.page > 0 ? ['No older scans.'] : [];
  const callsLeftText = callsLeftLine(page.callsLeft, 1);
  const blocks: Block[] = [
    richText(['Barcode ', barcodeElement(page.value)]),
    richText(summaryLine(page.summary)),
    ...(page.scans.length > 0 ? [scanLines(page.scans, page.value, defaultScanLimits)] : []),
    context([...pageText, mrkdwnMomentAfter('As of ', page.asOf)].join(' ')),
    ...(page.endless ? [context('Older scans are not shown here.')] : []),
    ...(callsLeftText ? [context(callsLeftText)] : []),
    ...(turns.length > 0 ? [actions(turns)] : []),
  ];
  return modalView(scansTitle, blocks, { callback_id: 'lookup.scans' });
}

/**
 * A page of a card's scans, at least as recent as the scans on the card.
 * @throws SlackError `slack.other_account`, `slack.not_connected`; AccountError
 */
export async function scansOfCard(
  { deps, actor }: Pick<ActorContext, 'deps' | 'actor'>,
  { value, spellings, kept }: CardData,
  page: number,
): Promise<ScanPage> {
  const card = kept === undefined ? undefined : await findOfAccount(deps, actor.owner, lookupRecords, kept);
  const history = card?.lookup.history;
  const notBefore = history?.kind === 'read' ? history.at : undefined;
  return await deps.lookups.moreScans(actor.owner, value, page, { spellings, notBefore });
}

async function loadScans(context: ActorContext, card: CardData, page: number) {
  const { value, spellings, kept } = card;
  const scans = await scansOfCard(context, card, page);
  return scansView(scans, (other) => encode(pageData, { value, spellings, kept, page: other }, longest.button));
}

export const lookupScans = opener('lookup.scans', {
  role: 'everyone',
  data: cardData,
  push: true,
  modalTitle: scansTitle,
  view: (context) => loadScans(context, context.data, 0),
});

/** *Newer* and *Older* in the modal. */
export const lookupPage = opener(['lookup.newer', 'lookup.older'], {
  role: 'everyone',
  data: pageData,
  modalTitle: scansTitle,
  view: (context) => loadScans(context, context.data, context.data.page),
});
