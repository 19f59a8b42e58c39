import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeOf, readPlace } from '../../src/scans/geo-location.js';

describe('the place of a scan', () => {
  it.each([
    ['48.137,11.575', 48.137, 11.575],
    ['-33.8688, 151.2093', -33.8688, 151.2093],
    ['0,0', 0, 0],
    [' 90 , -180 ', 90, -180],
    ['+1.5,+2.5', 1.5, 2.5],
  ])('the geolocation of a scan is read from %j', (text, latitude, longitude) => {
    expect(readPlace(text)).toMatchObject({ latitude, longitude });
  });

  it.each([
    '',
    ',',
    '48.137',
    '48,137,11,575',
    '91,0',
    '0,181',
    '1e1,2',
    '0x10,2',
    'NaN,NaN',
    '48.137,11.575,3',
    'somewhere',
    '48.,11.',
    '１,２',
    '1,2\u0000',
  ])('the geolocation of a scan is not read from %j', (text) => {
    expect(readPlace(text)).toBeUndefined();
  });

  it('the geolocation of a scan has all digits that were sent', () => {
    expect(readPlace('48.1370000000,11.5')?.text).toBe('48.1370000000, 11.5');
  });

  it('the geolocation of a scan is always two numbers or missing', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.tuple(fc.string(), fc.string()).map((two) => two.join(',')),
        ),
        (text) => {
          const place = readPlace(text);
          expect(place === undefined || /^[+-]?[\d.]+, [+-]?[\d.]+$/.test(place.text)).toBe(true);
        },
      ),
    );
  });

  it('the geolocation of a scan is read from the property gps_location alone', () => {
    expect(placeOf([{ name: 'capture_type', value: '1,2' }])).toBeUndefined();
    expect(placeOf([{ name: 'gps_location', value: '1,2' }])?.latitude).toBe(1);
  });
});
