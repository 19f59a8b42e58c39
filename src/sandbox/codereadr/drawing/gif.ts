/** The GIF codec: writes up to 256 colors, reads the first frame of a file. */
import { type Bitmap, checkSize, PictureError } from './bitmap.js';

const widestCode = 12;

/** With more than 256 colors, they are rounded to six levels per channel. */
export function encodeGif({ width, height, pixels }: Bitmap): Uint8Array {
  const exact = indexExactly(pixels);
  const { palette, indexes } = exact ?? indexByCube(pixels);
  const bits = Math.max(2, Math.ceil(Math.log2(palette.length)));
  const table = Buffer.alloc(3 * 2 ** bits);
  palette.forEach((color, index) => {
    table.set([color >> 16, (color >> 8) & 255, color & 255], index * 3);
  });
  const head = Buffer.alloc(13);
  head.write('GIF89a', 'latin1');
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  head[10] = 0xf0 | (bits - 1);
  const descriptor = Buffer.alloc(10);
  descriptor[0] = 0x2c;
  descriptor.writeUInt16LE(width, 5);
  descriptor.writeUInt16LE(height, 7);
  return Buffer.concat([
    head,
    table,
    descriptor,
    Buffer.from([bits]),
    blocks(compress(indexes, bits)),
    Buffer.from([0, 0x3b]),
  ]);
}

interface Indexed {
  readonly palette: readonly number[];
  readonly indexes: Uint8Array;
}

function indexExactly(pixels: Uint8Array): Indexed | undefined {
  const places = new Map<number, number>();
  const indexes = new Uint8Array(pixels.length / 4);
  for (let at = 0; at < indexes.length; at += 1) {
    const color = colorAt(pixels, at);
    let place = places.get(color);
    if (place === undefined) {
      if (places.size === 256) return undefined;
      place = places.size;
      places.set(color, place);
    }
    indexes[at] = place;
  }
  return { palette: [...places.keys()], indexes };
}

function indexByCube(pixels: Uint8Array): Indexed {
  const step = (value: number) => Math.round(value / 51);
  const palette = Array.from({ length: 216 }, (_, index) => {
    const [r, g, b] = [Math.floor(index / 36), Math.floor(index / 6) % 6, index % 6];
    return ((r * 51) << 16) | ((g * 51) << 8) | (b * 51);
  });
  const indexes = new Uint8Array(pixels.length / 4);
  for (let at = 0; at < indexes.length; at += 1) {
    const color = colorAt(pixels, at);
    indexes[at] = step(color >> 16) * 36 + step((color >> 8) & 255) * 6 + step(color & 255);
  }
  return { palette, indexes };
}

function colorAt(pixels: Uint8Array, at: number): number {
  return ((pixels[at * 4] as number) << 16) | ((pixels[at * 4 + 1] as number) << 8) | (pixels[at * 4 + 2] as number);
}

function compress(indexes: Uint8Array, bits: number): Uint8Array {
  const clear = 1 << bits;
  const out: number[] = [];
  let buffer = 0;
  let filled = 0;
  let width = bits + 1;
  const put = (code: number) => {
    buffer |= code << filled;
    filled += width;
    while (filled >= 8) {
      out.push(buffer & 255);
      buffer >>>= 8;
      filled -= 8;
    }
  };
  let known = new Map<number, number>();
  let next = clear + 2;
  put(clear);
  let prefix = indexes[0] as number;
  for (let at = 1; at < indexes.length; at += 1) {
    const index = indexes[at] as number;
    const key = (prefix << 8) | index;
    const longer = known.get(key);
    if (longer !== undefined) {
      prefix = longer;
      continue;
    }
    put(prefix);
    if (next < 1 << widestCode) {
      known.set(key, next);
      if (next === 1 << width) width += 1;
      next += 1;
    } else {
      put(clear);
      known = new Map();
      next = clear + 2;
      width = bits + 1;
    }
    prefix = index;
  }
  put(prefix);
  put(clear + 1);
  if (filled > 0) out.push(buffer & 255);
  return Uint8Array.from(out);
}

function blocks(data: Uint8Array): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < data.length; at += 255) {
    const part = data.subarray(at, at + 255);
    parts.push(Buffer.from([part.length]), Buffer.from(part));
  }
  return Buffer.concat(parts);
}

