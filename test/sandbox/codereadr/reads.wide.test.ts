import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleKeys } from '../../../src/sandbox/codereadr/index.js';
import { gs, sharedValue } from '../../../src/sandbox/codereadr/sample/values.js';
import { type El, type Harness, someSaturday, startService } from './harness.js';

let h: Harness;
beforeAll(async () => {
  h = await startService();
});
afterAll(() => h.close());

const text = (el: El | undefined, name: string) => el?.get(name)?.text;
const ids = (els: readonly El[]) => els.map((el) => el.attributes.id);

describe('the four lists', () => {
  it('the embedded account lists services with the contract’s fields, not direct scan or symbologies', async () => {
    const services = (await h.ok('services/retrieve')).all('service');
    expect(services.map((service) => text(service, 'validationmethod'))).toEqual([
      'database',
      'ondevicedatabase',
      'record',
      'database',
      'database',
      'postback',
      'postback',
    ]);
    const gate = services[0];
    expect(text(gate, 'name')).toBe('Gate A: tickets');
    expect(text(gate, 'database')).toBe('1021');
    expect(text(gate, 'duplicateScanValue')).toBe('0');
    expect(gate?.all('user').length).toBe(3);
    expect(gate?.all('question').length).toBe(1);
    expect(services[5]?.get('postback')?.text).toMatch(/^http:/);
    expect(services.some((service) => service.get('enable_direct_scan') || service.get('symbologies'))).toBe(false);
  });

  it('services/retrieve accepts one ID, several IDs with spaces, and the word all', async () => {
    expect(ids((await h.ok('services/retrieve', { service_id: '1202' })).all('service'))).toEqual(['1202']);
    expect(ids((await h.ok('services/retrieve', { service_id: '1203, 1201' })).all('service'))).toEqual([
      '1201',
      '1203',
    ]);
    expect((await h.ok('services/retrieve', { service_id: 'all' })).all('service').length).toBe(7);
  });

  it.each([
    ['services/retrieve', 'service_id', '200', '131'],
    ['users/retrieve', 'user_id', '201', '300'],
    ['databases/retrieve', 'database_id', '204', '270'],
  ])(
    '%s refuses an unknown ID and an invalid ID with different error codes',
    async (operation, variable, unknown, invalid) => {
      expect((await h.call(operation, { [variable]: '999999' })).code).toBe(unknown);
      expect((await h.call(operation, { [variable]: '99999999999999999999999999' })).code).toBe(unknown);
      expect((await h.call(operation, { [variable]: 'abc' })).code).toBe(invalid);
    },
  );

  it('the embedded account lists users with services, limit and creation time, and without passwords', async () => {
    const users = (await h.ok('users/retrieve')).all('user');
    expect(users.length).toBe(6);
    expect(text(users[1], 'username')).toBe('mara.gate');
    expect(text(users[1], 'limit')).toBe('2');
    expect(text(users[1], 'created')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(users[1]?.all('service').length).toBeGreaterThan(1);
    expect(users.some((user) => user.get('password'))).toBe(false);
  });

  it('the embedded account lists devices with their exact names, and no device for an unknown ID', async () => {
    const devices = (await h.ok('devices/retrieve')).all('device');
    expect(text(devices[2], 'devicename')).toBe('Mara’s tablet <VIP & press>');
    expect(text(devices[0], 'udid')).toMatch(/^[0-9a-f]{40}$/);
    expect((await h.ok('devices/retrieve', { device_id: '4711' })).all('device')).toEqual([]);
  });

  it('the embedded account lists databases in three levels of detail', async () => {
    const databases = (await h.ok('databases/retrieve')).all('database');
    expect(databases.map((database) => text(database, 'count'))).toEqual(['1200', '600', '200']);
    expect(databases.map((database) => text(database, 'case_sensitivity'))).toEqual(['0', '0', '1']);
    expect(ids(databases[0]?.all('service') ?? [])).toEqual(['1201', '1202']);
    const [services] = (await h.ok('databases/retrieve', { info_level: 'services' })).all('database');
    expect([text(services, 'count'), services?.all('service').length]).toEqual([undefined, 2]);
    const [names] = (await h.ok('databases/retrieve', { info_level: 'names' })).all('database');
    expect([text(names, 'count'), names?.all('service').length]).toEqual([undefined, 0]);
  });
});

describe('databases/showvalues', () => {
  const show = async (database: string, variables: Record<string, string>) =>
    (await h.ok('databases/showvalues', { database_id: database, ...variables })).all('value');

  it.each([
    ['1021', '000470000037'],
    ['1022', '1e5'],
    ['1022', '0x1F'],
    ['1022', 'true'],
    ['1022', ' PALLET 7 '],
    ['1022', 'A&B <1>'],
    ['1022', '<!channel>'],
    ['1022', 'Grün/ÄÖ Ω 部品'],
  ])(
    'databases/showvalues in database %s finds the value %j and returns the value unchanged',
    async (database, value) => {
      const found = await show(database, { value });
      expect(found.map((item) => text(item, 'id'))).toEqual([value]);
    },
  );

  it('databases/showvalues finds a GS1 value only with its separator, and leaves out the separator', async () => {
    const value = `010401234567890110LOT42${gs}17261231`;
    const stripped = value.replace(gs, '');
    expect((await show('1022', { value })).map((item) => text(item, 'id'))).toEqual([stripped]);
    expect(await show('1022', { value: stripped })).toEqual([]);
    expect(await show('1022', { valuelike: gs })).toHaveLength(2);
  });

  it.each(['1021', '1022', '1023'])(
    'the embedded account lists all values of database %s in characters that XML allows',
    async (database_id) => {
      const body = new URLSearchParams({
        section: 'databases',
        action: 'showvalues',
        api_key: sampleKeys.demo,
        database_id,
      });
      const document = await (await fetch(`${h.url}/api/`, { method: 'POST', body })).text();
      const referenced = [...document.matchAll(/&#(?:x([0-9a-f]+)|(\d+));/gi)].map(([, hex, decimal]) =>
        String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
      );
      for (const character of new Set([...document, ...referenced])) {
        expect(character).toMatch(/^[\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]$/u);
      }
    },
  );

  it('databases/showvalues does not find a value by a text without its outer spaces or leading zeros', async () => {
    expect(await show('1022', { value: 'PALLET 7' })).toEqual([]);
    expect(await show('1021', { value: '470000037' })).toEqual([]);
  });

  it('databases/showvalues distinguishes upper and lower case only where the database does', async () => {
    expect((await show('1021', { value: 'hlf-000001' })).map((item) => text(item, 'id'))).toEqual(['HLF-000001']);
    expect((await show('1023', { value: 'TC-a1' })).map((item) => text(item, 'response'))).toEqual([
      'Angle grinder, small',
    ]);
    expect((await show('1023', { value: 'TC-A1' })).map((item) => text(item, 'response'))).toEqual([
      'Angle grinder, large',
    ]);
    expect(await show('1023', { value: 'tc-a1' })).toEqual([]);
  });

  it('databases/showvalues finds one value in two databases, with opposite validity', async () => {
    expect((await show('1022', { value: sharedValue }))[0]?.attributes.validity).toBe('1');
    expect((await show('1023', { value: sharedValue }))[0]?.attributes.validity).toBe('0');
  });

  it('databases/showvalues treats % and _ in a partial search as plain characters', async () => {
    expect(await show('1022', { valuelike: '%' })).toEqual([]);
    expect((await show('1022', { valuelike: '* _M8_ ~' })).length).toBe(1);
  });

  it('databases/showvalues searches responses, whole and in part, and by validity', async () => {
    const refunded = await show('1021', { response: 'Refunded' });
    expect(refunded.length).toBeGreaterThan(1);
    expect(refunded.every((item) => item.attributes.validity === '0')).toBe(true);
    expect((await show('1021', { responselike: 'refund' })).length).toBe(refunded.length);
    expect(await show('1021', { response: 'Refunded', validity: '1' })).toEqual([]);
  });

  it('databases/showvalues with offset 5 begins with the 6th value, and refuses offset without limit', async () => {
    const all = await show('1021', { limit: '10' });
    const page = await show('1021', { limit: '3', offset: '5' });
    expect(page.map((item) => text(item, 'id'))).toEqual(all.slice(5, 8).map((item) => text(item, 'id')));
    expect((await h.call('databases/showvalues', { database_id: '1021', offset: '5' })).code).toBe('50');
  });

  it('databases/showvalues refuses a missing database ID, an unknown database ID, and two database IDs', async () => {
    expect((await h.call('databases/showvalues')).code).toBe('50');
    expect((await h.call('databases/showvalues', { database_id: '7' })).code).toBe('204');
    expect((await h.call('databases/showvalues', { database_id: '1021,1022' })).code).toBe('270');
  });
});

describe('scans/retrieve', () => {
  const scans = async (variables: Record<string, string> = {}) => (await h.ok('scans/retrieve', variables)).all('scan');

  it('scans/retrieve returns all 500 sample scans with the contract’s fields', async () => {
    const root = await h.ok('scans/retrieve', { timezone: 'account' });
    const byOffset = await h.ok('scans/retrieve', { timezone_offset: 'account' });
    const times = (told: typeof root) => told.all('scan').map((scan) => text(scan, 'timestamp'));
    expect(times(byOffset)).toEqual(times(root));
    const all = root.all('scan');
    expect(root.get('count')?.text).toBe('500');
    expect(all.length).toBe(500);
    for (const scan of all) {
      expect(['1', '0', '-1']).toContain(text(scan, 'status'));
      expect(text(scan, 'timestamp')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      expect(scan.get('device')?.attributes.id).toMatch(/^\d+$/);
      expect(scan.get('properties')).toBeUndefined();
    }
    const answered = all.find((scan) => scan.get('answer'));
    expect(answered?.get('answer')?.attributes.qtext).toBeTruthy();
  });

  it('scans/retrieve returns both scans of a ticket that was scanned twice', async () => {
    const found = await scans({ value: 'HLF-000001', order_by: 'timestamp', showProperties: '1' });
    expect(found.map((scan) => [text(scan, 'status'), text(scan, 'result')])).toEqual([
      ['1', 'Adult, three days'],
      ['0', 'Already scanned'],
    ]);
    expect(found[0]?.get('answer')?.text).toBe('Yes');
    expect(found.every((scan) => scan.get('properties')?.get('gps_location'))).toBe(true);
  });

  it('scans/retrieve filters by service, device, user, scan and upload ID, and by status', async () => {
    const gate = await scans({ service_id: '1201' });
    expect(gate.length).toBeGreaterThan(100);
    expect(new Set(gate.map((scan) => scan.get('service')?.attributes.id))).toEqual(new Set(['1201']));
    const spare = await scans({ service_id: '1201', device_id: '576', user_id: '701, 702' });
    expect(spare.length).toBeLessThan(gate.length);
    expect((await scans({ device_id: '999' })).length).toBe(0);
    expect((await h.call('scans/retrieve', { service_id: '999' })).code).toBe('200');
    expect((await h.call('scans/retrieve', { user_id: '999' })).code).toBe('201');
    expect((await scans({ scan_id: '13001,13003' })).map((scan) => scan.attributes.id)).toEqual(['13001', '13003']);
    const offline = await scans({ status: '-1, 0' });
    expect(new Set(offline.map((scan) => text(scan, 'status')))).toEqual(new Set(['-1', '0']));
    expect((await scans({ status: 'all' })).length).toBe(500);
    const upload = await scans({ upload_id: '4001' });
    expect(upload.length).toBe(6);
    expect((await h.call('scans/retrieve', { status: '2' })).code).toBe('50');
    expect((await h.call('scans/retrieve', { scan_id: 'all' })).code).toBe('135');
  });

  it('scans/retrieve returns a value’s scans newest first, and each value’s newest scan alone on request', async () => {
    const all = await scans();
    const counted = new Map<string, number>();
    for (const scan of all) counted.set(text(scan, 'tid') ?? '', (counted.get(text(scan, 'tid') ?? '') ?? 0) + 1);
    const [value, times] = [...counted].sort((a, b) => b[1] - a[1])[0] as [string, number];
    expect(times).toBeGreaterThan(1);
    const found = await scans({ value, order_by: 'timestamp_desc' });
    expect(found.length).toBe(times);
    const stamps = found.map((scan) => text(scan, 'timestamp'));
    expect(stamps).toEqual([...stamps].sort().reverse());
    const recent = await scans({ value, only_recent: '1' });
    expect(recent.map((scan) => scan.attributes.id)).toEqual([found[0]?.attributes.id]);
    expect((await scans({ only_recent: '1' })).length).toBe(counted.size);
  });

  it('scans/retrieve sorts by several keys, each in its own direction', async () => {
    const found = await scans({ order_by: 'service_name_desc, barcode' });
    const keys = found.map((scan) => [scan.get('service')?.text ?? '', text(scan, 'tid') ?? ''] as const);
    for (const [index, key] of keys.entries()) {
      const before = keys[index - 1];
      if (!before) continue;
      expect(before[0] > key[0] || (before[0] === key[0] && before[1] <= key[1])).toBe(true);
    }
    expect((await h.call('scans/retrieve', { order_by: 'price' })).code).toBe('50');
  });

  it.each(['America/New_York', 'Asia/Kolkata', 'Pacific/Auckland', 'Africa/Abidjan'])(
    'scans/retrieve returns times in the zone %s',
    async (zone) => {
      const [there] = await scans({ scan_id: '13001', timezone: zone });
      const [utc] = await scans({ scan_id: '13001', timezone_offset: '0' });
      const at = Date.parse(`${text(utc, 'timestamp')?.replace(' ', 'T')}Z`);
      const shown = new Intl.DateTimeFormat('sv-SE', {
        timeZone: zone,
        dateStyle: 'short',
        timeStyle: 'medium',
      }).format(at);
      expect(text(there, 'timestamp')).toBe(shown);
    },
  );

  it('scans/retrieve returns Eastern Time if the call names no zone, and refuses an unknown zone', async () => {
    const [silent] = await scans({ scan_id: '13001' });
    const [asked] = await scans({ scan_id: '13001', timezone: 'America/New_York' });
    expect(text(silent, 'timestamp')).toBe(text(asked, 'timestamp'));
    expect((await h.call('scans/retrieve', { timezone: 'Mars/Olympus' })).code).toBe('50');
  });

  it.each(['Europe/Kyiv', 'America/Nuuk', 'America/Ciudad_Juarez', 'UTC', 'europe/berlin', 'UTC+2'])(
    'scans/retrieve refuses the zone %s, which is not on the account’s list',
    async (timezone) => {
      expect((await h.call('scans/retrieve', { timezone })).code).toBe('50');
    },
  );

  it.each(['Europe/Kiev', 'America/Godthab', 'Pacific/Enderbury'])(
    'scans/retrieve accepts the zone %s of the account’s list',
    async (timezone) => {
      expect(await scans({ scan_id: '13001', timezone })).toHaveLength(1);
    },
  );

  it('scans/retrieve filters by dates and times in the requested zone, and includes both ends of the range', async () => {
    const [first] = await scans({ limit: '1', order_by: 'timestamp', timezone: 'Asia/Kolkata' });
    const [date = '', time = ''] = (text(first, 'timestamp') ?? '').split(' ');
    const zone = { timezone: 'Asia/Kolkata', start_date: date, end_date: date };
    const moment = await scans({ ...zone, start_time: time, end_time: time });
    expect(moment.map((scan) => scan.attributes.id)).toContain(first?.attributes.id);
    const day = await scans(zone);
    expect(day.length).toBeGreaterThan(0);
    expect(day.every((scan) => text(scan, 'timestamp')?.startsWith(date))).toBe(true);
    expect((await h.call('scans/retrieve', { start_date: '2025-06-10', end_date: '2025-06-09' })).code).toBe('213');
    expect((await h.call('scans/retrieve', { start_time: '10:00:00' })).code).toBe('217');
    expect((await h.call('scans/retrieve', { end_time: '10:00:00' })).code).toBe('218');
    expect((await h.call('scans/retrieve', { start_date: '2025-02-30' })).code).toBe('50');
  });

  it('scans/retrieve returns when a scan was received, and filters by the time of receipt on request', async () => {
    const [late] = await scans({ upload_id: '4001', timestamp_received: '2', timezone: 'account' });
    const received = text(late, 'timestamp_received') ?? '';
    expect(received > (text(late, 'timestamp') ?? '')).toBe(true);
    const [date = '', time = ''] = received.split(' ');
    const at = { timezone: 'account', start_date: date, start_time: time, end_date: date, end_time: time };
    expect((await scans({ ...at, timestamp_received: '1' })).length).toBe(6);
    expect((await scans({ ...at, timestamp_received: '2' })).length).toBe(0);
    expect((await scans({ ...at, timestamp_modified: '1', timestamp_received: '1' })).length).toBe(6);
    expect(text(late, 'timestamp_modified')).toBeUndefined();
  });

  it('scans/retrieve filters by how long after the scan its last change was made', async () => {
    const soon = (await scans({ modified_diff: '< 1 hour' })).length;
    const late = await scans({ modified_diff: '> 0.9999 hour' });
    expect(soon).toBeGreaterThan(300);
    expect(new Set(late.map((scan) => scan.get('service')?.attributes.id))).toEqual(new Set(['1202']));
    expect(soon + late.length).toBe(500);
    expect((await scans({ modified_diff: '< 1 year' })).length).toBe(500);
    for (const wrong of ['soon', '< 2 week', '> 1 hours', '2 day']) {
      expect((await h.call('scans/retrieve', { modified_diff: wrong })).code).toBe('50');
    }
  });

  it('scans/retrieve shows the properties of scans, and filters scans by their properties', async () => {
    const [gps] = await scans({ includeProperty: 'gps_location', showProperties: '1', limit: '1' });
    expect(gps?.get('properties')?.get('gps_location')?.text).toMatch(/^43\.\d+,-70\.\d+$/);
    const without = await scans({ excludeProperty: 'gps_location', showProperties: '1' });
    expect(without.length).toBeGreaterThan(0);
    expect(without.some((scan) => scan.get('properties')?.get('gps_location'))).toBe(false);
    const manual = (await scans({ 'with_property[capture_type]': 'manual entry' })).length;
    const rest = (await scans({ 'without_property[capture_type]': 'manual entry' })).length;
    expect(manual).toBeGreaterThan(0);
    expect(manual + rest).toBe(500);
  });

  it('scans/retrieve searches texts: value and response in part, and a keyword anywhere', async () => {
    expect((await scans({ valuelike: 'hlf-' })).length).toBeGreaterThan(50);
    expect((await scans({ response: 'Already scanned' })).length).toBeGreaterThan(5);
    expect((await scans({ responselike: 'already' })).length).toBe(
      (await scans({ response: 'Already scanned' })).length,
    );
    expect((await scans({ keyword: 'mara.gate' })).length).toBe((await scans({ user_id: '702' })).length);
    expect((await scans({ keyword: 'torn & hard' })).length).toBeGreaterThan(0);
  });

  it('scans/retrieve with offset 5 begins with the 5th scan, as the reference says', async () => {
    const all = (await scans({ limit: '10', order_by: 'scan_id' })).map((scan) => scan.attributes.id);
    const page = (await scans({ limit: '3', offset: '5', order_by: 'scan_id' })).map((scan) => scan.attributes.id);
    expect(page).toEqual(all.slice(4, 7));
    expect((await h.call('scans/retrieve', { offset: '5' })).code).toBe('50');
  });
});

describe('access', () => {
  it('the embedded account refuses a missing key, a wrong key and the key of a free plan', async () => {
    expect((await h.call('limits/retrieve', { api_key: '' })).code).toBe('101');
    expect((await h.call('limits/retrieve', { api_key: 'wrong' })).code).toBe('100');
    expect((await h.call('limits/retrieve', { api_key: sampleKeys.free })).code).toBe('10');
  });

  it('the embedded account refuses unknown sections and actions, even those named like JavaScript properties', async () => {
    expect((await h.call('nothing/retrieve')).code).toBe('120');
    expect((await h.call('constructor/retrieve')).code).toBe('120');
    expect((await h.call('scans/nothing')).code).toBe('110');
    expect((await h.call('scans/toString')).code).toBe('110');
  });

  it('the embedded account keeps the data of two accounts apart', async () => {
    const other = { api_key: sampleKeys.other };
    const databases = (await h.ok('databases/retrieve', other)).all('database');
    expect(databases.map((database) => text(database, 'name'))).toEqual(['Books']);
    expect((await h.ok('scans/retrieve', other)).all('scan')).toEqual([]);
    expect((await h.call('databases/showvalues', { ...other, database_id: '1021' })).code).toBe('204');
    expect((await h.call('services/retrieve', { ...other, service_id: '1201' })).code).toBe('200');
  });

  it('the embedded account counts calls by minute and by day, each day from midnight Eastern Time', async () => {
    const own = await startService({ limits: { minute: 3, day: 5 } });
    const left = async () => {
      const root = await own.ok('limits/retrieve');
      return [root.get('minute')?.attributes.left, root.get('day')?.attributes.left];
    };
    expect(await left()).toEqual(['2', '4']);
    expect(await left()).toEqual(['1', '3']);
    expect(await left()).toEqual(['0', '2']);
    expect((await own.call('limits/retrieve')).code).toBe('111');
    own.clock.set(someSaturday + 60_000);
    expect(await left()).toEqual(['2', '1']);
    expect(await left()).toEqual(['1', '0']);
    expect((await own.call('limits/retrieve')).code).toBe('113');
    own.clock.set(Date.UTC(2025, 5, 15, 3, 59, 59));
    expect((await own.call('limits/retrieve')).code).toBe('113');
    own.clock.set(Date.UTC(2025, 5, 15, 4, 0, 0));
    expect(await left()).toEqual(['2', '4']);
    await own.close();
  });

  it('the embedded account states an unlimited quota as -1', async () => {
    expect((await h.ok('limits/retrieve')).get('day')?.attributes).toEqual({ left: '-1', limit: '-1' });
  });

  it('the embedded account responds 404 outside its paths', async () => {
    expect((await fetch(`${h.url}/`)).status).toBe(404);
    expect((await fetch(`${h.url}/api`, { method: 'POST' })).status).toBe(404);
  });
});
