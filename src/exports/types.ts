/**
 * An export: a job that writes scans, a database's values or the places in lists into a file, a part at a time, and
 * hands the file to the publisher. Where the file does not stay in Slack, its deletion is another job.
 */
import { z } from 'zod';
import type { Owner } from '../ownership.js';
import type { Place, PlaceList } from '../places/index.js';
import type { AnyPost } from '../posts/index.js';
import { scanQuery } from '../search/query.js';

const placeList = z.object({ id: z.string(), name: z.string() });

/**
 * The content of the file. For scans: those made from `from` until before `to`. They are read newest first: a scan that
 * arrives later is left out, if scans older than it were read already.
 */
export const exportWhat = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('scans'), query: scanQuery, zone: z.string(), from: z.number(), to: z.number() }),
  z.object({ kind: z.literal('values'), database: z.object({ id: z.string(), name: z.string() }) }),
  /** The number of people inside, by the minute: the figures of a list, no barcodes. */
  z.object({ kind: z.literal('inside'), list: placeList, zone: z.string() }),
  /** The people inside a list. `named`: its scans name them. */
  z.object({ kind: z.literal('roll_call'), list: placeList, zone: z.string(), named: z.boolean() }),
  /** The lent things that the requester may see in their role. `text`: part of a barcode, a name or a list's name. */
  z.object({
    kind: z.literal('out'),
    text: z.string(),
    zone: z.string(),
    role: z.enum(['everyone', 'manager', 'admin']),
  }),
]);

export type ExportWhat = z.output<typeof exportWhat>;

const dayMs = 24 * 60 * 60_000;
/** How long the file stays in Slack; undefined: until people delete it. */
export const staysMs: Readonly<Record<ExportWhat['kind'], number | undefined>> = {
  scans: undefined,
  values: undefined,
  inside: undefined,
  roll_call: dayMs,
  out: dayMs,
};

/** A barcode that is inside; `gate`: the device's name. */
export interface InsidePlace {
  readonly place: Place;
  readonly gate: string | undefined;
}

export interface OutPlace {
  readonly list: PlaceList;
  readonly place: Place;
  readonly holder: string | undefined;
  readonly isMine: boolean;
  readonly isOverdue: boolean;
}

/** The rows of lists with the names that Slack and the account give. `slack/export` implements it. */
export interface ExportRows {
  inside(list: PlaceList): Promise<readonly InsidePlace[]>;
  /** The lent things that the requester may see; `counting`: some may be missing, since scans are still being counted. */
  out(
    viewer: { readonly owner: Owner; readonly userId: string; readonly role: (ExportWhat & { kind: 'out' })['role'] },
    text: string,
  ): Promise<{ readonly things: readonly OutPlace[]; readonly counting: boolean }>;
}

/** The position where reading goes on, and facts on the rows read so far. */
export const exportPosition = z.object({
  /** The source of the rows, once reading began: the copy, or the account itself. */
  source: z.enum(['copy', 'account']).optional(),
  /** The time up to which scans are read: those made later are written already. */
  to: z.number().optional(),
  /** The position in the mirror's values. */
  after: z.object({ mirrorId: z.number(), round: z.number(), key: z.string() }).optional(),
  /** The position in the account's values. */
  end: z.object({ position: z.number(), last: z.array(z.string()).readonly() }).optional(),
  /** The time as of which the account's rows are known, by the first part. */
  asOf: z.number().optional(),
  /** The start of the copy's last full pass: scans deleted since then may be among the rows. */
  fullAt: z.number().optional(),
  /** The time from which the copy keeps scans. */
  since: z.number().optional(),
  /** Whether a cell among the rows is longer than one of an .xlsx file can be. */
  longCell: z.boolean().optional(),
  /** Whether so many values changed during the reading that some may be missing or there twice. */
  torn: z.boolean().optional(),
  /** The lists, by id, whose things of others are among the rows only because these lists show them to everyone. */
  ofOthers: z.array(z.string()).optional(),
  /** Whether a list was still counting scans, so that rows may be missing. */
  counting: z.boolean().optional(),
});

export type ExportPosition = z.output<typeof exportPosition>;

/** How the file is written. `exact`: as CSV, byte by byte. `spreadsheet`: as CSV for a spreadsheet, see `csv.ts`. */
const exportMode = z.enum(['xlsx', 'spreadsheet', 'exact']);
export type ExportMode = z.output<typeof exportMode>;

