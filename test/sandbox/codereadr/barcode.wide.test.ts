import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { type Bitmap, blank } from '../../../src/sandbox/codereadr/drawing/bitmap.js';
import { decodePicture, encodePicture } from '../../../src/sandbox/codereadr/drawing/picture.js';
import { drawableIds } from '../../../src/sandbox/codereadr/drawing/symbol.js';
import { sampleKeys } from '../../../src/sandbox/codereadr/index.js';
import { gs } from '../../../src/sandbox/codereadr/sample/values.js';
import { type Harness, readDocument, startService } from './harness.js';

let h: Harness;
beforeAll(async () => {
  const wasm = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'));
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } });
  h = await startService();
});
afterAll(() => h.close());

interface Made {
  readonly type: string;
  readonly bytes: Buffer;
  readonly code: string | undefined;
  readonly text: string | undefined;
}

async function make(variables: Record<string, string>, logo?: Uint8Array<ArrayBuffer>): Promise<Made> {
  const form = new FormData();
  const all = { section: 'barcode', action: 'generate', api_key: sampleKeys.demo, ...variables };
  for (const [name, value] of Object.entries(all)) form.append(name, value);
  if (logo) form.append('logo', new Blob([logo]), 'logo.png');
  const response = await fetch(`${h.url}/barcode/api/`, { method: 'POST', body: form });
  const bytes = Buffer.from(await response.arrayBuffer());
  const type = response.headers.get('content-type') ?? '';
  const refused = type.startsWith('text/xml') ? readDocument(bytes.toString('utf8')) : undefined;
  return { type, bytes, code: refused?.code, text: refused?.text };
}

/** What an independent reader makes of a picture. */
async function read(bytes: Uint8Array): Promise<{ text: string; format: string } | undefined> {
  const [found] = await readBarcodes(new Uint8Array(bytes), {
    tryHarder: true,
    maxNumberOfSymbols: 1,
    textMode: 'Plain',
  });
  return found && { text: found.text, format: found.format };
}

describe('the generator', () => {
  it.each([
    ['GIF', 'image/gif', 'GIF89a'],
    ['JPG', 'image/jpeg', '\xff\xd8\xff'],
    ['PNG', 'image/png', '\x89PNG'],
  ])('the barcode generator draws a %s that a barcode reader can read', async (filetype, type, beginning) => {
    const made = await make({ value: 'HLF-000001', filetype });
    expect(made.type).toBe(type);
    expect(made.bytes.toString('latin1', 0, beginning.length)).toBe(beginning);
    expect(await read(made.bytes)).toEqual({ text: 'HLF-000001', format: 'QRCode' });
  });

  it('the barcode generator returns a GIF by default', async () => {
    expect((await make({ value: 'x' })).type).toBe('image/gif');
  });

  it.each(['000470000037', '1e5', ' PALLET 7 ', 'A&B <1>', 'Grün/ÄÖ Ω 部品', `01${gs}17`, 'x'.repeat(100), '^FNC1%25'])(
    'the barcode generator encodes %j into a QR code unchanged',
    async (value) => {
      expect((await read((await make({ value, filetype: 'PNG' })).bytes))?.text).toBe(value);
    },
  );

  const values: Readonly<Record<string, string>> = {
    3: 'A1234B',
    9: '(01)09521234543213|(99)1234',
    10: '012345678905|(99)1234',
    11: '(8110)106141416543213150110120',
    14: '4006381333931',
    15: '4006381333931 12',
    16: '4006381333931 12345',
    17: '978-1-56581-231-4',
    18: '96385074',
    19: '96385074 12',
    20: '96385074 12345',
    21: '(01)09521234543213',
    27: '09521234543213',
    35: '(01)09521234543213',
    36: '(01)09521234543213',
    37: '(01)09521234543213',
    41: '012345678905',
    42: '012345678905 12',
    43: '012345678905 12345',
    44: '01234565',
    45: '01234565',
    46: '11234562',
    47: '01234565 12',
    48: '01234565 12345',
    49: '012345678905',
  };

  it.each(drawableIds.map((id) => [id]))('the barcode generator draws a PNG in symbology %s', async (id) => {
    const made = await make({ value: values[id] ?? '1234', barcodetype: id, filetype: 'PNG' });
    expect(made.type, made.text).toBe('image/png');
  });

  it.each([
    ['1', 'Ab1', 'Aztec'],
    ['6', 'Abc-123', 'Code128'],
    ['7', 'ABC-123', 'Code39'],
    ['8', 'ABC-123', 'Code93'],
    ['12', 'Ab1', 'DataMatrix'],
    ['14', '4006381333931', 'EAN13'],
    ['pdf417', 'Some text', 'PDF417'],
    ['PDF 417', '000123', 'PDF417'],
    ['Code 128', '000123', 'Code128'],
    ['26', '001234', 'ITF'],
  ])(
    'the barcode generator draws symbology %s so that a barcode reader can read the value',
    async (barcodetype, value, format) => {
      const made = await make({ value, barcodetype, filetype: 'PNG', size: '6' });
      const found = await read(made.bytes);
      expect(found?.text).toBe(value);
      expect(found?.format.replace(/[^A-Za-z0-9]/g, '')).toContain(format);
    },
  );

  it.each<[string, Record<string, string>]>([
    ['1028', {}],
    ['1028', { value: 'x'.repeat(101) }],
    ['50', { value: 'letters', barcodetype: '14' }],
    ['50', { value: '4006381333930', barcodetype: '14' }],
    ['50', { value: 'x', barcodetype: '28' }],
    ['50', { value: 'x', barcodetype: 'constructor' }],
    ['50', { value: 'x', size: '11' }],
    ['50', { value: 'x', filetype: 'BMP' }],
    ['50', { value: 'x', errorcorrection: 'X' }],
    ['50', { value: 'x', text: 'x'.repeat(201) }],
    ['100', { value: 'x', api_key: 'x' }],
    ['110', { value: 'x', action: 'draw' }],
  ])(
    'the barcode generator answers with the error code %s to a call with the variables %j',
    async (code, variables) => {
      expect((await make(variables)).code).toBe(code);
    },
  );

  it('barcode/generate is refused on the API’s path, and limits/retrieve on the barcode generator’s path', async () => {
    const call = { api_key: sampleKeys.demo, section: 'barcode', action: 'generate', value: 'x' };
    const wrong = await fetch(h.api, { method: 'POST', body: new URLSearchParams(call) });
    expect(readDocument(await wrong.text()).code).toBe('120');
    const other = { ...call, section: 'limits', action: 'retrieve' };
    const response = await fetch(`${h.url}/barcode/api/`, { method: 'POST', body: new URLSearchParams(other) });
    expect(readDocument(await response.text()).code).toBe('120');
  });
});

