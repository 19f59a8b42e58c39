/**
 * Owns files that people give in a form, on their way from Slack to the account: streamed with the app's token, in pieces.
 * Refuses to show the token to any host but Slack's, to follow a redirect, and to hold a file whole.
 */
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Clock } from '../../../clock.js';
import type { Config } from '../../../config.js';
import { ScandeskError } from '../../../errors.js';
import type { GivenFile } from '../form/held.js';

export type FileErrorCode = 'form.file_foreign' | 'form.file_unreadable' | 'form.file_too_large' | 'form.file_no_text';

/** `say`: for the person, one sentence. */
export class FileError extends ScandeskError {
  declare readonly code: FileErrorCode;
  constructor(
    code: FileErrorCode,
    readonly say: string,
    cause?: unknown,
  ) {
    super(code, say, { cause });
  }
}

/** A text that takes the place of an input: a page, a configuration. Our limit: its list has to be read again in one go. */
export const largestTextFile = 200_000;

const firstAnswerMs = 10_000;
const wholeFileMs = 300_000;

export interface FileSource {
  readonly client: WebClient;
  readonly config: Pick<Config, 'SLACK_API_URL'>;
  readonly clock: Clock;
}

export interface OpenedFile {
  /** What breaks on the way is thrown by the iteration. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Lets go of what was not read. */
  close(): void;
}

/**
 * The file's bytes in pieces, once Slack has answered.
 * @throws FileError
 */
export async function openFile(source: FileSource, file: GivenFile, maxBytes: number): Promise<OpenedFile> {
  const url = file.url === '' ? await addressOf(source.client, file) : file.url;
  if (!isSlacks(url, source.config)) {
    throw new FileError(
      'form.file_foreign',
      'The file does not lie at Slack, so Scandesk does not fetch it. Upload it here.',
    );
  }
  const stop = new AbortController();
  const response = await ask(url, source, stop);
  const isPage = /^text\/html\b/i.test(response.headers.get('content-type') ?? '') && !/html/i.test(file.type);
  if (response.status !== 200 || isPage || response.body === null) {
    stop.abort();
    throw new FileError(
      'form.file_unreadable',
      'Slack would not hand the file over. Upload it again; if that does not help, an admin has to install Scandesk again.',
    );
  }
  return { pieces: bounded(response.body, maxBytes), close: () => stop.abort() };
}

/** @throws FileError */
export async function readText(source: FileSource, file: GivenFile): Promise<string> {
  const pieces: Uint8Array[] = [];
  const opened = await openFile(source, file, largestTextFile);
  for await (const piece of opened.pieces) {
    pieces.push(piece);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces));
  } catch (cause) {
    throw new FileError(
      'form.file_no_text',
      'The file is not a text in UTF-8. Save it as plain text, and give it again.',
      cause,
    );
  }
}

/** Whether the app's token may go there. */
export function isSlacks(url: string, { SLACK_API_URL }: Pick<Config, 'SLACK_API_URL'>): boolean {
  if (!URL.canParse(url)) {
    return false;
  }
  const { protocol, hostname, origin, port } = new URL(url);
  const isSlack = /(^|\.)slack(-gov)?\.com$/.test(hostname) && protocol === 'https:' && port === '';
  return isSlack || origin === new URL(SLACK_API_URL).origin;
}

export function tooLarge(bytes: number, maxBytes: number): string {
  return `The file is too large: ${inMegabytes(bytes)}, and Scandesk takes at most ${inMegabytes(maxBytes)}.`;
}

export function inMegabytes(bytes: number): string {
  return bytes < 100_000
    ? `${Math.max(1, Math.ceil(bytes / 1000)).toLocaleString('en-US')} KB`
    : `${(bytes / 1_000_000).toFixed(bytes % 1_000_000 === 0 ? 0 : 1)} MB`;
}

/** Calls back with the bytes that went by, piece by piece. */
export async function* counted(
  pieces: AsyncIterable<Uint8Array>,
  told: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of pieces) {
    yield piece;
    bytes += piece.byteLength;
    told(bytes);
  }
}

async function ask(url: string, { client, clock }: FileSource, stop: AbortController): Promise<Response> {
  const answered = new AbortController();
  clock.sleep(firstAnswerMs, answered.signal).then(
    () => stop.abort(new Error('no answer in time')),
    () => {},
  );
  try {
    return await fetch(url, {
      headers: { authorization: `Bearer ${client.token ?? ''}` },
      // Whoever may not read a file is sent to a page to log in; the token must not go along.
      redirect: 'manual',
      signal: AbortSignal.any([stop.signal, AbortSignal.timeout(wholeFileMs)]),
    });
  } catch (cause) {
    throw new FileError('form.file_unreadable', 'Slack did not hand the file over. Try again in a minute.', cause);
  } finally {
    answered.abort();
  }
}

async function* bounded(pieces: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    if (bytes > maxBytes) {
      throw new FileError('form.file_too_large', tooLarge(bytes, maxBytes));
    }
    yield piece;
  }
}

const info = z.object({ file: z.object({ url_private: z.string() }) });

/** Files from elsewhere come without their address. */
async function addressOf(client: WebClient, { id }: GivenFile): Promise<string> {
  try {
    return info.parse(await client.files.info({ file: id })).file.url_private;
  } catch (cause) {
    throw new FileError('form.file_unreadable', 'Slack would not hand the file over. Upload it here again.', cause);
  }
}
