/** Owns what happens when something is searched in a list. */
import { longestBarcode } from '../../barcode-text.js';
import { loadingView } from '../../blocks/loading.js';
import type { ViewHandler } from '../../context.js';
import { textIn } from '../../form-state.js';
import { actionIds, blockIds } from '../../ids.js';
import { type ListNotes, listNotes, listTitles, listWindow, queryIn } from '../../lists/index.js';

export const listSearched: ViewHandler<ListNotes> = {
  who: 'everyone',

  acknowledge({ view }) {
    const { page: _, end: __, ...notes } = listNotes.read(view.private_metadata);
    const block = Object.keys(view.state.values).find((id) => id.startsWith(blockIds.listQuery)) ?? '';
    const query = queryIn(notes.list, textIn(view, block, actionIds.listQuery));
    if (query === 'too_long') {
      return { errors: { [block]: `A barcode has ${longestBarcode} characters at most.` } };
    }
    return { show: loadingView(listTitles[notes.list], 'Looking…'), input: { ...notes, query } };
  },

  async run(context, notes) {
    await context.window.show(await listWindow(context, notes));
  },
};
