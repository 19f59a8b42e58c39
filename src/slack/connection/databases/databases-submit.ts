/** The submission that saves the databases of lookups. */

import { code, textElement } from '../../block-kit/text.js';
import { record } from '../../bolt/audit.js';
import { type DatabaseNotes, databaseNotes } from '../../bolt/ids.js';
import { savingView } from '../../bolt/problem/loading.js';
import { noticeView } from '../../bolt/problem/notice.js';
import type { Acknowledged } from '../../bolt/routing/context.js';
import { modal } from '../../bolt/routing/listeners.js';

export const databasesSubmitted = modal('connect.databases', {
  role: 'manager',

  fields({ view }): Acknowledged<DatabaseNotes> {
    const chosen = databaseNotes.read(view.private_metadata);
    if (chosen.ids?.length === 0) {
      return { errors: { 'database.add': 'Choose at least one database.' } };
    }
    return { show: savingView('Choose databases'), input: chosen };
  },

  async run(context, { ids }) {
    const { deps, actor, modal } = context;
    await deps.store.workspaces.change(actor.owner, { lookupDatabases: ids });
    await record(context, { what: 'workspace/databases', detail: { databases: ids ?? 'all' } });
    await modal.show(
      noticeView('Saved', ids ? 'Lookups now search these databases.' : 'Lookups now search every database.', [
        textElement('Try '),
        code('/barcode'),
        textElement(' with one of your barcodes.'),
      ]),
    );
    await context.deps.connectionChanged(context);
  },
});
