/** The entropy-coded data of a JPEG: bits, Huffman codes, and the blocks of a scan, baseline or progressive. */
import { PictureError } from './bitmap.js';
import { zigzag } from './jpeg-tables.js';

export interface Component {
  readonly id: number;
  readonly h: number;
  readonly v: number;
  readonly quantizer: number;
  /** Blocks across and down, padded to whole MCUs. */
  readonly columns: number;
  readonly rows: number;
  readonly blocks: Int32Array;
  dc: number;
}

export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly progressive: boolean;
  readonly components: readonly Component[];
  readonly unitColumns: number;
  readonly unitRows: number;
}

/** The value by code length and code. */
export type Huffman = ReadonlyMap<number, number>;

export interface Scan {
  readonly from: number;
  readonly to: number;
  readonly high: number;
  readonly low: number;
  readonly parts: readonly { component: Component; dc: Huffman | undefined; ac: Huffman | undefined }[];
}

export function scanOf(body: Buffer, frame: Frame, huffman: readonly Huffman[]): Scan {
  const count = body.readUInt8(0);
  const parts = Array.from({ length: count }, (_, index) => {
    const component = frame.components.find(({ id }) => id === body[1 + index * 2]);
    if (!component) throw new PictureError('a broken JPEG');
    const tables = body.readUInt8(2 + index * 2);
    return { component, dc: huffman[tables >> 4], ac: huffman[0x10 | (tables & 15)] };
  });
  const [from, to, bits] = [1, 2, 3].map((place) => body.readUInt8(count * 2 + place)) as [number, number, number];
  if (from > to || to > 63) throw new PictureError('a broken JPEG');
  return { from, to, high: bits >> 4, low: bits & 15, parts };
}

interface Bits {
  bit(): number;
  bits(count: number): number;
  value(table: Huffman | undefined): number;
  /** The offset after the data, and after a restart marker where there is one. */
  position(): number;
  restart(): void;
}

function createBits(bytes: Buffer, start: number): Bits {
  let at = start;
  let buffer = 0;
  let held = 0;
  const bit = (): number => {
    if (held === 0) {
      const next = bytes[at];
      // Past the end, and at a marker, there are only zeros: a truncated picture is shown as far as it goes.
      if (next === undefined || (next === 0xff && bytes[at + 1] !== 0)) buffer = 0;
      else {
        buffer = next;
        at += next === 0xff ? 2 : 1;
      }
      held = 8;
    }
    held -= 1;
    return (buffer >> held) & 1;
  };
  const bits = (count: number): number => {
    let value = 0;
    for (let n = 0; n < count; n += 1) value = (value << 1) | bit();
    return value;
  };
  return {
    bit,
    bits,
    value: (table) => {
      let code = 0;
      for (let length = 1; length <= 16; length += 1) {
        code = (code << 1) | bit();
        const value = table?.get((length << 16) | code);
        if (value !== undefined) return value;
      }
      throw new PictureError('a broken JPEG');
    },
    position: () => at,
    restart: () => {
      held = 0;
      if (bytes[at] === 0xff && (bytes[at + 1] as number) >= 0xd0 && (bytes[at + 1] as number) <= 0xd7) at += 2;
    },
  };
}

/** Extends a number of that many bits to a signed one (EXTEND in ITU-T T.81). */
function extend(value: number, length: number): number {
  return length > 0 && value < 1 << (length - 1) ? value - (1 << length) + 1 : value;
}

export function readScan(bytes: Buffer, start: number, frame: Frame, scan: Scan, restarts: number): number {
  const bits = createBits(bytes, start);
  const read = createBlockReader(frame, scan, bits);
  const single = scan.parts.length === 1 ? scan.parts[0] : undefined;
  const units = single ? lonelyUnits(frame, single.component) : frame.unitColumns * frame.unitRows;
  for (const { component } of scan.parts) component.dc = 0;
  for (let unit = 0; unit < units; unit += 1) {
    if (restarts > 0 && unit > 0 && unit % restarts === 0) {
      bits.restart();
      read.restart();
      for (const { component } of scan.parts) component.dc = 0;
    }
    if (single) {
      const columns = Math.ceil((Math.ceil((frame.width * single.component.h) / mostOf(frame, 'h')) || 1) / 8);
      read.block(single, Math.floor(unit / columns), unit % columns);
      continue;
    }
    for (const part of scan.parts) {
      const { h, v } = part.component;
      for (let n = 0; n < h * v; n += 1) {
        const row = Math.floor(unit / frame.unitColumns) * v + Math.floor(n / h);
        read.block(part, row, (unit % frame.unitColumns) * h + (n % h));
      }
    }
  }
  let at = bits.position();
  while (at + 1 < bytes.length && !(bytes[at] === 0xff && bytes[at + 1] !== 0 && !isRestart(bytes[at + 1] as number)))
    at += 1;
  return at;
}

