/** Picture formats, read and written by sharp: detected by content when reading, chosen by name when writing. */
import sharp from 'sharp';
import type { Bitmap } from './bitmap.js';

export type FileType = 'GIF' | 'JPG' | 'PNG';

/** A picture that cannot be decoded: broken, too large, or of an unknown format. */
export class PictureError extends Error {}

/** The most pixels of a picture: a small file may claim to be a huge one. */
const mostPixels = 4_000_000;

/** First bytes of the formats that are read: sharp knows others too, such as SVG. */
const signatures = ['\x89PNG', 'GIF8', '\xff\xd8\xff'];

/** Decodes a picture. @throws PictureError */
export async function decodePicture(bytes: Uint8Array): Promise<Bitmap> {
  const start = Buffer.from(bytes.subarray(0, 4)).toString('latin1');
  if (!signatures.some((signature) => start.startsWith(signature))) {
    throw new PictureError('no GIF, JPG or PNG');
  }
  try {
    const image = sharp(bytes, { limitInputPixels: mostPixels, pages: 1 });
    const { data, info } = await image.toColourspace('srgb').ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, pixels: data };
  } catch (error) {
    throw new PictureError('broken, or larger than 4 million pixels', { cause: error });
  }
}

export async function encodePicture(
  { width, height, pixels }: Bitmap,
  type: FileType,
): Promise<{ type: 'image/gif' | 'image/jpeg' | 'image/png'; bytes: Buffer }> {
  const image = sharp(pixels, { raw: { width, height, channels: 4 } });
  switch (type) {
    case 'PNG':
      return { type: 'image/png', bytes: await image.png().toBuffer() };
    case 'JPG':
      // Pictures are written at full colour resolution: the edges of a symbol stay sharp.
      return {
        type: 'image/jpeg',
        bytes: await image.flatten({ background: '#fff' }).jpeg({ quality: 90, chromaSubsampling: '4:4:4' }).toBuffer(),
      };
    case 'GIF':
      return { type: 'image/gif', bytes: await image.gif({ dither: 0 }).toBuffer() };
  }
}
