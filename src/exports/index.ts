/** Exports: people request, cancel and erase them, and any process runs them in the background. */
import type { Accounts } from '../codereadr/types.js';
import { createIds } from '../database/ids.js';
import type { Jobs } from '../database/jobs/runner.js';
import type { Mirror } from '../mirror/index.js';
import type { Owner } from '../ownership.js';
import type { Places } from '../places/index.js';
import type { NoticeJobs } from '../posts/index.js';
import { deleteFinishedPosts } from '../posts/outbox/single-posts.js';
import { withdrawPosts } from '../posts/outbox/source-posts.js';
import type { ProcessDeps } from '../process.js';
import type { FindScansDeps } from '../search/find-scans.js';
import type { Store } from '../workspaces/types.js';
import { deleteChunks } from './chunks.js';
import { createEnds } from './ends.js';
import { defineExports, recordOf, unread } from './export-job.js';
import { createExportMaker } from './maker.js';
import { createPlacesReader } from './read-places.js';
import { createScanReader } from './read-scans.js';
import { createValueReader } from './read-values.js';
import type { ExportFiles, ExportRecord, ExportRows, NewExport } from './types.js';

export { eraseExports, sweepChunks } from './chunks.js';
export { shortened } from './csv.js';
export { formatOf } from './export-file.js';
export type {
  EndedExport,
  ExportFile,
  ExportFiles,
  ExportMode,
  ExportNotice,
  ExportPost,
  ExportRecord,
  ExportRefusal,
  ExportRows,
  ExportWhat,
  InsidePlace,
  NewExport,
} from './types.js';

const mostOpen = 10;

export function createExports(
  deps: ProcessDeps & {
    readonly store: Store;
    readonly accounts: Accounts;
    readonly jobs: Jobs;
    readonly files: ExportFiles;
    readonly notices: NoticeJobs;
    /** Called when the outbox has a new or changed post of an export. */
    readonly onPosts: () => void;
    readonly places: Pick<Places, 'lists' | 'minutes'>;
    readonly rows: ExportRows;
    readonly scans: FindScansDeps['scans'];
    readonly relays?: FindScansDeps['relays'];
    /** The mirror to export from; undefined: the account is read itself. */
    readonly mirror?: Pick<Mirror, 'scansCopy' | 'valuePage'> | undefined;
  },
) {
  const { store, clock } = deps;
  const placesReader = createPlacesReader(deps);
  const lists = { inside: placesReader, roll_call: placesReader, out: placesReader };
  const readers = { scans: createScanReader(deps), values: createValueReader(deps), ...lists };
  const ends = createEnds(deps);
  const jobs = defineExports({ ...deps, ends, readers });
  const makeId = createIds(clock, deps.random);

  /** The deletion of a file that is on its way to Slack, and does not stay there, as soon as it is there. */
  const hastened = ({ sharedAt, deleteAt }: ExportRecord) =>
    sharedAt === undefined || deleteAt === undefined
      ? undefined
      : { dueAt: clock.now(), change: { deleteAt: clock.now() } };

  const exports = {
    /** Requests an export; returns at once. `too_many`: the workspace has too many under way. */
    async request({ owner, ...input }: NewExport): Promise<{ readonly id: string } | 'too_many'> {
      if ((await jobs.list(owner)).length >= mostOpen) {
        return 'too_many';
      }
      const id = makeId();
      const connectedAt = (await store.workspaces.connection(owner))?.connectedAt;
      await jobs.put(owner, id, { ...unread, ...input, connectedAt });
      return { id };
    },
    /** The export with an id; undefined: it ended, or was erased. */
    async find(owner: Owner, id: string): Promise<ExportRecord | undefined> {
      const job = await jobs.find(owner, id);
      return job && recordOf(job);
    },
    /** Ends an export; false: it ended before, or its file is on its way. */
    cancel: ({ owner, id }: Pick<ExportRecord, 'owner' | 'id'>, outcome = 'cancelled'): Promise<boolean> =>
      jobs.change(owner, id, (job) =>
        job.state.sharedAt === undefined ? ends.end(recordOf(job), outcome) : undefined,
      ),
    /**
     * Called once a barcode is forgotten, since exports may hold it: open ones begin again, except those whose file may
     * be in Slack; files that do not stay there, and posts of ended exports, are deleted.
     */
    async restart(owner: Owner): Promise<void> {
      for (const { key } of await jobs.list(owner)) {
        await jobs.change(owner, key, (job) =>
          job.state.sharedAt === undefined
            ? {
                dueAt: clock.now(),
                change: unread,
                work: (trx) => trx.deleteFrom('export_chunks').where('export_id', '=', key).execute(),
              }
            : hastened(recordOf(job)),
        );
      }
      await ends.deleteFiles(owner);
      await deleteFinishedPosts(store.db, { owner, kind: 'export' });
    },
    /** Deletes all exports of the owner; those whose files do not stay in Slack together with the files. */
    async erase(owner: Owner): Promise<void> {
      for (const { key: id } of await jobs.list(owner)) {
        const posts = { owner, source: { kind: 'export' as const, id } };
        await jobs.change(
          owner,
          id,
          (job) =>
            hastened(recordOf(job)) ?? {
              work: (trx) => withdrawPosts(trx, posts, 'export.erased', clock.now()),
              after: () => deleteChunks(store.db, id),
            },
        );
      }
      await ends.deleteFiles(owner);
    },
  };

  return { ...exports, maker: createExportMaker({ ...deps, exports }) };
}

export type Exports = ReturnType<typeof createExports>;
