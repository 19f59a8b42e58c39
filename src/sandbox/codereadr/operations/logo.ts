/** The logo of a barcode: a file or a URL. A download is bounded in size and time, and follows no redirect. */
import { readFile } from 'node:fs/promises';
import { Refusal } from '../answer/refusal.js';
import type { Bitmap } from '../drawing/bitmap.js';
import { decodePicture, PictureError } from '../drawing/picture.js';
import type { Call } from './operation.js';

const mostBytes = 2_000_000;
const timeoutMs = 5_000;

/** The logo in a call. @throws Refusal 50, 104, 105 */
export async function readLogo({ variables, files }: Pick<Call, 'variables' | 'files'>): Promise<Bitmap | undefined> {
  const file = files.get('logo');
  if (file) {
    if (file.isTruncated || file.bytes > mostBytes) throw new Refusal('105');
    if (file.bytes === 0) throw new Refusal('104');
    return decoded(await readFile(file.path));
  }
  const url = variables.filter('logo');
  return url === undefined ? undefined : decoded(await fetchLogo(url));
}

/** Fetches a logo. The reference does not say with which code to refuse a failed fetch *(guess)*. */
async function fetchLogo(url: string): Promise<Buffer> {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw new Refusal('104', '(logo)');
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok || response.body === null)
      throw new Refusal('104', '(logo: the address does not answer with one)');
    for await (const piece of response.body) {
      bytes += piece.byteLength;
      if (bytes > mostBytes) throw new Refusal('105');
      pieces.push(piece);
    }
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal('104', '(logo: the address does not answer)');
  }
  if (bytes === 0) throw new Refusal('104');
  return Buffer.concat(pieces);
}

async function decoded(bytes: Buffer): Promise<Bitmap> {
  try {
    return await decodePicture(bytes);
  } catch (error) {
    if (error instanceof PictureError) throw new Refusal('50', `The logo cannot be read: ${error.message}.`);
    throw error;
  }
}