/** @throws PictureError */
export function decodeGif(bytes: Buffer): Bitmap {
  if (!/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6)) || bytes.length < 13) throw new PictureError('no GIF');
  const flags = bytes[10] as number;
  let at = 13;
  let table: Buffer = Buffer.alloc(0);
  if (flags & 0x80) {
    const length = 3 * 2 ** ((flags & 7) + 1);
    table = bytes.subarray(at, at + length);
    at += length;
  }
  let transparent = -1;
  while (at < bytes.length) {
    const kind = bytes[at];
    if (kind === 0x21) {
      if (bytes[at + 1] === 0xf9 && (bytes[at + 3] as number) & 1) transparent = bytes[at + 6] as number;
      at = skipBlocks(bytes, at + 2);
    } else if (kind === 0x2c) {
      return readPicture(bytes, at, table, transparent);
    } else {
      break;
    }
  }
  throw new PictureError('a GIF without a picture');
}

function skipBlocks(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] as number);
  return at + 1;
}

function readPicture(bytes: Buffer, start: number, table: Buffer, transparent: number): Bitmap {
  if (start + 11 > bytes.length) throw new PictureError('a GIF that is cut off');
  const width = bytes.readUInt16LE(start + 5);
  const height = bytes.readUInt16LE(start + 7);
  checkSize(width, height);
  const flags = bytes[start + 9] as number;
  let at = start + 10;
  let colors = table;
  if (flags & 0x80) {
    const length = 3 * 2 ** ((flags & 7) + 1);
    colors = bytes.subarray(at, at + length);
    at += length;
  }
  const bits = bytes[at] as number;
  const parts: Buffer[] = [];
  for (at += 1; at < bytes.length && bytes[at] !== 0; at += 1 + (bytes[at] as number)) {
    parts.push(bytes.subarray(at + 1, at + 1 + (bytes[at] as number)));
  }
  const indexes = expand(Buffer.concat(parts), bits, width * height);
  const pixels = new Uint8Array(width * height * 4);
  rowOrder(height, (flags & 0x40) !== 0).forEach((row, line) => {
    for (let column = 0; column < width; column += 1) {
      const index = indexes[line * width + column] as number;
      const color = colors.subarray(index * 3, index * 3 + 3);
      pixels.set(
        [color[0] ?? 0, color[1] ?? 0, color[2] ?? 0, index === transparent ? 0 : 255],
        (row * width + column) * 4,
      );
    }
  });
  return { width, height, pixels };
}

function rowOrder(height: number, interlaced: boolean): number[] {
  const steps = interlaced
    ? ([
        [0, 8],
        [4, 8],
        [2, 4],
        [1, 2],
      ] as const)
    : ([[0, 1]] as const);
  const rows: number[] = [];
  for (const [first, step] of steps) for (let row = first; row < height; row += step) rows.push(row);
  return rows;
}

function expand(data: Buffer, bits: number, wanted: number): Uint8Array {
  if (bits < 2 || bits > 8) throw new PictureError('a broken GIF');
  const clear = 1 << bits;
  const out = new Uint8Array(wanted);
  let filled = 0;
  let entries: (readonly number[])[] = [];
  let width = bits + 1;
  let before: readonly number[] | undefined;
  const reset = () => {
    entries = Array.from({ length: clear + 2 }, (_, index) => [index]);
    width = bits + 1;
    before = undefined;
  };
  reset();
  let buffer = 0;
  let held = 0;
  for (const byte of data) {
    buffer |= byte << held;
    held += 8;
    while (held >= width && filled < wanted) {
      const code = buffer & ((1 << width) - 1);
      buffer >>>= width;
      held -= width;
      if (code === clear) {
        reset();
        continue;
      }
      if (code === clear + 1) return out;
      const entry: readonly number[] | undefined =
        entries[code] ?? (before && code === entries.length ? [...before, before[0] as number] : undefined);
      if (!entry) throw new PictureError('a broken GIF');
      out.set(entry.slice(0, wanted - filled), filled);
      filled += Math.min(entry.length, wanted - filled);
      if (before && entries.length < 1 << widestCode) entries.push([...before, entry[0] as number]);
      if (entries.length === 1 << width && width < widestCode) width += 1;
      before = entry;
    }
  }
  return out;
}
