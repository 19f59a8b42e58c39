/**
 * The sample scans: 500 between 9:00 and 23:00 of the last ten days, with repeated and unknown tickets, offline scans,
 * answers and locations.
 */
import { DateTime } from 'luxon';
import { questions, services } from './people.js';
import { createSeeded, type Seeded } from './seeded.js';
import { exampleValue, type SampleDatabase, unusedValue } from './values.js';

export interface SampleScan {
  /** The index of the service; all indexes point into the sample's lists. */
  readonly service: number;
  readonly device: number;
  readonly user: number;
  readonly value: string;
  readonly status: 1 | 0 | -1;
  readonly response: string;
  readonly scannedAt: number;
  readonly receivedAt: number;
  /** Scans that were uploaded together have the same number. */
  readonly upload?: number;
  readonly answers: readonly { readonly question: number; readonly answer: string }[];
  readonly properties: readonly (readonly [name: string, value: string])[];
}

/** The barcode of the two story scans, which no other scan has. */
export const storyValue = 'HLF-000001';

const scanCount = 500;
const days = 10;
const zone = 'America/New_York';

/** The share of each service, in percent. The account does not store the scans of the direct service. */
const shares = [44, 14, 14, 10, 13, 5] as const;
const devicesOf: readonly (readonly number[])[] = [[0, 5], [1], [3], [3], [4], [2]];
const usersOf: readonly (readonly number[])[] = [[1, 5], [2], [3], [3, 5], [4], [1, 2]];

export function sampleScans(now: number, databases: readonly SampleDatabase[]): SampleScan[] {
  const chance = createSeeded(21);
  const seenValues = new Map<number, Set<string>>(services.map((_, index) => [index, new Set()]));
  const times = daytimes(chance, now);
  const scans = times.map((at) => oneScan(chance, at, databases, seenValues));
  return inUploads(withStory(scans), now);
}

/**
 * Makes the two latest scans at the main gate those of one ticket, admitted and then scanned again, and the latest
 * stock lookup that of the README's example.
 */
function withStory(scans: readonly SampleScan[]): SampleScan[] {
  const [repeated, first] = scans.filter((scan) => scan.service === 0).reverse();
  const latestLookup = scans.findLast((scan) => scan.service === 3);
  return scans.map((scan) => {
    if (scan === latestLookup) {
      const { value, response } = exampleValue;
      return { ...scan, user: 3, value, status: 1, response, answers: [], properties: [] };
    }
    if (scan === first) {
      const answers = [{ question: 0, answer: 'Yes' }];
      return { ...scan, value: storyValue, status: 1, response: 'Adult, three days', answers };
    }
    if (scan !== repeated) return scan;
    return { ...scan, value: storyValue, status: 0, response: 'Already scanned', answers: [] };
  });
}

function daytimes(chance: Seeded, now: number): number[] {
  const times: number[] = [];
  // The zone's hour by the UTC hour: they begin together, so that each is looked up once.
  const hours = new Map<number, number>();
  while (times.length < scanCount) {
    const at = now - 5 * 60_000 - chance.whole(0, days * 86_400) * 1000;
    const utcHour = Math.floor(at / 3_600_000);
    const hour = hours.get(utcHour) ?? DateTime.fromMillis(at, { zone }).hour;
    hours.set(utcHour, hour);
    if (hour >= 9 && hour < 23) times.push(Math.floor(at / 1000) * 1000);
  }
  return times.sort((a, b) => a - b);
}

function oneScan(
  chance: Seeded,
  scannedAt: number,
  databases: readonly SampleDatabase[],
  seenValues: ReadonlyMap<number, Set<string>>,
): SampleScan {
  const service = weighted(chance);
  const seenBefore = seenValues.get(service) as Set<string>;
  const value = chooseValue(chance, service, databases, seenBefore);
  const verdict = judge(chance, service, value, databases, seenBefore.has(value));
  seenBefore.add(value);
  return {
    service,
    device: chance.pick(devicesOf[service] as readonly number[]),
    user: chance.pick(usersOf[service] as readonly number[]),
    value,
    ...verdict,
    scannedAt,
    receivedAt: scannedAt + chance.whole(0, 2) * 1000,
    answers: answersTo(chance, service, verdict.status),
    properties: propertiesOf(chance, service),
  };
}

