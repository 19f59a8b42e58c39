import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sampleKeys } from '../../../src/sandbox/codereadr/index.js';
import { type Harness, readAnswer, startService } from './harness.js';

let h: Harness;
let folder: string;
let file: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'upload-'));
  file = join(folder, 'account.db');
  h = await startService({ file, maxFileBytes: 6_000_000 });
});
afterEach(async () => {
  await h.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Upload {
  readonly name?: string;
  readonly field?: string;
  readonly variables?: Record<string, string>;
}

async function upload(content: string | Uint8Array<ArrayBuffer>, options: Upload = {}) {
  const form = new FormData();
  const variables = {
    section: 'databases',
    action: 'upload',
    api_key: sampleKeys.demo,
    database_id: '1022',
    ...options.variables,
  };
  // The file first: its variables may come behind it.
  form.append(options.field ?? 'csvfile', new Blob([content], { type: 'text/csv' }), options.name ?? 'values.csv');
  for (const [name, value] of Object.entries(variables)) form.append(name, value);
  return readAnswer(await fetch(h.api, { method: 'POST', body: form }));
}

const values = async (variables: Record<string, string> = {}, database_id = '1022') =>
  (await h.ok('databases/showvalues', { database_id, ...variables }))
    .all('value')
    .map((value) => [value.get('id')?.text, value.get('response')?.text, value.attributes.validity]);
const added = async (database_id = '1022') => (await values({}, database_id)).slice(database_id === '1022' ? 600 : 0);
const spooled = () => readdirSync(`${file}.files`);

describe('a CSV file', () => {
  it.each([
    ['commas', 'a1,Hello,1\na2,Bye,0\n'],
    ['semicolons', 'a1;Hello;1\r\na2;Bye;0\r\n'],
    ['tabs', 'a1\tHello\t1\na2\tBye\t0'],
    ['a byte order mark', '\ufeffa1,Hello,1\na2,Bye,0\n'],
    ['empty lines', '\na1,Hello,1\n\n\na2,Bye,0\n\n'],
    ['quotes', '"a1","Hello","1"\n"a2","Bye","0"\n'],
    ['more columns than the import reads', 'a1,Hello,1,x,y\na2,Bye,0,,\n'],
  ])('a CSV file with %s is imported', async (_, content) => {
    expect((await upload(content)).status).toBe('1');
    expect(await added()).toEqual([
      ['a1', 'Hello', '1'],
      ['a2', 'Bye', '0'],
    ]);
  });

  it('a CSV file’s quotes, separators, line ends and zeros are imported unchanged', async () => {
    await upload('"00,1;x","say ""hi"";\nthen go",\n0x1F-9,"=1+1"\n1e99\n');
    expect(await added()).toEqual([
      ['00,1;x', 'say "hi";\nthen go', '1'],
      ['0x1F-9', '=1+1', '1'],
      ['1e99', '', '1'],
    ]);
  });

  it('a CSV file’s values are trimmed unless trimming is switched off, and its responses are not trimmed', async () => {
    await upload('  t1 , r \n');
    await upload('  t2 , r \n', { variables: { trim_value: '0' } });
    expect(await added()).toEqual([
      ['t1', ' r ', '1'],
      ['  t2 ', ' r ', '1'],
    ]);
  });

  it('a CSV file replaces existing values, and of several rows with one value the last counts', async () => {
    await upload('1E5,changed,0\ndup,first\nDUP,last\n');
    expect(await values({ value: '1e5' })).toEqual([['1e5', 'changed', '0']]);
    expect(await added()).toEqual([['dup', 'last', '1']]);
    await upload('Case,a\ncase,b\n', { variables: { database_id: '1023' } });
    expect((await values({ valuelike: 'ase' }, '1023')).length).toBe(2);
  });

  it('a CSV file is read as UTF-8 even where a chunk ends within a character', async () => {
    const rows = Array.from({ length: 3000 }, (_, n) => `ü-${n}-部品,Größe ${n}`);
    await upload(rows.join('\n'));
    const found = await added();
    expect(found.length).toBe(3000);
    expect(found[2999]).toEqual(['ü-2999-部品', 'Größe 2999', '1']);
  });

  it.each([
    ['1019', 'ok,1,1\nbad,1,maybe\n'],
    ['1019', `ok\n${'x'.repeat(101)}\n`],
    ['1019', 'ok\n"  ",x\n'],
    ['1026', 'ok,1\n"never closed,2\n'],
    ['1026', 'ok,1\na"b"c,2\n'],
    ['1026', 'ok,1\nPK\x03\x04\0\0,2\n'],
  ])('an invalid CSV file is refused with the error code %s and changes nothing: %j', async (code, content) => {
    expect((await upload(content)).code).toBe(code);
    expect(await added()).toEqual([]);
    expect(spooled()).toEqual([]);
  });

  it('the refusal of a CSV file names the line of the error', async () => {
    expect((await upload('a\nb\nc,,x\n')).text).toContain('Line 3');
  });

  it('a CSV file with a wrong name, form field, size, database or API key is refused and changes nothing', async () => {
    expect((await upload('a', { name: 'values.txt' })).code).toBe('1026');
    expect((await upload('a', { field: 'other' })).code).toBe('1029');
    expect((await h.call('databases/upload', { database_id: '1022', csvfile: 'a' })).code).toBe('104');
    expect((await upload('x'.repeat(6_000_001))).code).toBe('105');
    expect((await upload('a', { variables: { database_id: '1' } })).code).toBe('204');
    expect((await upload('a', { variables: { api_key: sampleKeys.other } })).code).toBe('204');
    expect((await upload('a', { variables: { api_key: 'x' } })).code).toBe('100');
    expect(await added()).toEqual([]);
    expect(spooled()).toEqual([]);
  });

  it('a CSV file without any row is accepted and adds no value', async () => {
    expect((await upload('')).status).toBe('1');
    expect(await added()).toEqual([]);
  });

  it('a CSV file of 100,000 rows is imported while other calls are answered', async () => {
    const rows = Array.from({ length: 100_000 }, (_, n) => `big-${n},Response ${n},${n % 2}`);
    const importing = upload(rows.join('\n'));
    let calls = 0;
    let done = false;
    const finished = importing.then((answer) => {
      done = true;
      return answer;
    });
    while (!done) {
      await h.ok('limits/retrieve');
      calls += 1;
    }
    expect((await finished).status).toBe('1');
    expect(calls).toBeGreaterThan(2);
    const database = (await h.ok('databases/retrieve', { database_id: '1022' })).get('database');
    expect(database?.get('count')?.text).toBe('100600');
    expect(await values({ value: 'BIG-99999' })).toEqual([['big-99999', 'Response 99999', '1']]);
  }, 60_000);
});

describe('a deferred import', () => {
  const deferred = { variables: { is_deferred: '1' } };

  it('a deferred import is acknowledged and then carried out, in the order of the files', async () => {
    expect((await upload('d1,first\nd2,x\n', deferred)).status).toBe('1');
    expect((await upload('d1,second\n', deferred)).status).toBe('1');
    await h.service.idle();
    expect(await added()).toEqual([
      ['d1', 'second', '1'],
      ['d2', 'x', '1'],
    ]);
    expect(spooled()).toEqual([]);
  });

  it('a deferred import that fails changes nothing, and the next deferred import is carried out', async () => {
    await upload(`ok\n${'x'.repeat(101)}\n`, deferred);
    await upload('after\n', deferred);
    await h.service.idle();
    expect((await added()).map(([value]) => value)).toEqual(['after']);
  });

  it('a deferred import is continued after a restart', async () => {
    const rows = Array.from({ length: 40_000 }, (_, n) => `late-${n}`);
    await upload(rows.join('\n'), deferred);
    await h.close();
    h = await startService({ file });
    await h.service.idle();
    expect((await added()).length).toBe(40_000);
    expect(existsSync(join(`${file}.files`, 'import-1.csv'))).toBe(false);
  });
});
