/** The kind of a picture by its first bytes, before any decoder sees it. Pure. */

export type PictureKind = 'jpeg' | 'png' | 'gif' | 'webp' | 'tiff' | 'avif' | 'heic';

const brands: Readonly<Record<string, PictureKind>> = {
  avif: 'avif',
  avis: 'avif',
  heic: 'heic',
  heix: 'heic',
  heim: 'heic',
  heis: 'heic',
  hevc: 'heic',
  hevx: 'heic',
  mif1: 'heic',
  msf1: 'heic',
};

/** The kind; undefined for any other kind, such as SVG, which may refer to other files. */
export function pictureKind(bytes: Uint8Array): PictureKind | undefined {
  const letters = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  if (letters(0, 3) === '\xff\xd8\xff') return 'jpeg';
  if (letters(0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (letters(0, 6) === 'GIF87a' || letters(0, 6) === 'GIF89a') return 'gif';
  if (letters(0, 4) === 'RIFF' && letters(8, 12) === 'WEBP') return 'webp';
  if (letters(0, 4) === 'II*\0' || letters(0, 4) === 'MM\0*') return 'tiff';
  return letters(4, 8) === 'ftyp' ? brands[letters(8, 12)] : undefined;
}