describe('branding', () => {
  const sizeOf = async (variables: Record<string, string>, logo?: Uint8Array<ArrayBuffer>) => {
    const { width, height } = await decodePicture(
      (await make({ value: 'HLF-1', filetype: 'PNG', ...variables }, logo)).bytes,
    );
    return { width, height };
  };

  it('a generated barcode is wider with a larger size, and taller with its value or a text', async () => {
    const [small, large] = await Promise.all([sizeOf({ size: '2' }), sizeOf({ size: '8' })]);
    expect(large.width).toBeGreaterThan(small.width * 2);
    const plain = await sizeOf({ hidevalue: '1' });
    expect((await sizeOf({})).height).toBeGreaterThan(plain.height);
    expect((await sizeOf({ hidevalue: '1', text: 'Gate A' })).height).toBeGreaterThan(plain.height);
  });

  const logo = async (): Promise<Uint8Array<ArrayBuffer>> => {
    const picture = blank(60, 30);
    for (let at = 0; at < picture.pixels.length; at += 4) picture.pixels.set([200, 20, 20], at);
    return new Uint8Array((await encodePicture(picture, 'PNG')).bytes);
  };

  it.each(['top', 'bottom', 'left', 'right'])(
    'a logo at the %s of a generated barcode is drawn whole, and the barcode stays readable',
    async (logoposition) => {
      const made = await make({ value: 'HLF-1', filetype: 'PNG', logoposition, errorcorrection: 'H' }, await logo());
      const picture = await decodePicture(made.bytes);
      expect(countRed(picture)).toBe(60 * 30);
      expect((await read(made.bytes))?.text).toBe('HLF-1');
    },
  );

  it.each<[string, string | undefined, (response: ServerResponse) => unknown]>([
    ['draws the picture at the URL', undefined, async (response) => response.end(await logo())],
    ['refuses an HTML page', '50', (response) => response.end('<html></html>')],
    ['refuses a redirect', '104', (response) => response.writeHead(302, { location: '/' }).end()],
    ['refuses an empty response', '104', (response) => response.end()],
    ['refuses a missing picture', '104', (response) => response.writeHead(404).end('none')],
    ['refuses a picture that is too large', '105', (response) => response.end(Buffer.alloc(2_000_001))],
  ])('the barcode generator, given the URL of a logo, %s', async (_, code, answer) => {
    const server = createServer({ keepAliveTimeout: 65_000 }, (_request, response) => answer(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/logo.png`;
    const made = await make({ value: 'HLF-1', filetype: 'PNG', logo: url });
    expect(made.code).toBe(code);
    if (code === undefined) expect(countRed(await decodePicture(made.bytes))).toBe(60 * 30);
    await new Promise((resolve) => server.close(resolve));
  });

  it.each(['ftp://x.example/logo.png', 'logo.png', 'http://127.0.0.1:9/logo.png'])(
    'the barcode generator refuses a logo URL that cannot be fetched: %s',
    async (address) => {
      expect((await make({ value: 'x', logo: address })).code).toBe('104');
    },
  );

  it('the barcode generator refuses a logo that is too large, empty, cut off or no picture', async () => {
    expect((await make({ value: 'x' }, new Uint8Array(2_000_001))).code).toBe('105');
    expect((await make({ value: 'x' }, new Uint8Array(0))).code).toBe('104');
    expect((await make({ value: 'x' }, new TextEncoder().encode('<svg onload="alert(1)"/>'))).code).toBe('50');
    expect(
      (await make({ value: 'x' }, new Uint8Array((await encodePicture(blank(9, 9), 'PNG')).bytes).slice(0, 40))).code,
    ).toBe('50');
  });

  it('the barcode generator draws ΩΩΩΩΩΩ, which its font lacks, more than twice as wide as ©©©©©©', async () => {
    const [omega, copyright] = await Promise.all([
      sizeOf({ value: 'Ω', size: '1' }),
      sizeOf({ value: '©', size: '1' }),
    ]);
    const [long, short] = await Promise.all([
      sizeOf({ value: 'ΩΩΩΩΩΩ', size: '1' }),
      sizeOf({ value: '©©©©©©', size: '1' }),
    ]);
    expect(omega.width).toBeGreaterThanOrEqual(copyright.width);
    expect(long.width).toBeGreaterThan(short.width * 2);
  });
});

function countRed({ pixels }: Bitmap): number {
  let count = 0;
  for (let at = 0; at < pixels.length; at += 4) {
    if (pixels[at] === 200 && pixels[at + 1] === 20 && pixels[at + 2] === 20) count += 1;
  }
  return count;
}
