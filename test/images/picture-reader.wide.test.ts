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
});
