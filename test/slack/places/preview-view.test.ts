import { describe, expect, it } from 'vitest';
import { type PlaceList, type PlacesPreview, placeSettings } from '../../../src/places/index.js';
import { placesPreviewView, previewedSpan } from '../../../src/slack/places/views.js';
import { read } from '../block-kit/reading.js';

const gate = [{ kind: 'from', what: 'device', ids: ['D-1'] }];
const settingsOf = (more: object) => placeSettings.parse({ in: gate, out: gate, zone: 'Europe/Berlin', ...more });

describe('the preview of a list', () => {
  it.each([
    ['since the day began, of a list with an hour', { hour: 5 }, undefined, 'today'],
    ['of the last 24 hours, of a list that is reset only by hand', {}, undefined, '1'],
    ['of the 7 days that were chosen', {}, '7', '7'],
    ['of the last 24 hours if “today” is chosen for a list without an hour', {}, 'today', '1'],
  ])('a preview shows scans %s', (_, more, chosen, span) => {
    expect(previewedSpan(settingsOf(more), chosen)).toBe(span);
  });

  const alerts = { channel: 'C1', percents: [80, 100] };
  const full = settingsOf({ hour: 5, capacity: 1_500, alerts });
  const shown = (span: 'today' | '7', list?: Pick<PlaceList, 'settings'>) => {
    const counts = { scans: 1_300, ins: 1_300, outs: 0, outsAlone: 0, insAgain: 0, withoutGate: 0, inside: 1_300 };
    const preview: PlacesPreview = { ...counts, overdue: 0, doubles: 0, gates: [], reached: 80 };
    const display = { span, list: list as PlaceList | undefined, gates: [], private_metadata: '' };
    return read(placesPreviewView(preview, { name: 'Hall', settings: full }, display).blocks);
  };

  it('a preview says which threshold is posted at once, and not of a span or threshold that posts nothing', () => {
    expect(shown('today')).toContain('⚠️ 80% of 1,500 is reached: Turn on posts this');
    expect(shown('today', { settings: settingsOf({ hour: 5, capacity: 9_000, alerts }) })).toContain('Save posts this');
    expect(shown('7')).not.toContain('is reached');
    expect(shown('today', { settings: full })).not.toContain('is reached');
  });
});
