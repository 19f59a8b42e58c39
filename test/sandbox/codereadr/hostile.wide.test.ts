import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../../src/codereadr/operations/index.js';
import { sampleKeys } from '../../../src/sandbox/codereadr/index.js';
import { anyText } from '../../helpers/any-text.js';
import { type Harness, readDocument, startService } from './harness.js';

let h: Harness;
beforeAll(async () => {
  h = await startService();
});
afterAll(() => h.close());

const names = [...new Set(operations.flatMap((operation) => Object.keys(operation.input)))];
const odd = fc.oneof(
  anyText({ maxLength: 60 }),
  fc.constantFrom(
    'all',
    '',
    '0',
    '-1',
    '1201',
    '1022',
    '13001,13002',
    '1,,2',
    'null',
    '[]',
    '{}',
    '%',
    '%%%',
    '\0',
    "' OR 1=1 --",
  ),
  fc.bigInt({ min: 0n, max: 10n ** 40n }).map(String),
  fc.double().map(String),
  fc.string({ maxLength: 5 }).map((text) => text.repeat(3000)),
);
const name = fc.oneof(
  fc.constantFrom(...names),
  fc.tuple(fc.constantFrom(...names), fc.string({ maxLength: 8 })).map(([base, inner]) => `${base}[${inner}]`),
  fc.constantFrom(
    'values[0][value]',
    'values[][value]',
    'values[0][0][0][0]',
    '__proto__[x]',
    'constructor',
    'xml',
    'api_key[]',
  ),
  fc.string({ maxLength: 12 }),
);
const variables = fc.array(fc.tuple(name, odd), { maxLength: 8 });
const operation = fc.constantFrom(...operations);

/** Any answer: XML without a stack and with a status, a picture, or the page for what is no call. */
async function isFine(response: Response): Promise<void> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('image/')) return;
  expect([200, 405]).toContain(response.status);
  if (response.status === 405) return;
  const answer = readDocument(bytes.toString('utf8'));
  expect(['0', '1']).toContain(answer.status);
  // Code 2 stands for an internal error, which no request may cause.
  expect(answer.code).not.toBe('2');
  expect(bytes.toString('utf8')).not.toContain(sampleKeys.demo);
}

const target = (section: string) => (section === 'barcode' ? `${h.url}/barcode/api/` : h.api);

describe('any request', () => {
  it('any form sent to the embedded account gets a response of the contract’s form', async () => {
    await fc.assert(
      fc.asyncProperty(operation, variables, async ({ section, action }, given) => {
        const body = new URLSearchParams([
          ...given,
          ['section', section],
          ['action', action],
          ['api_key', sampleKeys.demo],
        ]);
        await isFine(await fetch(target(section), { method: 'POST', body }));
      }),
      { numRuns: 120 },
    );
  });

  it('any multipart request to the embedded account, with files, gets a response of the contract’s form', async () => {
    const files = fc.array(
      fc.tuple(fc.constantFrom('csvfile', 'logo', 'xml', 'x'), fc.uint8Array({ maxLength: 300 })),
      { maxLength: 2 },
    );
    await fc.assert(
      fc.asyncProperty(operation, variables, files, async ({ section, action }, given, sent) => {
        const body = new FormData();
        for (const [field, value] of [
          ...given,
          ['section', section],
          ['action', action],
          ['api_key', sampleKeys.demo],
        ] as const) {
          body.append(field, value);
        }
        for (const [field, bytes] of sent) body.append(field, new Blob([new Uint8Array(bytes)]), 'x.csv');
        await isFine(await fetch(target(section), { method: 'POST', body }));
      }),
      { numRuns: 60 },
    );
  });

  it('any XML request to the embedded account, however hostile, gets a response of the contract’s form', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '<a>',
        '</a>',
        '<a/>',
        '<![CDATA[',
        ']]>',
        '<!--',
        '-->',
        '<?x ?>',
        '&amp;',
        '&#0;',
        '&#29;',
        '&x;',
        '<!DOCTYPE a>',
        '<a b="c">',
        '<values><value>1</value></values>',
        '<ids>1</ids>',
      ),
      anyText({ maxLength: 10 }),
    );
    await fc.assert(
      fc.asyncProperty(operation, fc.array(piece, { maxLength: 15 }), async ({ section, action }, pieces) => {
        const call = `<api_key>${sampleKeys.demo}</api_key><section>${section}</section><action>${action}</action>`;
        const body = `<xml>${call}${pieces.join('')}</xml>`;
        await isFine(await fetch(target(section), { method: 'POST', body, headers: { 'Content-Type': 'text/xml' } }));
      }),
      { numRuns: 80 },
    );
  });

  it('any random bytes sent to the embedded account get a response of the contract’s form', async () => {
    const types = fc.constantFrom(
      'application/xml',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      '',
    );
    await fc.assert(
      fc.asyncProperty(types, fc.uint8Array({ maxLength: 400 }), async (type, bytes) => {
        const headers: Record<string, string> = type ? { 'Content-Type': type } : {};
        await isFine(await fetch(h.api, { method: 'POST', body: new Uint8Array(bytes), headers }));
      }),
      { numRuns: 60 },
    );
  });

  it('any request to the embedded account’s scanner gets 200, 400, 404 or 422, and no stack trace', async () => {
    const request = fc.oneof(
      fc.anything(),
      fc.record({
        service_id: fc.constantFrom('1201', '1203', '1204', '1'),
        device_id: fc.constantFrom('571', 'x'),
        user_id: fc.constantFrom('702', '704'),
        value: anyText({ maxLength: 200 }),
        answers: fc.dictionary(fc.string({ maxLength: 4 }), fc.string({ maxLength: 9 })),
        properties: fc.dictionary(fc.string({ maxLength: 9 }), fc.string({ maxLength: 9 })),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('scan', 'answer', 'upload', 'faults'), request, async (path, body) => {
        const { status, body: answer } = await h.json('POST', `/scanner/${path}`, body ?? null);
        expect([200, 400, 404, 422]).toContain(status);
        expect(JSON.stringify(answer)).not.toMatch(/node_modules|\n\s+at /);
      }),
      { numRuns: 80 },
    );
  });
});

it('the embedded account returns any barcode of up to 100 characters, less the characters XML forbids', async () => {
  const made =
    (await h.ok('databases/create', { database_name: 'anything', case_sensitivity: '1' })).get('id')?.text ?? '';
  const barcode = anyText({ minLength: 1, maxLength: 100 }).filter(
    (value) => !value.includes('\0') && [...value].length <= 100 && !/\p{Surrogate}/u.test(value),
  );
  await fc.assert(
    fc.asyncProperty(barcode, async (value) => {
      await h.ok('databases/upsertvalue', { database_id: made, value, response: value, trim_value: '0' });
      const found = (await h.ok('databases/showvalues', { database_id: made, value })).all('value');
      const told = value.replace(/[\x01-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '');
      expect(found.map((one) => [one.get('id')?.text, one.get('response')?.text])).toEqual([[told, told]]);
    }),
    { numRuns: 80 },
  );
});

it('the embedded account still works after all hostile requests', async () => {
  expect((await h.call('limits/retrieve')).status).toBe('1');
});
