/**
 * Owns what happens when the choice of databases is saved.
 */
import { record } from '../../audit.js';
import { savingView } from '../../blocks/loading.js';
import { noticeView } from '../../blocks/notice.js';
import { code, textElement } from '../../blocks/text.js';
import type { ViewHandler } from '../../context.js';
import { refreshHome } from '../../home.js';
import { blockIds, type DatabaseNotes, databaseNotes } from '../../ids.js';

export const databasesSubmitted: ViewHandler<DatabaseNotes> = {
  who: 'manager',

  acknowledge({ view }) {
    const chosen = databaseNotes.read(view.private_metadata);
    if (chosen.ids?.length === 0) {
      return { errors: { [blockIds.databaseAdd]: 'Choose at least one database.' } };
    }
    return { show: savingView('Databases to ask'), input: chosen };
  },

  async run(context, { ids }) {
    const { deps, asker, window } = context;
    await deps.store.workspaces.change(asker.owner, { lookupDatabases: ids });
    await record(context, { what: 'workspace/databases', detail: { databases: ids ?? 'all' } });
    await window.show(
      noticeView('Saved', ids ? 'Lookups ask these databases from now on.' : 'Lookups ask every database.', [
        textElement('Try '),
        code('/barcode'),
        textElement(' with one of your barcodes.'),
      ]),
    );
    await refreshHome(context);
  },
};