function weighted(chance: Seeded): number {
  let pointsLeft = chance.whole(1, 100);
  return Math.max(
    0,
    shares.findIndex((share) => {
      pointsLeft -= share;
      return pointsLeft <= 0;
    }),
  );
}

function chooseValue(
  chance: Seeded,
  service: number,
  databases: readonly SampleDatabase[],
  earlierValues: ReadonlySet<string>,
): string {
  if (earlierValues.size > 0 && chance.chance(15)) return chance.pick([...earlierValues]);
  if (chance.chance(4)) return `UNKNOWN-${chance.whole(1000, 9999)}`;
  const databaseIndex = services[service]?.database ?? (service === 2 ? 1 : 0);
  const values = (databases[databaseIndex] as SampleDatabase).values;
  let { value } = chance.pick(values);
  while (value === storyValue || value === unusedValue) value = chance.pick(values).value;
  return value;
}

function judge(
  chance: Seeded,
  service: number,
  value: string,
  databases: readonly SampleDatabase[],
  isRepeat: boolean,
): Pick<SampleScan, 'status' | 'response'> {
  const { database, settings, method } = services[service] as (typeof services)[number];
  if (method === 'postback') {
    return chance.chance(80) ? { status: 1, response: 'Welcome' } : { status: 0, response: 'Not on the list' };
  }
  if (database === undefined) return { status: 1, response: 'Saved' };
  if (method === 'ondevicedatabase' && chance.chance(12))
    return { status: -1, response: 'Not validated: no connection' };
  const known = databases[database]?.values.find((entry) => entry.value === value);
  if (!known) return { status: 0, response: 'Not found' };
  if (known.valid && isRepeat && settings.duplicate_value === '0') return { status: 0, response: 'Already scanned' };
  return { status: known.valid ? 1 : 0, response: known.response };
}

function answersTo(chance: Seeded, service: number, status: number): SampleScan['answers'] {
  const asked = services[service]?.questions ?? [];
  return asked
    .filter(({ condition }) => (condition === 'valid_scan' ? status === 1 : true) && chance.chance(80))
    .map(({ question }) => {
      const { type, answers } = questions[question] as (typeof questions)[number];
      if (type === 'manualnumeric') return { question, answer: String(chance.whole(0, 60)) };
      if (type === 'manual')
        return { question, answer: chance.pick(['Box is wet', 'Label torn & hard to read', 'OK']) };
      if (type === 'checkbox') return { question, answer: answers.filter(() => chance.chance(50)).join('|^|') };
      return { question, answer: chance.pick<string>(answers) };
    })
    .filter(({ answer }) => answer !== '');
}

function propertiesOf(chance: Seeded, service: number): SampleScan['properties'] {
  const properties: [string, string][] = [
    ['capture_type', chance.chance(88) ? 'camera scan' : 'manual entry'],
    ['time_zone', zone],
  ];
  if (services[service]?.settings.enableGPS === '1') {
    const latitude = 43.6558 + chance.whole(-40, 40) / 10_000;
    const longitude = -70.2505 + chance.whole(-40, 40) / 10_000;
    properties.push(['gps_location', `${latitude.toFixed(6)},${longitude.toFixed(6)}`]);
  }
  return properties;
}

/** The offline gate's scans reach the account in batches, when its phone is back in the office. */
function inUploads(scans: readonly SampleScan[], now: number): SampleScan[] {
  const offline = scans.filter((scan) => services[scan.service]?.method.startsWith('ondevice'));
  const uploaded = new Map<SampleScan, { upload: number; receivedAt: number }>();
  for (let start = 0; start < offline.length; start += 6) {
    const together = offline.slice(start, start + 6);
    const lastScannedAt = together.at(-1)?.scannedAt ?? now;
    const receivedAt = Math.min(lastScannedAt + 40 * 60_000, Math.floor(now / 1000) * 1000 - 60_000);
    for (const scan of together) uploaded.set(scan, { upload: start / 6, receivedAt });
  }
  return scans.map((scan) => ({ ...scan, ...uploaded.get(scan) }));
}
