/** The list of migrations, in the order of their names. One that landed never changes: the next one corrects it. */
import { schema } from './001-schema.js';
import { editBudgets } from './002-edit-budgets.js';
import { postSources } from './003-post-sources.js';
import { reportPosts } from './004-report-posts.js';
import { exactValues } from './005-exact-values.js';
import { fewerIndexes } from './006-fewer-indexes.js';
import { noticePosts } from './007-notice-posts.js';
import { callBudgets } from './008-call-budgets.js';
import { exportPosts } from './009-export-posts.js';
import { heldSources } from './010-held-sources.js';
import { places } from './011-places.js';
import { noRelayIndex } from './012-no-relay-index.js';
import { placeBoards } from './013-place-boards.js';
import { custody } from './014-custody.js';
import { deletedFiles } from './015-deleted-files.js';
import { incidentsByRule } from './016-incidents-by-rule.js';
import { markedKeys } from './017-marked-keys.js';
import { relayRefusals } from './018-relay-refusals.js';
import { placeCounts } from './019-place-counts.js';
import { noHeads } from './020-no-heads.js';
import { alertMemory } from './021-alert-memory.js';
import { loanMoments } from './022-loans.js';
import { scanKinds } from './023-scan-kinds.js';
import { thingNames } from './024-thing-names.js';
import { reminders } from './025-reminders.js';
import { serviceStates } from './026-service-states.js';
import { jobs } from './027-jobs.js';
import { exportJobs } from './028-export-jobs.js';
import { reportJobs } from './029-report-jobs.js';
import type { MigrationFor } from './migration.js';

export const migrations: Readonly<Record<string, MigrationFor>> = {
  '001-schema': schema,
  '002-edit-budgets': editBudgets,
  '003-post-sources': postSources,
  '004-report-posts': reportPosts,
  '005-exact-values': exactValues,
  '006-fewer-indexes': fewerIndexes,
  '007-notice-posts': noticePosts,
  '008-call-budgets': callBudgets,
  '009-export-posts': exportPosts,
  '010-held-sources': heldSources,
  '011-places': places,
  '012-no-relay-index': noRelayIndex,
  '013-place-boards': placeBoards,
  '014-custody': custody,
  '015-deleted-files': deletedFiles,
  '016-incidents-by-rule': incidentsByRule,
  '017-marked-keys': markedKeys,
  '018-relay-refusals': relayRefusals,
  '019-place-counts': placeCounts,
  '020-no-heads': noHeads,
  '021-alert-memory': alertMemory,
  '022-loans': loanMoments,
  '023-scan-kinds': scanKinds,
  '024-thing-names': thingNames,
  '025-reminders': reminders,
  '026-service-states': serviceStates,
  '027-jobs': jobs,
  '028-export-jobs': exportJobs,
  '029-report-jobs': reportJobs,
};