/** The file of an export. It is written while `content` is read. */
export interface ExportFile {
  readonly format: 'xlsx' | 'csv';
  readonly bytes: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/** What is stored of an export until it ends. */
export const exportState = z.object({
  /** Slack user id of the requester. */
  who: z.string(),
  /** The place that was requested for the file: a channel, or a person. */
  channel: z.string(),
  what: exportWhat,
  mode: exportMode,
  state: z.enum(['reading', 'uploading']),
  /** The time of the connection that the export reads. */
  connectedAt: z.number().optional(),
  /** About how many rows the file will have. */
  expected: z.number().optional(),
  position: exportPosition,
  /** The number of stored chunks; `bytes` is the size of the text in them. */
  chunks: z.number(),
  rows: z.number(),
  bytes: z.number(),
  /** The conversation in which the post and the file are; undefined: not chosen yet. */
  place: z.string().optional(),
  shownAt: z.number().optional(),
  /** The uploaded file, which nobody sees before it is shared. */
  fileId: z.string().optional(),
  /** The time of the first attempt to share the file. */
  sharedAt: z.number().optional(),
  /** When the file is deleted from Slack; undefined: it stays, or was not shared. */
  deleteAt: z.number().optional(),
});
export type ExportState = Readonly<z.output<typeof exportState>>;

export interface ExportRecord extends ExportState {
  readonly id: string;
  readonly owner: Owner;
  readonly createdAt: number;
}

export type NewExport = Pick<ExportRecord, 'owner' | 'who' | 'channel' | 'what' | 'mode' | 'expected'>;

/** Why a step of the export failed. `retry`: the same step may succeed later. `refused`: it never will. */
export type ExportRefusal =
  | { readonly outcome: 'retry'; readonly code: string; readonly afterMs?: number }
  | { readonly outcome: 'refused'; readonly code: string; readonly afterMs?: undefined };

/** The part of an ended export that stays: stored with its post. */
export const endedExport = z.object({
  id: z.string(),
  who: z.string(),
  channel: z.string(),
  place: z.string().optional(),
  what: exportWhat,
  rows: z.number(),
  /** The outcome: `done`, `cancelled`, or the error code of a failure. */
  outcome: z.string(),
});
export type EndedExport = z.output<typeof endedExport>;

/** A file in Slack that is to be deleted, and its export. */
export const sharedExport = z.object({ ended: endedExport, fileId: z.string() });

/** The message of an export as a publisher gets it. `gone`: the file's own message replaces it. */
export type ExportPost = AnyPost & { readonly kind: 'export' } & (
    | { readonly shows: 'progress'; readonly record: ExportRecord }
    | { readonly shows: 'ended'; readonly record: EndedExport }
    /** The file is elsewhere, since people of another organization read the channel. */
    | { readonly shows: 'moved'; readonly who: string }
    | { readonly shows: 'gone' }
  );

/** The notice to the requester, where the export's own message cannot show its outcome. */
export interface ExportNotice {
  readonly what: 'export_ended';
  readonly record: EndedExport;
}

/**
 * The file of an export in Slack. `slack/export` implements it; none of its functions throws, except for aborts and
 * bugs.
 */
export interface ExportFiles {
  /** The conversation for its post and the file as of now: not a channel that outsiders came to read. */
  place(record: ExportRecord): Promise<{ readonly channel: string } | ExportRefusal>;
  /** Uploads the file. Nobody sees it before it is shared. */
  upload(
    record: ExportRecord,
    file: ExportFile,
    signal: AbortSignal,
  ): Promise<{ readonly outcome: 'uploaded'; readonly fileId: string } | ExportRefusal>;
  /**
   * Shares the file, in the `place` of the answer; sharing it again finds that it is shared. `lost`: the file is gone,
   * and was not shared. `postedIn`: where the export's message is.
   */
  share(
    record: ExportRecord,
    postedIn: string | undefined,
  ): Promise<({ readonly outcome: 'shared' | 'lost' } | ExportRefusal) & { readonly place?: string }>;
  /** Deletes the file. Undefined: the file is gone, whoever deleted it. */
  remove(file: Pick<ExportRecord, 'owner' | 'fileId'>): Promise<ExportRefusal | undefined>;
}
