/** Exports: people request, cancel and erase them, and any process works on them in the background. */
import { steadyNow } from '../clock.js';
import type { Accounts } from '../codereadr/types.js';
import { createIds } from '../database/ids.js';
import { codeOf } from '../errors.js';
import type { Mirror } from '../mirror/index.js';
import type { Owner } from '../ownership.js';
import type { Places } from '../places/index.js';
import { createPoller } from '../poller.js';
import type { NoticeJobs } from '../posts/index.js';
import type { ProcessDeps } from '../process.js';
import type { FindScansDeps } from '../search/find-scans.js';
import type { Store } from '../workspaces/types.js';
import { sweepChunks } from './chunks.js';
import { createExportTable } from './export-rows.js';
import { createExportMaker } from './maker.js';
import { createPlacesReader } from './read-places.js';
import { createScanReader } from './read-scans.js';
import { createValueReader } from './read-values.js';
import { createStep } from './step.js';
import type { ExportFiles, ExportRecord, ExportRows, NewExport } from './types.js';

export { eraseExports } from './chunks.js';
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

const pollEveryMs = 5_000;
const leaseMs = 30_000;
/** The bounds of the pause after a step, which is as long as the step took: people's work comes first. */
const leastPauseMs = 20;
const longestPauseMs = 1_000;
const mostOpen = 10;

export function createExports(
  deps: ProcessDeps & {
    readonly store: Store;
    readonly accounts: Accounts;
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
  const { store, clock, log } = deps;
  const table = createExportTable(store);
  const placesReader = createPlacesReader(deps);
  const lists = { inside: placesReader, roll_call: placesReader, out: placesReader };
  const runStep = createStep({
    ...deps,
    table,
    readers: { scans: createScanReader(deps), values: createValueReader(deps), ...lists },
  });
  const makeId = createIds(clock, deps.random);
  const claim = () => ({ worker: deps.instanceId, until: clock.now() + leaseMs });
  let swept = false;

  /** Works on one export; false: none is due. */
  const workOne = async (stopping: AbortSignal): Promise<boolean> => {
    // The query takes no lock: mostly no export is due.
    const record = (await table.hasDue(clock.now())) ? await table.claim(claim(), clock.now()) : undefined;
    if (!record) {
      return false;
    }
    const began = steadyNow(clock);
    let dueAt = clock.now();
    try {
      dueAt = await runStep({ record, claim, signal: stopping });
    } finally {
      await table.release(claim(), record, { now: clock.now(), dueAt });
    }
    const pause = Math.max(leastPauseMs, Math.min(longestPauseMs, steadyNow(clock) - began));
    await clock.sleep(pause, stopping).catch(() => undefined);
    return true;
  };

  const poller = createPoller({
    clock,
    everyMs: pollEveryMs,
    untilDue: async () => {
      const at = await table.nextDue();
      // A due export already waits for another one, or another process works on it.
      return at === undefined || at <= clock.now() ? undefined : at - clock.now();
    },
    async poll(stopping) {
      if (!swept) {
        await sweepChunks(store.db);
        swept = true;
      }
      while (!stopping.aborted && (await workOne(stopping))) {}
    },
    onFailure: (error) => log.error({ err: error, code: codeOf(error) }, 'exports could not be worked'),
  });

  return {
    ...poller,
    maker: createExportMaker({ ...deps, table }),
    /** Requests an export; returns at once. `too_many`: the workspace has too many under way. */
    async request(input: NewExport): Promise<{ readonly id: string } | 'too_many'> {
      if ((await table.open(input.owner)) >= mostOpen) {
        return 'too_many';
      }
      const id = makeId();
      const connectedAt = (await store.workspaces.connection(input.owner))?.connectedAt;
      await table.create(id, input, { now: clock.now(), connectedAt });
      poller.wake();
      return { id };
    },
    /** The export with an id; undefined: it is concluded or erased. */
    find: table.find,
    /** Cancels an export; false: it ended before, or its file is on its way. */
    async cancel(record: ExportRecord): Promise<boolean> {
      const ended = await table.end(record, 'cancelled', clock.now());
      deps.onPosts();
      poller.wake();
      return ended;
    },
    /** Called once a barcode is forgotten: open exports begin again, files that do not stay in Slack are deleted. */
    async restart(owner: Owner): Promise<void> {
      await table.restart(owner, clock.now());
      poller.wake();
    },
    /** Deletes all exports of the owner. */
    async erase(owner: Owner): Promise<void> {
      await table.erase(owner, clock.now());
      poller.wake();
    },
  };
}

export type Exports = ReturnType<typeof createExports>;
