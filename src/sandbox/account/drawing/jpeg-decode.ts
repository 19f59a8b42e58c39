/**
 * Owns reading JPEG: baseline and progressive, one or three components, any subsampling, restarts. Refuses the kinds that
 * nobody's logo is (arithmetic coding, lossless, CMYK).
 */
import { type Bitmap, checkSize, PictureError } from './bitmap.js';
import { zigzag } from './jpeg-tables.js';

interface Component {
  readonly id: number;
  readonly h: number;
  readonly v: number;
  readonly quantizer: number;
  /** Blocks to the right and down, padded to whole units. */
  readonly columns: number;
  readonly rows: number;
  readonly blocks: Int32Array;
  dc: number;
}

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly progressive: boolean;
  readonly components: readonly Component[];
  readonly unitColumns: number;
  readonly unitRows: number;
}

/** By length and code: the value. */
type Huffman = ReadonlyMap<number, number>;

interface Scan {
  readonly from: number;
  readonly to: number;
  readonly high: number;
  readonly low: number;
  readonly parts: readonly { component: Component; dc: Huffman | undefined; ac: Huffman | undefined }[];
}

/** @throws PictureError */
export function decodeJpeg(bytes: Buffer): Bitmap {
  try {
    return decode(bytes);
  } catch (error) {
    throw error instanceof PictureError ? error : new PictureError('a broken JPEG');
  }
}

function decode(bytes: Buffer): Bitmap {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) throw new PictureError('no JPEG');
  const quantizers: number[][] = [];
  const huffman: Huffman[] = [];
  let frame: Frame | undefined;
  let restarts = 0;
  let at = 2;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) throw new PictureError('a broken JPEG');
    const marker = bytes[at + 1] as number;
    if (marker === 0xd9) break;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    const body = bytes.subarray(at + 4, at + 2 + length);
    at += 2 + length;
    if (marker === 0xdb) readQuantizers(body, quantizers);
    else if (marker === 0xc4) readHuffman(body, huffman);
    else if (marker === 0xdd) restarts = body.readUInt16BE(0);
    else if (marker === 0xc0 || marker === 0xc1 || marker === 0xc2) frame = readFrame(body, marker === 0xc2);
    else if (marker > 0xc2 && marker < 0xd0 && marker !== 0xc8 && marker !== 0xcc) {
      throw new PictureError('a kind of JPEG that is not read');
    } else if (marker === 0xda) {
      if (!frame) throw new PictureError('a broken JPEG');
      at = readScan(bytes, at, frame, scanOf(body, frame, huffman), restarts);
    }
  }
  if (!frame) throw new PictureError('a JPEG without a picture');
  return paint(frame, quantizers);
}

function readQuantizers(body: Buffer, into: number[][]): void {
  for (let at = 0; at < body.length; ) {
    const wide = (body[at] as number) >> 4 === 1;
    const table: number[] = [];
    const id = (body[at] as number) & 15;
    at += 1;
    for (const place of zigzag) {
      table[place] = wide ? body.readUInt16BE(at) : body.readUInt8(at);
      at += wide ? 2 : 1;
    }
    into[id] = table;
  }
}

function readHuffman(body: Buffer, into: Huffman[]): void {
  for (let at = 0; at + 17 <= body.length; ) {
    const id = body[at] as number;
    const codes = new Map<number, number>();
    let code = 0;
    let value = at + 17;
    for (let length = 1; length <= 16; length += 1) {
      for (let n = 0; n < (body[at + length] as number); n += 1) {
        codes.set((length << 16) | code, body.readUInt8(value));
        code += 1;
        value += 1;
      }
      code <<= 1;
    }
    into[id] = codes;
    at = value;
  }
}

function readFrame(body: Buffer, progressive: boolean): Frame {
  const [height, width, count] = [body.readUInt16BE(1), body.readUInt16BE(3), body.readUInt8(5)];
  checkSize(width, height);
  if (body[0] !== 8 || (count !== 1 && count !== 3)) throw new PictureError('a kind of JPEG that is not read');
  const given = Array.from({ length: count }, (_, index) => {
    const sampling = body.readUInt8(7 + index * 3);
    return {
      id: body.readUInt8(6 + index * 3),
      h: sampling >> 4,
      v: sampling & 15,
      quantizer: body.readUInt8(8 + index * 3),
    };
  });
  if (given.some(({ h, v }) => h < 1 || h > 4 || v < 1 || v > 4)) throw new PictureError('a broken JPEG');
  const [mostH, mostV] = [Math.max(...given.map(({ h }) => h)), Math.max(...given.map(({ v }) => v))];
  const unitColumns = Math.ceil(width / (8 * mostH));
  const unitRows = Math.ceil(height / (8 * mostV));
  const components = given.map((component) => {
    const [columns, rows] = [unitColumns * component.h, unitRows * component.v];
    return { ...component, columns, rows, blocks: new Int32Array(columns * rows * 64), dc: 0 };
  });
  return { width, height, progressive, components, unitColumns, unitRows };
}

