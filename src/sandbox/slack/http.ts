/** HTTP bodies, which are bounded (in a multipart form each field and the file), and responses; nothing of Slack. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { ScandeskError } from '../../errors.js';

/** The most bytes of a file. Slack takes files of up to 1 GB; the demo needs none larger than this. */
export const largestFile = 30_000_000;
export const largestBody = 2_000_000;

export class BodyTooLarge extends ScandeskError {
  constructor() {
    super('sandbox.body_too_large', 'the request body is too large');
  }
}

/** The body does not parse as its content type; the parser's message is the cause. */
export class BodyBroken extends ScandeskError {
  constructor(cause: unknown) {
    super('sandbox.body_broken', 'the request body is broken', { cause });
  }
}

export async function readBody(req: IncomingMessage, maxBytes = largestBody): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of req as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > maxBytes) {
      throw new BodyTooLarge();
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

export function contentType(req: IncomingMessage): string {
  return (req.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
}

export interface Upload {
  readonly fields: Readonly<Record<string, string>>;
  readonly file?: { readonly name: string; readonly mimetype: string; readonly content: Buffer };
}

/** Reads one file and its form fields. */
export function readMultipart(req: IncomingMessage): Promise<Upload> {
  return new Promise((resolve, fail) => {
    const fields: Record<string, string> = {};
    let file: Upload['file'];
    let parser: BusboyInstance;
    try {
      parser = new Busboy({
        headers: req.headers as BusboyHeaders,
        limits: { files: 1, fileSize: largestFile },
      });
    } catch (error) {
      fail(new BodyBroken(error));
      return;
    }
    parser.on('field', (name, value) => {
      fields[name] = value;
    });
    parser.on('file', (_field, stream, name, _encoding, mimetype) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      // A form that breaks off also emits an error on the file's stream; an error without a listener ends the process.
      stream.on('error', (error) => fail(new BodyBroken(error)));
      stream.on('limit', () => fail(new BodyTooLarge()));
      stream.on('end', () => {
        file = { name: name ?? '', mimetype, content: Buffer.concat(parts) };
      });
    });
    parser.on('error', (error) => fail(new BodyBroken(error)));
    req.on('error', (error) => fail(new BodyBroken(error)));
    parser.on('finish', () => resolve(file === undefined ? { fields } : { fields, file }));
    req.pipe(parser);
  });
}

export function sendJson(
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  send(res, status, 'application/json; charset=utf-8', JSON.stringify(body), headers);
}

export function send(
  res: ServerResponse,
  status: number,
  type: string,
  body: string | Buffer,
  headers: Record<string, string> = {},
): void {
  if (res.headersSent || res.destroyed) {
    return;
  }
  res.writeHead(status, {
    'content-type': type,
    'content-length': String(Buffer.byteLength(body)),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...headers,
  });
  res.end(body);
}

/** The address that the caller used, for URLs in responses. */
export function originOf(req: IncomingMessage): string {
  return `http://${req.headers.host ?? 'localhost'}`;
}
