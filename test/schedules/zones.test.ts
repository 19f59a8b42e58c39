import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { historyPage } from '../../src/pages/history.js';
import { relaySettingsSchema } from '../../src/relay/index.js';
import { canonicalZone, deviceZone } from '../../src/schedules/zones.js';
import type { Store } from '../../src/workspaces/types.js';
import { openTestStore, sqliteDatabases } from '../helpers/databases.js';
import { dateFormatsMade } from '../helpers/intl-formats.js';
import { gate, postScan, relaysOf, scanForm, startIntake, type TestIntake } from '../helpers/relay.js';

const wholeDay = { zone: 'America/Lima', days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00' };
const mornings = { ...wholeDay, to: '12:00' };
const rule = { id: 'r', when: { kind: 'every' }, channel: 'C0GATE' };

describe('a time zone', () => {
  it.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['eUROPE/berlin', 'Europe/Berlin'],
    ['utc', 'UTC'],
    ['Mars/Base', undefined],
    ['', undefined],
    ['../x', undefined],
  ])('a time zone entered as %j is read as %s (undefined: no time zone)', (name, zone) => {
    expect(canonicalZone(name)).toBe(zone);
    expect(canonicalZone(name)).toBe(zone);
  });

  it('a device’s property time_zone is its time zone if the zone is valid', () => {
    expect(deviceZone([{ name: 'time_zone', value: 'Asia/Tokyo' }])).toBe('Asia/Tokyo');
    expect(deviceZone([{ name: 'time_zone', value: 'Mars/Base' }])).toBeUndefined();
    expect(deviceZone([{ name: 'zone', value: 'Asia/Tokyo' }])).toBeUndefined();
  });
});

describe('the Intl date formats of scans', () => {
  const databases = sqliteDatabases();
  let store: Store;
  let intake: TestIntake;

  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
    intake = await startIntake(store);
  });
  afterAll(async () => {
    await intake.close();
    await store.close();
  });

  it.each([
    ['a thread', { rules: [{ ...rule, how: 'thread' }] }],
    ['a thread with quiet hours', { rules: [{ ...rule, how: 'thread', quiet: mornings }] }],
    ['a digest', { rules: [{ ...rule, how: 'digest' }] }],
    ['a digest with quiet hours', { rules: [{ ...rule, how: 'digest', quiet: mornings }] }],
    ['quiet hours', { rules: [{ ...rule, quiet: wholeDay }] }],
    ['a rule for scans outside of hours', { rules: [{ ...rule, when: { kind: 'outside_hours', hours: mornings } }] }],
    ['active hours', { hours: wholeDay }],
    ['an answer that tells the time', { answers: { valid: { text: 'at {time}' } } }],
  ])('sixty scans at a relay with %s build fewer than five Intl date formats', async (_, settings) => {
    const { path } = await relaysOf(store).create({ ...gate, settings: relaySettingsSchema.parse(settings) });
    const scan = async (tid: string) => {
      const { status } = await postScan(`${intake.url}${path}`, scanForm({ tid, time_zone: 'Asia/Tokyo' }));
      expect(status).toBe(200);
    };
    const made = await dateFormatsMade(async () => {
      for (let n = 0; n < 60; n += 1) {
        await scan(`T-${n}`);
      }
    });
    // One format checks the zone, one counts in it.
    expect(made).toBeLessThan(5);
  });

  it('thirty scans on the page of a device build fewer than five Intl date formats', async () => {
    const at = Date.UTC(2026, 4, 1, 12);
    const scans = Array.from({ length: 30 }, (_, n) => ({
      ...{ tid: `T-${n}`, at, receivedAt: at + 60_000, valid: true, text: '', late: true, answers: [] },
      properties: [{ name: 'time_zone', value: 'Asia/Tokyo' }],
    }));
    const nameOf = (_: string, id: string) => id;
    let page = '';
    const made = await dateFormatsMade(() => {
      page = historyPage({ udid: 'd', scans, searched: undefined, validates: true, nameOf, now: at + 90_000 }).body
        .html;
    });
    expect(page.match(/1 May, 21:00:00/g)).toHaveLength(30);
    expect(made).toBeLessThan(5);
  });
});
