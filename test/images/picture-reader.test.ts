import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { createPictureReader, type PictureReader, type PictureResult } from '../../src/images/index.js';
import { silentLog } from '../../src/log.js';
import { type Drawn, drawSymbol, photograph } from '../bench/drawn-pictures.js';
import { builtPictureWorker } from '../helpers/picture-worker.js';

const deps = { clock: systemClock, log: silentLog };
const reader = createPictureReader({ ...deps, workerFile: builtPictureWorker });
afterAll(() => reader.stop());

const textsOf = (result: PictureResult) => (result.kind === 'read' ? result.barcodes.map(({ text }) => text) : result);

describe('a picture', () => {
  test.each<Drawn & { symbology: string; name: string; read?: string }>([
    { format: 'QRCode', text: 'Grüße 00123 €', symbology: ']Q1', name: 'QR Code' },
    { format: 'DataMatrix', text: ' 0012 ab', symbology: ']d1', name: 'Data Matrix' },
    { format: 'AztecCode', text: 'AZ-001', symbology: ']z0', name: 'Aztec' },
    { format: 'PDF417', text: 'PDF 0001 text', symbology: ']L2', name: 'PDF417' },
    { format: 'EAN13', text: '4006381333931', symbology: ']E0', name: 'EAN-13' },
    { format: 'EAN8', text: '00012348', symbology: ']E4', name: 'EAN-8' },
    { format: 'UPCA', text: '012345678905', symbology: ']E0', name: 'UPC-A' },
    { format: 'Code39', text: 'ABC-001', symbology: ']A0', name: 'Code 39' },
    { format: 'Code93', text: 'ABC-001', symbology: ']G0', name: 'Code 93' },
    { format: 'Code128', text: '00 ab-_1', symbology: ']C0', name: 'Code 128' },
    { format: 'ITF', text: '00012345678905', symbology: ']I1', name: 'ITF' },
    { format: 'Codabar', text: 'A0012345B', symbology: ']F0', name: 'Codabar' },
  ])(
    'the picture reader reads the exact text and the symbology of a barcode of the format $name',
    async ({ symbology, name, ...drawn }) => {
      const picture = await photograph([await drawSymbol(drawn)], { jpeg: 85 });
      expect(await reader.read(picture)).toEqual({
        kind: 'read',
        barcodes: [{ text: drawn.text, format: name, symbology }],
      });
    },
  );

  test('a picture of a GS1 barcode is read with its symbology identifier ]d2 and its separators', async () => {
    const text = '[01]09501101530003[10]AB-1[17]261231';
    const picture = await photograph([await drawSymbol({ format: 'DataMatrix', text, options: 'gs1' })]);
    const result = await reader.read(picture);
    expect(result).toMatchObject({ kind: 'read', barcodes: [{ symbology: ']d2' }] });
    expect(textsOf(result)).toEqual(['010950110153000310AB-1\u001d17261231']);
  });

  test.each([
    ['white', '#fff'],
    ['black', '#000'],
  ])('a %s barcode on a transparent picture is read', async (_, color) => {
    const symbol = await drawSymbol({ format: 'QRCode', text: 'CLEAR-0012' });
    const { data, info } = await sharp(symbol)
      .greyscale()
      .negate({ alpha: false })
      .raw()
      .toBuffer({ resolveWithObject: true });
    // The bars of the symbol are opaque, all else is transparent.
    const mask = await sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
      .extractChannel(0)
      .toColourspace('b-w')
      .raw()
      .toBuffer();
    const { width, height } = info;
    const picture = await sharp({ create: { width, height, channels: 3, background: color } })
      .joinChannel(mask, { raw: { width, height, channels: 1 } })
      .extend({ top: 40, bottom: 40, left: 40, right: 40, background: { r: 0, g: 0, b: 0, alpha: 0 } })
      .png()
      .toBuffer();
    expect((await sharp(picture).metadata()).hasAlpha).toBe(true);
    expect(textsOf(await reader.read(picture))).toEqual(['CLEAR-0012']);
  });

  test('a UPC-E barcode of a photo is read as the article number that it stands for', async () => {
    const picture = await photograph([await drawSymbol({ format: 'UPCE', text: '01234565' })], { jpeg: 85 });
    expect(textsOf(await reader.read(picture))).toEqual(['0012345000065']);
  });

  test('a UPC-E barcode is read beside other barcodes of a photo', async () => {
    const symbols = await Promise.all([
      drawSymbol({ format: 'Code128', text: 'TOP-1' }),
      drawSymbol({ format: 'UPCE', text: '01234565' }),
      drawSymbol({ format: 'EAN13', text: '4006381333931' }),
    ]);
    expect(textsOf(await reader.read(await photograph(symbols, { jpeg: 80 })))).toEqual([
      'TOP-1',
      '0012345000065',
      '4006381333931',
    ]);
  });

  test('all barcodes of a picture are read, from top to bottom', async () => {
    const symbols = await Promise.all([
      drawSymbol({ format: 'Code128', text: 'TOP-1' }),
      drawSymbol({ format: 'QRCode', text: 'MIDDLE-2' }),
      drawSymbol({ format: 'EAN13', text: '4006381333931' }),
    ]);
    expect(textsOf(await reader.read(await photograph(symbols, { jpeg: 80 })))).toEqual([
      'TOP-1',
      'MIDDLE-2',
      '4006381333931',
    ]);
  });

  test.each([11, -14, 90, 183])(
    'a barcode is read from a picture turned by %i degrees and blurred',
    async (degrees) => {
      const symbol = await drawSymbol({ format: 'Code128', text: 'TURNED-0042' });
      const picture = await photograph([symbol], { degrees, blur: 1.5, jpeg: 75 });
      expect(textsOf(await reader.read(picture))).toEqual(['TURNED-0042']);
    },
  );

  test('a picture without a barcode yields no barcode', async () => {
    const empty = await photograph([
      await sharp({ create: { width: 300, height: 200, channels: 3, background: '#888' } })
        .png()
        .toBuffer(),
    ]);
    expect(await reader.read(empty)).toEqual({ kind: 'read', barcodes: [] });
  });

  test('the picture reader never blocks the event loop for 300 ms while a large picture is read', async () => {
    const symbol = await drawSymbol({ format: 'QRCode', text: 'LARGE' }, 10);
    const photo = await photograph([symbol], { scale: 4, jpeg: 90, degrees: 10 });
    let [last, longest] = [performance.now(), 0];
    const probe = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    expect(textsOf(await reader.read(photo))).toEqual(['LARGE']);
    clearInterval(probe);
    // Decoding takes longer than this; the machine may be busy with other things.
    expect(longest).toBeLessThan(300);
  });
});

