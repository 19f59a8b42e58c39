import { afterEach, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.js';
import { services } from '../../src/codereadr/operations/index.js';
import { createLookups, headlineOf, type Lookup, lookupShape } from '../../src/lookup/index.js';
import type { RelayValidator } from '../../src/relay/index.js';
import { storyValue } from '../../src/sandbox/codereadr/sample/scans.js';
import { sharedValue, unusedValue } from '../../src/sandbox/codereadr/sample/values.js';
import { type ReceivedRow, storeReceived } from '../helpers/scans.js';
import { type DeskHarness, owner, scansXml, startDesk, xml, xmlError } from './harness.js';

let harness: DeskHarness;
afterEach(() => harness?.close());

async function start(...args: Parameters<typeof startDesk>) {
  harness = await startDesk(...args);
  const desk = createLookups({ clock: systemClock, scans: harness.scans });
  const lookup = (value: string, databaseIds?: readonly string[]) =>
    desk.lookup({ owner, account: harness.account, value, databaseIds });
  return { desk, lookup };
}

/** A clock whose waits end when the test says so. */
function patientClock(): Clock & { losePatience(): void } {
  const waiting = new Set<() => void>();
  return {
    now: () => Date.now(),
    sleep: (_ms, signal) =>
      new Promise((resolve, reject) => {
        waiting.add(resolve);
        signal?.addEventListener('abort', () => reject(signal.reason));
      }),
    losePatience: () => {
      for (const resolve of waiting) resolve();
    },
  };
}

const names = (lookup: Lookup) => lookup.findings.map((finding) => [finding.kind, finding.database.name]);

describe('a lookup', () => {
  it('a lookup queries every database and the scans once, and shows each answer', async () => {
    const { lookup } = await start();
    const answer = await lookup(sharedValue);
    expect(headlineOf(answer).kind).toBe('disagree');
    expect(answer.findings.filter((finding) => finding.kind === 'known')).toMatchObject([
      { valid: true, response: 'Bin C-11: 18 V battery pack, new', value: sharedValue },
      { valid: false, response: '18 V battery pack: out for repair' },
    ]);
    expect(answer.notAsked).toEqual([]);
    expect(answer.cost).toBe(4);
    expect(harness.countOf('databases/showvalues')).toBe(3);
    expect(harness.countOf('scans/retrieve')).toBe(1);
    expect(harness.countOf('databases/retrieve')).toBe(1);
  });

  it('a lookup fetches no names of databases that are already known', async () => {
    const { lookup } = await start();
    await lookup('HLF-000001');
    await lookup('HLF-000002');
    expect(harness.countOf('databases/retrieve')).toBe(1);
  });

  it.each([
    '1e5',
    '0x1F',
    'true',
    ' PALLET 7 ',
    'A&B <1>',
    '*BOLT* _M8_ ~x~',
    '`tick`',
    ':100:',
    '<!channel>',
    'Grün/ÄÖ Ω 部品',
    'O\'Brien "B"',
    '010401234567890110LOT42\u001d17261231',
  ])('a lookup finds %j exactly as typed', async (value) => {
    const { lookup } = await start();
    const answer = await lookup(value);
    expect(headlineOf(answer).title).toMatch(/^Valid, /);
    expect(answer.findings.find((finding) => finding.kind === 'known')).toMatchObject({ value, valid: true });
    const asked = (operation: string) => [
      ...new Set(
        harness.calls.filter((call) => call.operation === operation).map((call) => call.variables.get('value')),
      ),
    ];
    expect(asked('databases/showvalues')).toEqual([value]);
    // The database ignores case: scans are asked for in other cases too, and in no other spelling.
    expect(asked('scans/retrieve')[0]).toBe(value);
    expect(asked('scans/retrieve').filter((text) => text?.toLowerCase() !== value.toLowerCase())).toEqual([]);
  });

  it.each(['PALLET 7', ' PALLET 7', '100000', '31', '0104012345678901', 'A&amp;B &lt;1&gt;'])(
    'a lookup of %j finds no other barcode',
    async (value) => {
      const { lookup } = await start();
      expect(headlineOf(await lookup(value)).kind).toBe('unknown');
    },
  );

  it('a lookup distinguishes case where the database does, and otherwise shows the database’s spelling', async () => {
    const { lookup } = await start();
    const small = await lookup('TC-a1');
    expect(small.findings.find((f) => f.kind === 'known')).toMatchObject({ response: 'Angle grinder, small' });
    const ticket = await lookup('hlf-000001');
    expect(ticket.findings.find((f) => f.kind === 'known')).toMatchObject({ value: 'HLF-000001', valid: true });
    expect(headlineOf(await lookup('tc-A1')).kind).toBe('unknown');
  });

  it('a lookup also reads the scans of the database’s spelling', async () => {
    const { desk, lookup } = await start();
    harness.onWire(({ operation, variables }) => {
      if (operation !== 'scans/retrieve') return undefined;
      return variables.get('value') === 'HLF-000001' ? scansXml([{ id: 7, at: 0, value: 'HLF-000001' }]) : scansXml([]);
    });
    const answer = await lookup('hlf-000001');
    expect(answer.spellings).toEqual(['HLF-000001']);
    expect(answer.history).toMatchObject({ summary: { total: 1 }, scans: [{ id: '7', value: 'HLF-000001' }] });
    expect(harness.countOf('scans/retrieve')).toBe(2);
    const { value, spellings } = answer;
    const page = await desk.moreScans({ owner, account: harness.account, value, spellings, page: 0 });
    expect(page.scans.map((scan) => scan.id)).toEqual(['7']);
    expect((await lookup('HLF-000001')).spellings).toEqual([]);
  });

  it('a lookup queries the chosen databases in their order, and names the databases not searched', async () => {
    const { lookup } = await start();
    const listed = await harness.account.names.databases();
    const chosen = [listed[2]!.id, listed[0]!.id];
    const answer = await lookup('nowhere', chosen);
    expect(names(answer)).toEqual([
      ['unknown', listed[2]!.name],
      ['unknown', listed[0]!.name],
    ]);
    expect(answer.notAsked).toEqual([{ id: listed[1]!.id, name: listed[1]!.name }]);
    expect(headlineOf(answer).kind).toBe('unknown');
    expect(harness.countOf('databases/showvalues')).toBe(2);
  });

  it('a lookup leaves out a chosen database that the account no longer has', async () => {
    const { lookup } = await start();
    const [first] = await harness.account.names.databases();
    const answer = await lookup('HLF-000001', ['999999', first!.id]);
    expect(names(answer)).toEqual([['known', first!.name]]);
  });

  it('a lookup queries ten databases at most', async () => {
    const { lookup } = await start();
    const many = Array.from({ length: 12 }, (_, n) => `<database id="${n + 1}"><name>D${n + 1}</name></database>`);
    harness.onWire(({ operation }) => {
      if (operation === 'databases/retrieve') return xml(many.join(''));
      return operation === 'databases/showvalues' ? xml('<count>0</count>') : scansXml([]);
    });
    const answer = await lookup('A');
    expect(harness.countOf('databases/showvalues')).toBe(10);
    expect(answer.notAsked?.map((database) => database.name)).toEqual(['D11', 'D12']);
    expect(headlineOf(answer).kind).toBe('unknown');
  });

  it('a lookup treats the account’s error 1017 as a value that is not in the database', async () => {
    const { lookup } = await start();
    harness.onWire(({ operation }) => (operation === 'databases/showvalues' ? xmlError('1017') : undefined));
    expect(headlineOf(await lookup('HLF-000001')).kind).toBe('unknown');
  });

  it('a lookup requests the times of scans in UTC, and shows the last scans with their times', async () => {
    const { lookup } = await start();
    harness.onWire(({ operation, variables }) => {
      if (operation !== 'scans/retrieve') return undefined;
      expect(variables.get('timezone')).toBe('Africa/Abidjan');
      return scansXml([
        { id: 2, at: 60, value: 'A' },
        { id: 1, at: 0, value: 'A' },
      ]);
    });
    const { history } = await lookup('A');
    expect(history).toMatchObject({ kind: 'read', more: false, summary: { total: 2, valid: 2, exact: true } });
    expect(history.scans.map((scan) => scan.at)).toEqual([Date.UTC(2026, 2, 1, 12, 1), Date.UTC(2026, 2, 1, 12)]);
  });

  it('a lookup is unchanged after being stored as JSON, also with quotas that have no limit', async () => {
    const { lookup } = await start();
    const answer = await lookup(sharedValue);
    await harness.account.client.call((await import('../../src/codereadr/operations/index.js')).retrieveLimits, {});
    const unlimited = await lookup(sharedValue);
    for (const one of [answer, unlimited]) {
      expect(lookupShape.parse(JSON.parse(JSON.stringify(one)))).toEqual(one);
    }
  });
});

describe('what a lookup makes of scans', () => {
  const of = async (value: string) => {
    const { lookup } = await start();
    return headlineOf(await lookup(value));
  };

  it('a lookup says that a ticket was used, where, by whom, and where it would still be admitted', async () => {
    expect(await of(storyValue)).toMatchObject({
      kind: 'used',
      title: 'Already used at Gate A: tickets',
      scan: { scan: { service: { name: 'Gate A: tickets' }, status: 'valid' } },
      notes: ['Not used yet at Gate B: tickets, offline.'],
    });
  });

  it('a lookup of a barcode without scans shows no admission, and does not request services', async () => {
    expect(await of(unusedValue)).toMatchObject({ kind: 'no_admission', tone: 'good' });
    expect(harness.countOf('services/retrieve')).toBe(0);
  });

  it('two lookups and a list of service names share one call for the account’s services', async () => {
    const { lookup } = await start();
    await lookup(storyValue);
    await lookup(storyValue);
    await harness.account.names.services();
    expect(harness.countOf('services/retrieve')).toBe(1);
  });

  it('a lookup does not claim to know an admission if the account cannot list its services', async () => {
    const { lookup } = await start();
    harness.onWire(({ operation }) => (operation === 'services/retrieve' ? xmlError('2') : undefined));
    const answer = await lookup(storyValue);
    expect(answer.lists.services?.failure).toMatchObject({ code: 'account.refused', apiCode: '2' });
    const { kind, tone, title } = headlineOf(answer);
    expect([kind, tone]).toEqual(['not_confirmed', 'unsure']);
    expect(title).toBe('Valid in the database, last scan not valid: Already scanned, not confirmed');
  });

  it('a lookup does not call a ticket used where the service’s duplicate setting admits the ticket again', async () => {
    const { lookup } = await start();
    await harness.account.client.call(services.update, { service_id: '1201', duplicate_value: true });
    const { kind, title } = headlineOf(await lookup(storyValue));
    expect([kind, title]).toEqual(['refused', 'Valid in the database, last scan not valid: Already scanned']);
  });
});

describe('a lookup of which a part fails', () => {
  it('a lookup names the database that gave no answer, and its headline is not sure', async () => {
    const { lookup } = await start();
    const [first] = await harness.account.names.databases();
    harness.onWire(({ operation, variables }) =>
      operation === 'databases/showvalues' && variables.get('database_id') === first!.id ? xmlError('10') : undefined,
    );
    const answer = await lookup('nowhere');
    expect(headlineOf(answer).kind).toBe('not_checked');
    expect(answer.findings[0]).toMatchObject({
      kind: 'failed',
      failure: { code: 'account.key_refused', apiCode: '10' },
    });
    expect(headlineOf(await lookup(sharedValue)).kind).toBe('disagree');
  });

  it('a lookup whose call for scans fails says that the scans could not be read', async () => {
    const { lookup } = await start();
    harness.onWire(({ operation }) => (operation === 'scans/retrieve' ? '<html>' : undefined));
    const answer = await lookup('HLF-000001');
    expect(headlineOf(answer).kind).toBe('not_checked');
    expect(answer.history).toMatchObject({ kind: 'failed', failure: { code: 'account.broken' } });
  });

  it('a lookup searches the chosen databases even if the account cannot list its databases', async () => {
    const { lookup } = await start();
    harness.onWire(({ operation, variables }) => {
      if (operation === 'databases/retrieve') return 'reset';
      return operation === 'databases/showvalues' && variables.get('database_id') === '1021' ? undefined : undefined;
    });
    const answer = await lookup('nowhere', ['1021']);
    expect(names(answer)).toEqual([['unknown', '1021']]);
    expect(answer.notAsked).toBeUndefined();
    expect(headlineOf(answer).kind).toBe('unknown');
  });

  it('a lookup shows the scans when the account cannot list its databases', async () => {
    const { lookup } = await start();
    harness.onWire(({ operation }) => (operation === 'databases/retrieve' ? 'reset' : undefined));
    const answer = await lookup('HLF-000001');
    expect(headlineOf(answer).kind).toBe('not_checked');
    expect(answer.history.kind).toBe('read');
  });

  it('a lookup does not wait for a database that hangs, but names it, and shows the answers of other databases', async () => {
    const clock = patientClock();
    harness = await startDesk();
    const databases = await harness.account.names.databases();
    const desk = createLookups({ clock, scans: harness.scans });
    let open = () => {};
    harness.onWire(({ operation, variables }) => {
      const stuck = operation === 'databases/showvalues' && variables.get('database_id') === databases[1]!.id;
      return stuck
        ? new Promise((answer) => {
            open = () => answer('reset');
          })
        : undefined;
    });
    const answering = desk.lookup({ owner, account: harness.account, value: 'HLF-000001' });
    // The list, two databases and the scans; the third database never answers.
    await expect.poll(() => harness.answered()).toBe(4);
    await new Promise((done) => setTimeout(done, 250));
    clock.losePatience();
    const answer = await answering;
    expect(headlineOf(answer).kind).toBe('not_checked');
    expect(answer.findings[0]).toMatchObject({ kind: 'known', valid: true });
    expect(answer.findings[1]).toMatchObject({ kind: 'failed', failure: { code: 'account.slow' } });
    expect(answer.history.kind).toBe('read');
    open();
  });

  it('a lookup in which every call failed throws the most informative error', async () => {
    const { lookup } = await start();
    harness.onWire(({ operation }) => (operation === 'scans/retrieve' ? 'reset' : xmlError('100')));
    await expect(lookup('A')).rejects.toMatchObject({ code: 'account.key_refused', apiCode: '100' });
  });

  it('a lookup without API calls left throws the quota error', async () => {
    // Half past a minute for ever: the counter must not begin anew in between.
    const at = Math.floor(Date.now() / 60_000) * 60_000 + 30_000;
    const clock = { ...systemClock, now: () => at };
    const { lookup } = await start({ limits: { minute: 1, day: -1 }, callsPerMinute: 1, clock });
    await harness.account.names.databases();
    await expect(lookup('A')).rejects.toMatchObject({ code: 'account.quota', quota: { period: 'minute' } });
  });
});

describe('lookups at the same time', () => {
  it('equal lookups at the same time share their calls and result', async () => {
    const { lookup } = await start();
    const answers = await Promise.all([lookup('HLF-000001'), lookup('HLF-000001'), lookup('HLF-000001')]);
    expect(new Set(answers).size).toBe(1);
    // Each spelling once: the database ignores case.
    const asked = harness.calls.filter(({ operation }) => operation === 'scans/retrieve');
    expect(asked.map(({ variables }) => variables.get('value'))).toEqual(['HLF-000001', 'hlf-000001']);
  });

  it('two lookups at the same time share no database calls where their spellings differ', async () => {
    const { lookup } = await start();
    await Promise.all([lookup('HLF-000001'), lookup('hlf-000001')]);
    expect(harness.countOf('databases/showvalues')).toBe(6);
  });
});

describe('scans that a relay received', () => {
  const noon = Date.UTC(2026, 2, 1, 12);
  const utc = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

  interface Received {
    readonly at?: number;
    /** Whether the device says no time. */
    readonly undated?: boolean;
    readonly [column: string]: unknown;
  }

  /** Stores scans that relay `r` received in the second in which they were made. */
  async function receive(scans: readonly Received[], value = 'A') {
    const rows = scans.map(({ at = noon + 30_000, undated, ...more }, n): ReceivedRow => {
      const id = `01${String(n).padStart(24, '0')}`;
      const dated = { received_at: at, scanned_at_utc: undated ? null : utc(at) };
      return {
        ...{ id, relay_id: 'r', ...owner, ...dated, tid: value, sid: '2' },
        ...{ valid: 0, answer_text: 'Not on the list', ...more },
      };
    });
    await storeReceived(harness, rows);
  }

  async function historyOf(
    records: readonly Received[],
    scans = [
      { id: 2, at: 60 },
      { id: 1, at: 0 },
    ],
  ) {
    harness = await startDesk();
    await receive(records);
    harness.onWire(({ operation }) => (operation === 'scans/retrieve' ? scansXml(scans) : undefined));
    const desk = createLookups({ clock: systemClock, scans: harness.scans });
    return (await desk.lookup({ owner, account: harness.account, value: 'A' })).history;
  }

  it('a lookup shows a relay’s scans and the account’s in one list, by time', async () => {
    const history = await historyOf([{}]);
    expect(history.scans.map((scan) => scan.source)).toEqual(['account', 'relay', 'account']);
    expect(history).toMatchObject({ summary: { total: 3, valid: 2, invalid: 1 } });
  });

  it('a scan that both the relay and the account have is shown once by a lookup', async () => {
    const sameMoment = { at: noon };
    const sameId = { scanid: '2', at: noon + 60_000 };
    const history = await historyOf([sameId, sameMoment]);
    expect(history.scans.map((scan) => scan.source)).toEqual(['account', 'account']);
  });

  it('a lookup shows a relay’s scan even if it has the ID of another scan of the account', async () => {
    const history = await historyOf([{ scanid: '2', at: noon + 30_000 }]);
    expect(history.scans.map((scan) => scan.source)).toEqual(['account', 'relay', 'account']);
  });

  it('a lookup shows a relay’s scan whose ID is not yet among the account’s scans', async () => {
    const history = await historyOf([{ scanid: '3', at: noon + 120_000 }]);
    expect(history.scans.map((scan) => scan.source)).toEqual(['relay', 'account', 'account']);
  });

  it('a lookup shows each of a relay’s scans though a template sends one ID with all of them', async () => {
    const seconds = [10, 20, 30].map((second) => ({ scanid: '9', at: noon + second * 1_000 }));
    const history = await historyOf(seconds);
    expect(history.scans.filter(({ source }) => source === 'relay')).toHaveLength(3);
  });

  it('a lookup shows a relay’s scan with names instead of IDs', async () => {
    const history = await historyOf([{ sid: '1201', userid: '702', udid: 'a3f1c09e7d2b4c5f8e6a1b2c3d4e5f60a1b2c3d4' }]);
    expect(history.scans[1]).toMatchObject({
      service: { name: 'Gate A: tickets' },
      user: { name: 'mara.gate' },
      device: { name: 'Gate A phone' },
    });
  });

  const tickets = '1021';
  const gate = (more: Partial<RelayValidator> = {}): RelayValidator => ({
    ...{ id: 'r', name: 'Back door', serviceIds: [], databaseIds: [tickets], once: {} },
    ...more,
  });

  const deskWith = (relays: readonly RelayValidator[]) =>
    createLookups({
      ...{ clock: systemClock, scans: harness.scans },
      relays: { validators: async () => relays, secretProperties: async () => [] },
    });

  async function headlineFor(records: readonly Received[], relays: readonly RelayValidator[]) {
    harness = await startDesk();
    await receive(records.map(admitted), unusedValue);
    const lookup = await deskWith(relays).lookup({ owner, account: harness.account, value: unusedValue });
    return { lookup, ...headlineOf(lookup) };
  }
  const admitted = (more: Received): Received => ({ valid: 1, at: Date.now(), ...more });

  it('a relay’s scan makes a ticket used if the relay checks the ticket’s database and admits once', async () => {
    const used = await headlineFor([{}], [gate()]);
    expect(used).toMatchObject({ kind: 'used', scan: { scan: { source: 'relay' } } });
    expect(used.notes).toEqual(['Not used yet at Gate A: tickets; Gate B: tickets, offline.']);
  });

  it.each([
    ['scanned, where the relay admits a barcode as often as it comes', [{}], { once: undefined }, 'scanned'],
    [
      'scanned, where the relay’s time limit is over',
      [{ at: Date.now() - 3_600_000 }],
      { once: { withinMinutes: 59 } },
      'scanned',
    ],
    [
      'scanned elsewhere, where the relay checks another database',
      [{ kind: 'admission' }],
      { databaseIds: ['1022'] },
      'elsewhere',
    ],
    [
      'scanned elsewhere, where somebody else validated the scan',
      [{ given_status: '1', kind: 'admission' }],
      {},
      'elsewhere',
    ],
    ['scanned elsewhere, where the relay is removed', [{ kind: 'admission' }], { removed: true }, 'elsewhere'],
    ['without an admission, where the relay accepts everything', [{ kind: 'receipt' }], {}, 'no_admission'],
    ['without an admission, if an earlier version stored it', [{}], { databaseIds: ['1022'] }, 'no_admission'],
    ['used, where the relay validated the scan, as the account could not', [{ given_status: '-1' }], {}, 'used'],
  ] as const)('a ticket with a relay’s scan is %s', async (_, records, more, kind) => {
    const { once, ...rest } = gate(more as Partial<RelayValidator>);
    expect((await headlineFor(records, [{ ...rest, ...(once ? { once } : {}) }])).kind).toBe(kind);
  });

  it('a relay’s scan is not checked where nobody could validate it and the relay accepts everything', async () => {
    const { kind, lookup } = await headlineFor([{ given_status: '-1' }], []);
    expect(kind).toBe('no_admission');
    expect(lookup.history.scans).toMatchObject([{ status: 'not_validated' }]);
  });

  it('the account’s record of a scan counts as validated by the relay that received and validated the scan', async () => {
    harness = await startDesk();
    const scan = { id: 2, at: 60, value: unusedValue };
    harness.onWire(({ operation }) => (operation === 'scans/retrieve' ? scansXml([scan]) : undefined));
    await receive([admitted({ scanid: '2', undated: true })], unusedValue);
    const lookup = await deskWith([gate()]).lookup({ owner, account: harness.account, value: unusedValue });
    expect(lookup.history.scans).toMatchObject([{ source: 'account', validatedBy: 'r' }]);
    expect(headlineOf(lookup).kind).toBe('used');
  });

  it('a lookup shows a relay’s scans even if the account’s own scans cannot be loaded', async () => {
    harness = await startDesk();
    harness.onWire(({ operation }) => (operation === 'scans/retrieve' ? 'reset' : undefined));
    await receive([{}]);
    const desk = createLookups({ clock: systemClock, scans: harness.scans });
    const { history } = await desk.lookup({ owner, account: harness.account, value: 'A' });
    expect(history.kind).toBe('failed');
    expect(history.scans).toHaveLength(1);
  });
});
