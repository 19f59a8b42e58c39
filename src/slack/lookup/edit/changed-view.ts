/** The modal after an edit from a card: the change, and the barcode's present state. Pure. */
import { type ModalView, modalView } from '../../block-kit/elements.js';
import { noticeBlocks, type ViewNotice } from '../../block-kit/notice.js';
import { lookupCard } from '../card/card.js';
import type { Card } from '../record-store.js';

export function changedView(title: string, notice: ViewNotice, { lookup, change }: Card, now: number): ModalView {
  const blocks = [...noticeBlocks(notice), ...lookupCard(lookup, { change, now }).blocks];
  return modalView(title, blocks, { callback_id: 'notice', close: 'Done' });
}
