/** Picture formats: detected by content when reading, chosen by name when writing. */
import { type Bitmap, PictureError } from './bitmap.js';
import { decodeGif, encodeGif } from './gif.js';
import { decodeJpeg } from './jpeg-decode.js';
import { encodeJpeg } from './jpeg-encode.js';
import { decodePng, encodePng } from './png.js';

export type FileType = 'GIF' | 'JPG' | 'PNG';

/** @throws PictureError */
export function decodePicture(bytes: Buffer): Bitmap {
  if (bytes[0] === 0x89) return decodePng(bytes);
  if (bytes[0] === 0x47) return decodeGif(bytes);
  if (bytes[0] === 0xff) return decodeJpeg(bytes);
  throw new PictureError('no GIF, JPG or PNG');
}

export function encodePicture(
  bitmap: Bitmap,
  type: FileType,
): { type: 'image/gif' | 'image/jpeg' | 'image/png'; bytes: Uint8Array } {
  if (type === 'PNG') return { type: 'image/png', bytes: encodePng(bitmap) };
  if (type === 'JPG') return { type: 'image/jpeg', bytes: encodeJpeg(bitmap) };
  return { type: 'image/gif', bytes: encodeGif(bitmap) };
}
