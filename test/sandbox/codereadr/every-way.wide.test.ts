/**
 * Every operation of the catalogue, called with success in each way to encode a request, each way at an account of its
 * own: the responses mean the same. An operation that is not in this table fails the test.
 */
import { XMLParser } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { operationName, operations } from '../../../src/codereadr/operations/index.js';
import { sampleKeys } from '../../../src/sandbox/codereadr/index.js';
import { readDocument, startService } from './harness.js';
import { type Tree, ways } from './ways.js';

/** Calls in an order in which each finds what it needs. `keep` names the response's id, which `$name` stands for later. */
const steps: readonly (readonly [operation: string, variables: Tree, keep?: string])[] = [
  ['databases/create', { database_name: 'Guests & <crew>', case_sensitivity: '1' }, 'db'],
  ['databases/update', { database_id: '$db', database_name: 'Guests' }],
  ['databases/addvalue', { database_id: '$db', value: '007', response: 'Bond, *James*', validity: '1' }],
  ['databases/upsertvalue', { database_id: '$db', value: '008', response: '', validity: '0' }],
  [
    'databases/upsertmultivalue',
    { database_id: '$db', values: [{ value: '009', response: 'Nine' }, { value: '010' }] },
  ],
  ['databases/editvalue', { database_id: '$db', value: '009', response: 'Nine lives' }],
  ['databases/showvalues', { database_id: '$db' }],
  ['databases/upload', { database_id: '$db' }],
  ['databases/retrieve', { database_id: '$db' }],
  ['databases/deletevalue', { database_id: '$db', value: '009' }],
  ['databases/clear', { database_id: '$db' }],
  ['questions/create', { question_text: 'Which gate?', question_type: 'option' }, 'question'],
  ['questions/addanswer', { question_id: '$question', answer_text: 'North' }, 'answer'],
  ['questions/addanswer', { question_id: '$question', answer_text: 'South' }],
  ['questions/addanswer', { question_id: '$question', answer_text: 'West' }],
  ['questions/retrieve', { question_id: '$question' }],
  ['questions/deleteanswer', { answer_id: '$answer' }],
  ['users/create', { username: 'walker', password: 'canary-pass-1', limit: '2' }, 'user'],
  ['users/update', { user_id: '$user', limit: '3' }],
  ['users/validate', { username: 'walker', password: 'canary-pass-1' }],
  ['users/retrieve', { user_id: '$user' }],
  ['services/create', { validation_method: 'database', service_name: 'Walk', database_id: '$db' }, 'service'],
  ['services/update', { service_id: '$service', description: 'Mind the step', symbologies: '6,34' }],
  ['services/adduserpermission', { service_id: '$service', user_id: '$user' }],
  ['services/addquestion', { service_id: '$service', question_id: '$question', condition: 'valid_scan' }],
  ['services/retrieve', { service_id: '$service' }],
  ['services/removequestion', { service_id: '$service', question_id: '$question' }],
  ['services/revokeuserpermission', { service_id: '$service', user_id: '$user' }],
  ['services/delete', { service_id: '$service' }],
  ['users/delete', { user_id: '$user' }],
  ['questions/delete', { question_id: '$question' }],
  ['databases/delete', { database_id: '$db' }],
  ['devices/update', { device_id: '571', device_name: 'Gate A phone <2>' }],
  ['devices/retrieve', { device_id: '571' }],
  ['scan_properties/create', { scan_id: '13001', name: 'shelf', value: 'A' }],
  ['scan_properties/retrieve', { scan_id: '13001', name: 'shelf' }],
  ['scan_properties/update', { scan_id: '13001', name: 'shelf', value: 'B' }],
  ['scan_properties/delete', { scan_id: '13001', name: 'shelf' }],
  ['scans/retrieve', { limit: '20', service_id: '1201' }],
  ['scans/delete', { scan_id: '13001' }],
  ['uploads/retrieve', { device_id: '571' }],
  ['limits/retrieve', {}],
];

/** Operations outside the comparison: only a multipart form carries a file, and a picture is no XML. */
const elsewhere = new Set(['databases/upload', 'barcode/generate']);

it('the test of ways to encode a request covers every operation of the catalogue', () => {
  const named = new Set([...steps.map(([name]) => name), ...elsewhere]);
  expect([...named].sort()).toEqual(operations.map(operationName).sort());
});

const parser = new XMLParser({ ignoreAttributes: false, parseTagValue: false, trimValues: false });

async function walk(way: string): Promise<Map<string, unknown>> {
  const submit = ways[way]!;
  const h = await startService();
  try {
    await h.json('POST', '/scanner/faults', { get_allowed: true });
    const kept = new Map<string, string>();
    const answers = new Map<string, unknown>();
    for (const [name, variables, keep] of steps) {
      const [section = '', action = ''] = name.split('/');
      const named = Object.entries(variables).map(([key, value]) => {
        return [key, typeof value === 'string' && value.startsWith('$') ? kept.get(value.slice(1))! : value];
      });
      const tree: Tree = { section, action, api_key: sampleKeys.demo, ...Object.fromEntries(named) };
      const response = elsewhere.has(name) ? await sendFile(h.api, tree) : await submit(h.api, tree);
      const text = await response.text();
      const { status, code, root } = readDocument(text);
      expect([name, status, code]).toEqual([name, '1', undefined]);
      const id = root.get('id')?.text;
      if (keep !== undefined) {
        expect(id).toMatch(/^\d+$/);
        kept.set(keep, id!);
      }
      answers.set(name, parser.parse(text));
    }
    return answers;
  } finally {
    await h.close();
  }
}

function sendFile(api: string, tree: Tree): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(tree)) form.append(name, value as string);
  form.append('csvfile', new Blob(['"1,1",One,1\n2,Two,0\n'], { type: 'text/csv' }), 'values.csv');
  return fetch(api, { method: 'POST', body: form });
}

describe('every operation', () => {
  it.each(Object.keys(ways))(
    'every operation without a file or picture gives a call sent as %s the same response as a POST form',
    async (way) => {
      const [answers, asForm] = await Promise.all([walk(way), walk('a POST form')]);
      expect(answers).toEqual(asForm);
    },
  );
});

describe('a picture', () => {
  const picture = {
    section: 'barcode',
    action: 'generate',
    api_key: sampleKeys.demo,
    value: '00123',
    barcodetype: 'qr',
    filetype: 'PNG',
  };
  it.each(Object.keys(ways))(
    'a generated picture has the same bytes whether %s or a POST form requests the picture',
    async (way) => {
      const h = await startService();
      try {
        await h.json('POST', '/scanner/faults', { get_allowed: true });
        const bytes = async (by: string) => {
          const response = await ways[by]!(`${h.url}/barcode/api/`, picture);
          expect(response.headers.get('content-type')).toBe('image/png');
          return Buffer.from(await response.arrayBuffer());
        };
        expect((await bytes(way)).equals(await bytes('a POST form'))).toBe(true);
      } finally {
        await h.close();
      }
    },
  );
});