function scanOf(body: Buffer, frame: Frame, huffman: readonly Huffman[]): Scan {
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
  /** Behind the data, and behind a restart marker where there is one. */
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
      // Past the end, and at a marker, there are only zeros: a picture that is cut off is shown as far as it goes.
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

/** A number of so many bits, negative ones counted from below. */
function extend(value: number, length: number): number {
  return length > 0 && value < 1 << (length - 1) ? value - (1 << length) + 1 : value;
}

function readScan(bytes: Buffer, start: number, frame: Frame, scan: Scan, restarts: number): number {
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

function mostOf(frame: Frame, side: 'h' | 'v'): number {
  return Math.max(...frame.components.map((component) => component[side]));
}

/** A component alone is stored without the padding that whole units need. */
function lonelyUnits(frame: Frame, component: Component): number {
  const columns = Math.ceil(Math.ceil((frame.width * component.h) / mostOf(frame, 'h')) / 8);
  const rows = Math.ceil(Math.ceil((frame.height * component.v) / mostOf(frame, 'v')) / 8);
  return columns * rows;
}

type Part = Scan['parts'][number];

function createBlockReader(frame: Frame, scan: Scan, bits: Bits) {
  /** Blocks still to come that end here, in a progressive scan. */
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

const cosines = Float64Array.from({ length: 64 }, (_, index) => {
  const [x, u] = [index >> 3, index & 7];
  return Math.cos(((2 * x + 1) * u * Math.PI) / 16) * (u === 0 ? Math.SQRT1_2 : 1) * 0.5;
});

/** The values of one component, a byte each, as wide as its blocks. */
function planeOf(component: Component, quantizer: readonly number[] | undefined): Uint8Array {
  if (!quantizer) throw new PictureError('a broken JPEG');
  const width = component.columns * 8;
  const plane = new Uint8Array(width * component.rows * 8);
  const half = new Float64Array(64);
  for (let index = 0; index < component.columns * component.rows; index += 1) {
    const block = component.blocks.subarray(index * 64, index * 64 + 64);
    for (let v = 0; v < 8; v += 1) {
      for (let x = 0; x < 8; x += 1) {
        let sum = 0;
        for (let u = 0; u < 8; u += 1) {
          const level = block[v * 8 + u] as number;
          if (level !== 0) sum += level * (quantizer[v * 8 + u] as number) * (cosines[x * 8 + u] as number);
        }
        half[v * 8 + x] = sum;
      }
    }
    const corner = Math.floor(index / component.columns) * 8 * width + (index % component.columns) * 8;
    for (let y = 0; y < 8; y += 1) {
      for (let x = 0; x < 8; x += 1) {
        let sum = 0;
        for (let v = 0; v < 8; v += 1) sum += (half[v * 8 + x] as number) * (cosines[y * 8 + v] as number);
        plane[corner + y * width + x] = Math.min(255, Math.max(0, Math.round(sum + 128)));
      }
    }
  }
  return plane;
}

function paint(frame: Frame, quantizers: readonly number[][]): Bitmap {
  const { width, height, components } = frame;
  const planes = components.map((component) => planeOf(component, quantizers[component.quantizer]));
  const [mostH, mostV] = [mostOf(frame, 'h'), mostOf(frame, 'v')];
  const pixels = new Uint8Array(width * height * 4);
  const byte = (value: number) => Math.min(255, Math.max(0, Math.round(value)));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const values = components.map(({ h, v, columns }, index) => {
        const row = Math.floor((y * v) / mostV);
        return (planes[index] as Uint8Array)[row * columns * 8 + Math.floor((x * h) / mostH)] as number;
      });
      const [light = 0, blue = 128, red = 128] = values;
      pixels.set(
        [
          byte(light + 1.402 * (red - 128)),
          byte(light - 0.344136 * (blue - 128) - 0.714136 * (red - 128)),
          byte(light + 1.772 * (blue - 128)),
          255,
        ],
        (y * width + x) * 4,
      );
    }
  }
  return { width, height, pixels };
}
