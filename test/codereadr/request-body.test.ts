import fc from 'fast-check';
import qs from 'qs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databases, scans } from '../../src/codereadr/operations/index.js';
import type { AccountClient, Accounts } from '../../src/codereadr/types.js';
import { anyText } from '../helpers/any-text.js';
import { encodeXml, fitsXml } from '../helpers/xml.js';
import { openAccounts, type Server, send, startServer } from './helper.js';

let server: Server;
let accounts: Accounts;
let client: AccountClient;

/** The server answers with the value that it was sent, in XML, as the account would. */
beforeAll(async () => {
  server = await startServer(({ form }, response) => {
    const value = form.get('value') ?? '';
    const child = (name: string, text: string) => ({ name, attributes: {}, text, children: [] });
    const told = { name: 'value', attributes: { validity: '1' }, text: '', children: [child('id', value)] };
    const children = [child('status', '1'), ...(fitsXml(value) ? [told] : [])];
    send(response, encodeXml({ name: 'xml', attributes: {}, text: '', children }));
  });
  accounts = openAccounts(server.url);
  client = accounts.open('key').client;
});

afterAll(async () => {
  await accounts.close();
  await server.close();
});

/** Any text without NUL and half characters, which the check of an input refuses. */
const text = fc
  .oneof(
    anyText({ maxLength: 80 }),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.constantFrom(
      ' 00123 ',
      '1e5',
      '0x1F',
      'true',
      '<!channel>',
      'a+b%20c&d=e',
      '\u001D0109506',
      '`"\'’',
      '[0][value]',
      '\r\n',
    ),
  )
  .filter((value) => !/\0|\p{Surrogate}/u.test(value));

test('any value is unchanged after the request’s form encoding and the XML of the response', async () => {
  await fc.assert(
    fc.asyncProperty(text.filter(Boolean), text, async (value, response) => {
      server.seen.length = 0;
      const shown = await client.call(databases.showvalues, { database_id: '1', value, response });
      expect(server.seen[0]?.form.get('value')).toBe(value);
      expect(server.seen[0]?.form.get('response')).toBe(response);
      expect(shown.values).toEqual(fitsXml(value) ? [{ value, valid: true, response: '' }] : []);
    }),
    { numRuns: 300 },
  );
});

test('records and pairs are encoded in a request as PHP reads them', async () => {
  const key = text.filter((name) => name !== '' && !/[[\],]/.test(name));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ value: text.filter(Boolean), response: text }), { minLength: 1, maxLength: 5 }),
      fc.array(fc.tuple(key, text), { minLength: 1, maxLength: 3 }),
      async (values, pairs) => {
        server.seen.length = 0;
        const short = values.map((record) => ({ ...record, value: [...record.value].slice(0, 100).join('') }));
        await client.call(databases.upsertmultivalue, { database_id: '1', values: short });
        const map = Object.fromEntries(pairs.filter(([name]) => name !== '__proto__'));
        await client.call(scans.retrieve, { with_property: map, limit: 1 });
        // PHP tells a list from a map with the keys 0, 1 … as little as the request does: pairs are read as a map.
        const [sent, sentPairs] = server.seen.map(({ body }, at) =>
          qs.parse(body.toString(), { plainObjects: true, depth: 2, parseArrays: at === 0 }),
        );
        expect(sent?.values).toEqual(short.map((record) => Object.assign(Object.create(null), record)));
        expect(sentPairs?.with_property ?? {}).toEqual(Object.assign(Object.create(null), map));
      },
    ),
    { numRuns: 100, examples: [[[{ value: ' ', response: '' }], [['0', ' 00123 ']]]] },
  );
});