function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7;
}

export function mostOf(frame: Frame, side: 'h' | 'v'): number {
  return Math.max(...frame.components.map((component) => component[side]));
}

/** A scan with a single component is stored without the padding to whole MCUs. */
function lonelyUnits(frame: Frame, component: Component): number {
  const columns = Math.ceil(Math.ceil((frame.width * component.h) / mostOf(frame, 'h')) / 8);
  const rows = Math.ceil(Math.ceil((frame.height * component.v) / mostOf(frame, 'v')) / 8);
  return columns * rows;
}

type Part = Scan['parts'][number];

function createBlockReader(frame: Frame, scan: Scan, bits: Bits) {
  /** Blocks that end here without data, in a progressive scan (EOBRUN). */
  let ended = 0;

  const baseline = (block: Int32Array, { component, dc, ac }: Part) => {
    const length = bits.value(dc);
    component.dc += extend(bits.bits(length), length);
    block[0] = component.dc;
    for (let at = 1; at < 64; at += 1) {
      const code = bits.value(ac);
      const [zeros, size] = [code >> 4, code & 15];
      if (size === 0) {
        if (zeros < 15) return;
        at += 15;
        continue;
      }
      at += zeros;
      if (at > 63) throw new PictureError('a broken JPEG');
      block[zigzag[at] as number] = extend(bits.bits(size), size);
    }
  };

  const dcFirst = (block: Int32Array, { component, dc }: Part) => {
    const length = bits.value(dc);
    component.dc += extend(bits.bits(length), length);
    block[0] = component.dc << scan.low;
  };

  const acFirst = (block: Int32Array, { ac }: Part) => {
    if (ended > 0) {
      ended -= 1;
      return;
    }
    for (let at = scan.from; at <= scan.to; at += 1) {
      const code = bits.value(ac);
      const [zeros, size] = [code >> 4, code & 15];
      if (size === 0) {
        if (zeros < 15) {
          ended = (1 << zeros) - 1 + bits.bits(zeros);
          return;
        }
        at += 15;
        continue;
      }
      at += zeros;
      if (at > 63) throw new PictureError('a broken JPEG');
      block[zigzag[at] as number] = extend(bits.bits(size), size) * (1 << scan.low);
    }
  };

  const refine = (block: Int32Array, place: number) => {
    const value = block[place] as number;
    if (bits.bit() === 1) block[place] = value + (value > 0 ? 1 << scan.low : -(1 << scan.low));
  };

  const acAgain = (block: Int32Array, { ac }: Part) => {
    let at = scan.from;
    while (at <= scan.to && ended === 0) {
      const code = bits.value(ac);
      let zeros = code >> 4;
      let fresh = 0;
      if ((code & 15) === 0) {
        if (zeros < 15) {
          ended = (1 << zeros) + bits.bits(zeros);
          break;
        }
      } else {
        fresh = bits.bit() === 1 ? 1 << scan.low : -(1 << scan.low);
      }
      for (; at <= scan.to; at += 1) {
        const place = zigzag[at] as number;
        if (block[place] !== 0) refine(block, place);
        else if (zeros === 0) {
          block[place] = fresh;
          at += 1;
          break;
        } else zeros -= 1;
      }
    }
    if (ended > 0) {
      for (; at <= scan.to; at += 1) {
        const place = zigzag[at] as number;
        if (block[place] !== 0) refine(block, place);
      }
      ended -= 1;
    }
  };

  return {
    restart: () => {
      ended = 0;
    },
    block: (part: Part, row: number, column: number) => {
      const start = (row * part.component.columns + column) * 64;
      const block = part.component.blocks.subarray(start, start + 64);
      if (block.length < 64) throw new PictureError('a broken JPEG');
      if (!frame.progressive) baseline(block, part);
      else if (scan.from === 0 && scan.high === 0) dcFirst(block, part);
      else if (scan.from === 0) block[0] = (block[0] as number) | (bits.bit() << scan.low);
      else if (scan.high === 0) acFirst(block, part);
      else acAgain(block, part);
    },
  };
}
