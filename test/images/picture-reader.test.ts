import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { createPictureReader, type PictureReader, type PictureResult } from '../../src/images/index.js';
import { silentLog } from '../../src/log.js';
import { drawSymbol, photograph } from '../bench/drawn-pictures.js';
import { builtPictureWorker } from '../helpers/picture-worker.js';
import { wideIt } from '../helpers/tier/wide-it.js';

const deps = { clock: systemClock, log: silentLog };
const reader = createPictureReader({ ...deps, workerFile: builtPictureWorker });
afterAll(() => reader.stop());

const textsOf = (result: PictureResult) => (result.kind === 'read' ? result.barcodes.map(({ text }) => text) : result);

describe('a picture', () => {
  test('a picture of a GS1 barcode is read with its symbology identifier ]d2 and its separators', async () => {
    const text = '[01]09501101530003[10]AB-1[17]261231';
    const picture = await photograph([await drawSymbol({ format: 'DataMatrix', text, options: 'gs1' })]);
    const result = await reader.read(picture);
    expect(result).toMatchObject({ kind: 'read', barcodes: [{ symbology: ']d2' }] });
    expect(textsOf(result)).toEqual(['010950110153000310AB-1\u001d17261231']);
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

  wideIt('the picture reader leaves the event loop to others while a large picture is read', async () => {
    const symbol = await drawSymbol({ format: 'QRCode', text: 'LARGE' }, 10);
    const photo = await photograph([symbol], { scale: 4, jpeg: 90, degrees: 10 });
    const begun = performance.now();
    let [last, longest] = [begun, 0];
    const probe = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    expect(textsOf(await reader.read(photo))).toEqual(['LARGE']);
    clearInterval(probe);
    // A picture that is decoded on the loop blocks it nearly all of that time; a busy machine delays the probe, but not so long.
    expect(longest).toBeLessThan((performance.now() - begun) / 2);
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

  wideIt('a small file that expands to a huge picture is refused as too large', async () => {
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

  wideIt('a picture worker that dies, fails or hangs loses only the picture that it is reading', async () => {
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
