/**
 * The passes over a picture, in order: at 1,600 pixels, on black, larger, turned, sharpened, smaller, softened, turned further.
 * Each reads a grey picture of bounded size.
 */
import sharp from 'sharp';

/** The most pixels of a picture: a phone's 48 megapixels, and a little more. */
export const mostPixels = 51_000_000;

export interface GreyPicture {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export interface Pass {
  /** The longer side of the drawn picture, in pixels. */
  readonly side: number;
  /** Whether to enlarge a small picture and sharpen its edges. */
  readonly sharpen?: boolean;
  /** The sigma of a blur, which closes the gaps that noise and screens leave. */
  readonly soften?: number;
  readonly degrees?: number;
  /** Whether to draw only transparent pictures, on black: a white barcode shows on nothing else. */
  readonly onBlack?: boolean;
  /** Whether to skip pictures that the first pass drew at their full size: this pass shows nothing more of them. */
  readonly onlyLarger?: boolean;
}

export const passes: readonly Pass[] = [
  { side: 1_600 },
  { side: 1_600, onBlack: true },
  { side: 4_000, onlyLarger: true },
  { side: 1_600, degrees: 8 },
  { side: 1_600, degrees: -8 },
  { side: 1_600, sharpen: true },
  { side: 800 },
  { side: 1_600, soften: 1.5 },
  { side: 1_600, sharpen: true, degrees: 13 },
  { side: 1_600, sharpen: true, degrees: -13 },
  { side: 1_600, degrees: 45 },
];

export interface PictureSize {
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
}

/** The factor by which a small picture is enlarged at most: a larger one shows nothing more. */
const maxEnlargement = 2;

const white = { r: 255, g: 255, b: 255 };
const black = { r: 0, g: 0, b: 0 };

/** Draws a picture for a pass. Rejects for one that cannot be decoded or has too many pixels. */
export async function draw(bytes: Uint8Array, pass: Pass, longerSide: number): Promise<GreyPicture> {
  const drawnSide = Math.min(pass.side, longerSide * (pass.sharpen ? maxEnlargement : 1));
  let picture = sharp(bytes, { limitInputPixels: mostPixels, sequentialRead: true, failOn: 'error' })
    .rotate()
    .flatten({ background: pass.onBlack ? black : white })
    .greyscale()
    .resize({ width: drawnSide, height: drawnSide, fit: 'inside' });
  if (pass.soften !== undefined) {
    picture = picture.blur(pass.soften);
  }
  if (pass.sharpen) {
    picture = picture.sharpen({ sigma: 1.5, m1: 1, m2: 3 }).normalise();
  }
  if (pass.degrees !== undefined) {
    const { data, info } = await picture.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
    const raw = { width: info.width, height: info.height, channels: 1 as const };
    picture = sharp(data, { raw }).rotate(pass.degrees, { background: white });
  }
  const { data, info } = await picture.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** The size in pixels, and whether anything may be transparent, before any decoding of the picture itself. */
export async function sizeOf(bytes: Uint8Array): Promise<PictureSize> {
  const { width = 0, height = 0, hasAlpha = false } = await sharp(bytes, { limitInputPixels: false }).metadata();
  return { width, height, hasAlpha };
}