describe('a file that is no readable picture', () => {
  const refused = async (bytes: Uint8Array) => ((await reader.read(bytes)) as { why?: string }).why;

  test('the picture reader refuses text, an SVG and an empty file because of their format', async () => {
    expect(await refused(Buffer.from('0012345'))).toBe('format');
    expect(
      await refused(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>')),
    ).toBe('format');
    expect(await refused(new Uint8Array())).toBe('format');
  });

  test('a picture in HEIC, an iPhone’s own format, is refused as HEIC', async () => {
    expect(await refused(Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'))).toBe('heic');
  });

  test('a small file that expands to a huge picture is refused as too large', async () => {
    const bomb = await sharp({ create: { width: 12_000, height: 12_000, channels: 3, background: '#fff' } })
      .png({ compressionLevel: 9 })
      .toBuffer();
    expect(bomb.length).toBeLessThan(1_000_000);
    expect(await refused(bomb)).toBe('too_large');
  });

  test('a picture file that is cut off is refused as broken', async () => {
    const whole = await drawSymbol({ format: 'QRCode', text: 'WHOLE' });
    expect(await refused(whole.subarray(0, 60))).toBe('broken');
  });
});

describe('the worker', () => {
  /** A reader whose worker runs the script for each message. */
  function readerOf(script: string, timeoutMs?: number): PictureReader {
    const file = join(mkdtempSync(join(tmpdir(), 'scandesk-worker-')), 'worker.mjs');
    writeFileSync(
      file,
      `import { parentPort } from 'node:worker_threads';\nparentPort.on('message', ({ id, bytes }) => { ${script} });\n`,
    );
    return createPictureReader({ ...deps, workerFile: pathToFileURL(file), ...(timeoutMs ? { timeoutMs } : {}) });
  }
  /** The worker answers with the first byte; 0 ends its thread, 1 hangs it, 2 throws. */
  const answering = `if (bytes[0] === 0) process.exit(1);
    if (bytes[0] === 1) for (;;);
    if (bytes[0] === 2) throw new Error('fails');
    parentPort.postMessage({ id, result: { kind: 'read', barcodes: [{ text: String(bytes[0]), format: '', symbology: '' }] } });`;

  test('a picture worker that dies, fails or hangs loses only the picture that it is reading', async () => {
    const mortal = readerOf(answering, 1_500);
    const results = await Promise.all([7, 0, 8, 1, 9, 2, 10].map((first) => mortal.read(Uint8Array.of(first))));
    expect(results.map(textsOf)).toEqual([
      ['7'],
      { kind: 'refused', why: 'failed' },
      ['8'],
      { kind: 'refused', why: 'failed' },
      ['9'],
      { kind: 'refused', why: 'failed' },
      ['10'],
    ]);
    await mortal.stop();
  });

  test('a picture reader takes 21 pictures at once, and refuses more as busy', async () => {
    const slow = readerOf(
      'setTimeout(() => parentPort.postMessage({ id, result: { kind: "read", barcodes: [] } }), 5)',
    );
    const results = await Promise.all(Array.from({ length: 60 }, () => slow.read(Uint8Array.of(7))));
    expect(results.filter(({ kind }) => kind === 'read').length).toBe(21);
    expect(results.at(-1)).toEqual({ kind: 'refused', why: 'busy' });
    expect(await slow.read(Uint8Array.of(7))).toEqual({ kind: 'read', barcodes: [] });
    await slow.stop();
  });

  test('a picture reader takes four pictures of 20 MB at once, and refuses more as busy', async () => {
    const slow = readerOf(
      'setTimeout(() => parentPort.postMessage({ id, result: { kind: "read", barcodes: [] } }), 5)',
    );
    const largest = new Uint8Array(20_000_000);
    const results = await Promise.all(Array.from({ length: 20 }, () => slow.read(largest)));
    // One is read while three wait.
    expect(results.filter(({ kind }) => kind === 'read')).toHaveLength(4);
    expect(results.at(-1)).toEqual({ kind: 'refused', why: 'busy' });
    await slow.stop();
  });

  test('a stopped picture reader refuses the pictures that wait, and a new picture', async () => {
    const hanging = readerOf('for (;;);');
    const waiting = [hanging.read(Uint8Array.of(1)), hanging.read(Uint8Array.of(2))];
    await hanging.stop();
    expect(await Promise.all(waiting)).toEqual([
      { kind: 'refused', why: 'failed' },
      { kind: 'refused', why: 'busy' },
    ]);
    expect(await hanging.read(Uint8Array.of(3))).toEqual({ kind: 'refused', why: 'busy' });
  });
});
