import { describe, expect, it } from 'vitest';
import { placeSettings } from '../../../src/places/index.js';
import { previewedSpan } from '../../../src/slack/places/views.js';

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
});
