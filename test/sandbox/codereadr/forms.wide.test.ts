import { connect } from 'node:net';
import { XMLParser } from 'fast-xml-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleKeys } from '../../../src/sandbox/codereadr/index.js';
import { gs } from '../../../src/sandbox/codereadr/sample/values.js';
import { type Harness, readAnswer, startService } from './harness.js';
import { type Tree, ways } from './ways.js';

let h: Harness;
beforeAll(async () => {
  h = await startService();
  await h.json('POST', '/scanner/faults', { get_allowed: true });
});
afterAll(() => h.close());

const key = { api_key: sampleKeys.demo };

/** Calls, each with a pattern that its response must match: taken from the contract, not from the code. */
const golden: readonly [string, Tree, RegExp][] = [
  ['a call for a list', { section: 'services', action: 'retrieve' }, /<validationmethod>ondevicedatabase</],
  ['a call with IDs and spaces', { section: 'users', action: 'retrieve', user_id: '702, 703' }, /<user id="703">/],
  [
    'a call for a value with outer spaces',
    { section: 'databases', action: 'showvalues', database_id: '1022', value: ' PALLET 7 ' },
    /> PALLET 7 </,
  ],
  [
    'a call for a value with markup',
    { section: 'databases', action: 'showvalues', database_id: '1022', value: 'A&B <1>' },
    />A&amp;B &lt;1&gt;</,
  ],
  [
    'a call for a value with a GS1 separator',
    { section: 'databases', action: 'showvalues', database_id: '1022', value: `010401234567890110LOT42${gs}17261231` },
    /><id>010401234567890110LOT4217261231</,
  ],
  [
    'a call for a value in several scripts',
    { section: 'databases', action: 'showvalues', database_id: '1022', valuelike: '部品' },
    /Grün\/ÄÖ Ω 部品/,
  ],
  [
    'a call with a filter by property',
    { section: 'scans', action: 'retrieve', limit: '3', with_property: { capture_type: 'manual entry' } },
    /<count>3</,
  ],
  [
    'a call with several records',
    {
      section: 'databases',
      action: 'upsertmultivalue',
      database_id: '1023',
      values: [
        { value: 'w-1', response: 'one', validity: '0' },
        { value: ' w 2 ', trim_value: '0' },
      ],
    },
    /<status>1</,
  ],
  [
    'a call with one record',
    { section: 'databases', action: 'upsertmultivalue', database_id: '1023', values: [{ value: 'w-3' }] },
    /<status>1</,
  ],
  [
    'a call that is refused',
    { section: 'services', action: 'retrieve', service_id: '1' },
    /<status>0<.*<error code="200">/,
  ],
  ['a call without a section', { action: 'retrieve' }, /<error code="120">/],
  [
    'a call with undeclared variables',
    { section: 'limits', action: 'retrieve', nonsense: 'x', more: { a: 'b' } },
    /<minute left="-1"/,
  ],
];

describe.each(golden)('%s', (_, tree, expected) => {
  it('the embedded account gives a call one response in every encoding: form, XML, GET or multipart', async () => {
    const answers = await Promise.all(
      Object.values(ways).map(async (submit) => {
        const response = await submit(h.api, { ...key, ...tree });
        expect(response.headers.get('content-type')).toMatch(/^text\/xml/);
        return response.text();
      }),
    );
    expect(answers[0]).toMatch(expected);
    const parser = new XMLParser({ ignoreAttributes: false, parseTagValue: false, trimValues: false });
    for (const answer of answers) expect(parser.parse(answer)).toEqual(parser.parse(answers[0] as string));
  });
});

it('the embedded account stores the records of a form unchanged, however the form is encoded', async () => {
  const values = (await h.ok('databases/showvalues', { database_id: '1023', valuelike: 'w' })).all('value');
  expect(values.map((value) => value.get('id')?.text)).toEqual(['w-1', ' w 2 ', 'w-3']);
});

describe('GET', () => {
  it('the embedded account refuses a GET with 405 and an HTML page while GET is switched off', async () => {
    const own = await startService();
    const query = new URLSearchParams({ ...key, section: 'limits', action: 'retrieve' });
    const response = await fetch(`${own.api}?${query}`);
    expect(response.status).toBe(405);
    expect(await response.text()).toMatch(/^<!DOCTYPE html>/);
    await own.close();
  });

  it('the embedded account answers 405 to a GET with a wrong key, even if GET is switched on', async () => {
    expect((await fetch(`${h.api}?api_key=wrong&section=limits&action=retrieve`)).status).toBe(405);
  });
});

