/** Answers of the account that are not whole, as they say themselves: a lookup is never sure by them. */
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { createLookups, headlineOf } from '../../src/lookup/index.js';
import { type DeskHarness, owner, scansXml, startDesk, xml } from './harness.js';

let harness: DeskHarness;
afterEach(() => harness?.close());

async function begin() {
  harness = await startDesk();
  const desk = createLookups({ clock: systemClock, scans: harness.scans });
  const call = async (section: string, action: string, variables: Record<string, string>) => {
    const body = new URLSearchParams({ section, action, api_key: harness.apiKey, ...variables });
    return await (await fetch(harness.apiUrl, { method: 'POST', body })).text();
  };
  await call('databases', 'addvalue', { database_id: '1021', value: 'A' });
  return {
    call,
    card: async (value: string) => {
      const lookup = await desk.lookup({ owner, account: harness.account, value, databaseIds: ['1021'] });
      const { kind, tone, title } = headlineOf(lookup);
      const { history } = lookup;
      return {
        kind,
        tone,
        title,
        ...(history.kind === 'read' ? { summary: history.summary, more: history.more } : {}),
      };
    },
  };
}
const answerScans = (make: (limit: number, offset: number) => string) =>
  harness.onWire(({ operation, variables }) =>
    operation === 'scans/retrieve'
      ? make(Number(variables.get('limit')), Number(variables.get('offset') ?? 0))
      : undefined,
  );

describe('an answer that is not whole', () => {
  it('a lookup is not green by an answer that counts two scans and has none', async () => {
    const { card } = await begin();
    answerScans(() => xml('<count>2</count>'));
    const seen = await card('A');
    expect(seen.tone).not.toBe('good');
  });
  it('a lookup is not green where the account sends only 25 of a barcode’s 30 scans', async () => {
    const { card } = await begin();
    const all = Array.from({ length: 30 }, (_, n) => ({ id: 1000 - n, at: 1000 - n, value: 'A' }));
    answerScans((limit, offset) => {
      const page = all.slice(Math.max(0, offset), offset + Math.min(limit, 25));
      let body = scansXml(page, 30)
        .replaceAll('service id="2"', 'service id="1201"')
        .replaceAll('<status>1</status><tid>', '<status>-1</status><tid>');
      if (page.some(({ id }) => id === 971)) {
        body = body.replace(/(<scan id="971">.*?)<status>-1</s, '$1<status>1<');
      }
      return body;
    });
    const seen = await card('A');
    expect(seen.tone).not.toBe('good');
  });
  it('a lookup is not green by a scan whose barcode is missing', async () => {
    const { card } = await begin();
    answerScans(() =>
      scansXml([{ id: 5, at: 0 }])
        .replace('<tid>A</tid>', '')
        .replace('service id="2"', 'service id="1201"'),
    );
    const seen = await card('A');
    expect(seen.tone).not.toBe('good');
  });
  it('a barcode is not unknown by an answer that counts one value and has none', async () => {
    const { card } = await begin();
    harness.onWire(({ operation }) => (operation === 'databases/showvalues' ? xml('<count>1</count>') : undefined));
    const seen = await card('A');
    expect(seen.kind).not.toBe('unknown');
  });
  it('a lookup is not green by a list that counts seven services and has none', async () => {
    const { card } = await begin();
    harness.onWire(({ operation }) =>
      operation === 'services/retrieve'
        ? xml('<count>7</count>')
        : operation === 'scans/retrieve'
          ? scansXml([{ id: 5, at: 0 }]).replace('service id="2"', 'service id="1201"')
          : undefined,
    );
    const seen = await card('A');
    expect(seen.tone).not.toBe('good');
  });
});
