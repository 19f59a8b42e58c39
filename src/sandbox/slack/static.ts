/** Static files of the built page; nothing outside its folder is served. */
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { send } from './http.js';

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  map: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
};

/** The Content-Security-Policy: the page loads only its own files and connects to no other origin. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The built page, whether this runs from the flat build or from the sources. */
export const builtPage = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../dist/page/' : './page/', import.meta.url),
);

/** `path` is relative to the page's folder; each of its parts must be a plain name, so that it stays in the folder. */
export async function sendPageFile(res: ServerResponse, folder: string, path: string): Promise<void> {
  const type = types[/\.([a-z]+)$/.exec(path)?.[1] ?? ''];
  if (type === undefined || !/^([A-Za-z0-9_-][A-Za-z0-9_.-]*\/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*$/.test(path)) {
    send(res, 404, 'text/plain; charset=utf-8', 'Not found.');
    return;
  }
  try {
    send(res, 200, type, await readFile(join(folder, path)), {
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
    });
  } catch {
    send(res, 404, 'text/plain; charset=utf-8', 'Not found. Has the page been built (npm run build)?');
  }
}