describe('XML', () => {
  const post = async (body: string | Uint8Array<ArrayBuffer>, type = 'application/xml') =>
    readAnswer(await fetch(h.api, { method: 'POST', body, headers: { 'Content-Type': type } }));
  const call = '<section>limits</section><action>retrieve</action>';
  const ask = (inner = '') => `<xml><api_key>${sampleKeys.demo}</api_key>${call}${inner}</xml>`;

  it('an XML request to the embedded account may have 1,000,000 bytes, but not one byte more', async () => {
    const padded = (bytes: number) => ask(`<pad>${'x'.repeat(bytes - ask('<pad></pad>').length)}</pad>`);
    expect(padded(1_000_000).length).toBe(1_000_000);
    expect((await post(padded(1_000_000))).status).toBe('1');
    expect((await post(padded(1_000_001))).code).toBe('102');
    expect((await post(padded(5_000_000))).code).toBe('102');
    const asString = new URLSearchParams({ xml: padded(1_000_001) }).toString();
    expect((await post(asString, 'application/x-www-form-urlencoded')).code).toBe('102');
  });

  it.each([
    ['no content', ''],
    ['form text instead of XML', 'section=limits'],
    ['a tag left open', `<xml><api_key>${sampleKeys.demo}</api_key>`],
    ['a root other than xml', ask().replaceAll('xml>', 'html>')],
    ['two roots', ask() + ask()],
    ['an unknown entity', ask('<a>&nbsp;</a>')],
    ['a bare ampersand', ask('<a>a & b</a>')],
    ['a reference to half a surrogate pair', ask('<a>&#xD800;</a>')],
    ['a DOCTYPE', `<!DOCTYPE xml>${ask()}`],
    ['an entity declared in its DOCTYPE', `<!DOCTYPE xml [<!ENTITY a "b">]>${ask('<a>&a;</a>')}`],
    [
      'an entity bomb',
      `<!DOCTYPE xml [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;">]>${ask('<x>&c;</x>')}`,
    ],
    [
      'an entity for a file of the machine',
      `<!DOCTYPE xml [<!ENTITY a SYSTEM "file:///etc/passwd">]>${ask('<x>&a;</x>')}`,
    ],
    ['a hundred thousand nested elements', ask('<a>'.repeat(100_000) + '</a>'.repeat(100_000))],
    ['an element named __proto__', ask('<__proto__><x>1</x></__proto__>')],
  ])(
    'an XML request with %s is refused with 103, without the API key or a file’s text in the response',
    async (_, body) => {
      const answer = await post(body);
      expect(answer.code).toBe('103');
      expect(answer.text).not.toContain(sampleKeys.demo);
      expect(answer.text).not.toContain('root:');
    },
  );

  it.each([
    ['a byte order mark', `\ufeff${ask()}`],
    ['a declaration and comments', `<?xml version="1.0"?><!-- <!DOCTYPE x> -->${ask('<!-- & -->')}`],
    ['CDATA that looks like a DOCTYPE', ask('<a><![CDATA[<!DOCTYPE a>]]></a>')],
    ['attributes', ask('<a b="c">d</a>')],
    ['a processing instruction', `<?php echo 1 ?>${ask()}`],
  ])('a request to the embedded account in XML with %s is read', async (_, body) => {
    expect((await post(body)).status).toBe('1');
  });

  it('a request to the embedded account in XML keeps CDATA, references and spaces to the letter', async () => {
    const value = '<![CDATA[ <a>&amp; ]]>&#38;&#x41;&apos; &lt;';
    const body = ask().replace(
      call,
      '<section>databases</section><action>addvalue</action><database_id>1022</database_id>',
    );
    await post(body.replace('</xml>', `<trim_value>0</trim_value><value>${value}</value></xml>`));
    const found = (await h.ok('databases/showvalues', { database_id: '1022', value: ` <a>&amp; &A' <` })).all('value');
    expect(found.length).toBe(1);
  });
});

describe('an odd body', () => {
  const raw = (head: string, body: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(h.api);
      const socket = connect(Number(port), hostname, () =>
        socket.write(`${head}\r\nHost: x\r\nConnection: close\r\n\r\n${body}`),
      );
      let heard = '';
      socket.on('data', (part) => {
        heard += part.toString();
      });
      socket.on('end', () => resolve(heard));
      socket.on('error', reject);
    });

  it('a request to the embedded account with broken percent signs and broken UTF-8 is accepted', async () => {
    const body = `api_key=${sampleKeys.demo}&section=databases&action=showvalues&database_id=1022&value=%zz%FF%`;
    const answer = await readAnswer(
      await fetch(h.api, { method: 'POST', body, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }),
    );
    expect(answer.status).toBe('1');
  });

  it('the embedded account takes the last value of a variable that a request has twice, as PHP does', async () => {
    const body = `section=x&api_key=${sampleKeys.demo}&section=limits&action=retrieve`;
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await readAnswer(await fetch(h.api, { method: 'POST', body, headers }))).status).toBe('1');
  });

  it('a request to the embedded account in an unknown format is refused for its missing key', async () => {
    for (const type of ['application/json', 'text/plain', 'application/octet-stream']) {
      const response = await fetch(h.api, {
        method: 'POST',
        body: '{"api_key":"x"}',
        headers: { 'Content-Type': type },
      });
      expect((await readAnswer(response)).code).toBe('101');
    }
    expect(await raw('POST /api/ HTTP/1.1\r\nContent-Length: 0', '')).toContain('code="101"');
  });

  it('a request to the embedded account with a broken multipart body is refused with 101 or 104', async () => {
    for (const [type, body] of [
      ['multipart/form-data', 'x'],
      ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\ncut'],
      ['multipart/form-data; boundary=x', 'nothing of it'],
    ] as const) {
      const response = await fetch(h.api, { method: 'POST', body, headers: { 'Content-Type': type } });
      expect(['104', '101']).toContain((await readAnswer(response)).code);
    }
  });

  it('a request to the embedded account with the method PUT, DELETE or HEAD is refused with 405', async () => {
    for (const method of ['PUT', 'DELETE', 'HEAD']) expect((await fetch(h.api, { method })).status).toBe(405);
  });
});
