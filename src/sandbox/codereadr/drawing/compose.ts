/** The composition of a barcode, its value, a text and a logo into one picture. */
import { type Bitmap, blank, drawFrame, paste, shrinkTo } from './bitmap.js';

export interface Parts {
  readonly symbol: Bitmap;
  readonly value?: { readonly line: Bitmap; readonly position: 'top' | 'bottom' };
  readonly text?: { readonly line: Bitmap; readonly alignment: 'L' | 'C' | 'R' };
  readonly logo?: { readonly picture: Bitmap; readonly position: 'top' | 'bottom' | 'left' | 'right' };
  readonly frame: boolean;
}

const gap = 4;

interface Row {
  readonly picture: Bitmap;
  readonly alignment: 'L' | 'C' | 'R';
}

export function compose(parts: Parts): Bitmap {
  const { symbol, value, text, logo } = parts;
  const centre = (picture: Bitmap): Row => ({ picture, alignment: 'C' });
  const rows: Row[] = [centre(symbol)];
  if (value?.position === 'top') rows.unshift(centre(value.line));
  if (value?.position === 'bottom') rows.push(centre(value.line));
  if (text) rows.push({ picture: text.line, alignment: text.alignment });
  if (logo?.position === 'top') rows.unshift(centre(shrinkTo(logo.picture, symbol.width, symbol.height)));
  if (logo?.position === 'bottom') rows.push(centre(shrinkTo(logo.picture, symbol.width, symbol.height)));
  let whole = stack(rows);
  if (logo?.position === 'left' || logo?.position === 'right') {
    const beside = shrinkTo(logo.picture, symbol.width, whole.height);
    whole = logo.position === 'left' ? sideBySide(beside, whole) : sideBySide(whole, beside);
  }
  const picture = blank(whole.width + gap * 2, whole.height + gap * 2);
  paste(picture, whole, gap, gap);
  if (parts.frame) drawFrame(picture);
  return picture;
}

function stack(rows: readonly Row[]): Bitmap {
  const width = Math.max(...rows.map(({ picture }) => picture.width));
  const height = rows.reduce((sum, { picture }) => sum + picture.height, gap * (rows.length - 1));
  const whole = blank(width, height);
  let y = 0;
  for (const { picture, alignment } of rows) {
    const free = width - picture.width;
    paste(whole, picture, { L: 0, C: Math.floor(free / 2), R: free }[alignment], y);
    y += picture.height + gap;
  }
  return whole;
}

function sideBySide(left: Bitmap, right: Bitmap): Bitmap {
  const whole = blank(left.width + gap + right.width, Math.max(left.height, right.height));
  paste(whole, left, 0, Math.floor((whole.height - left.height) / 2));
  paste(whole, right, left.width + gap, Math.floor((whole.height - right.height) / 2));
  return whole;
}
