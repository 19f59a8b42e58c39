/** The location of a scan, parsed from the device's text; an ambiguous text gives none. */
import { z } from 'zod';

/** Where a scan was made. `text`: the degrees with the digits that the device sent. */
export const geoLocation = z.object({ latitude: z.number(), longitude: z.number(), text: z.string() }).readonly();

export type GeoLocation = z.output<typeof geoLocation>;

/** The scan property in which devices send `latitude,longitude` (docs/account-api.md#scan-to-url). */
export const placeProperty = 'gps_location';

const pair = /^\s*([+-]?\d{1,3}(?:\.\d{1,20})?)\s*,\s*([+-]?\d{1,3}(?:\.\d{1,20})?)\s*$/;

/** Parses a location as `48.137,11.575`; undefined for any other text, and degrees out of range. */
export function readPlace(text: string): GeoLocation | undefined {
  const [, latitudeText, longitudeText] = pair.exec(text) ?? [];
  if (latitudeText === undefined || longitudeText === undefined) {
    return undefined;
  }
  const latitude = Number(latitudeText);
  const longitude = Number(longitudeText);
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) {
    return undefined;
  }
  return { latitude, longitude, text: `${latitudeText}, ${longitudeText}` };
}

export function placeOf(
  properties: readonly { readonly name: string; readonly value: string }[],
): GeoLocation | undefined {
  const property = properties.find((p) => p.name === placeProperty);
  return property && readPlace(property.value);
}
