/**
 * Former names of a relay's secret scan property. Devices may still send them and the account has them on record, so
 * these properties are secret too. The names are stored in the JSON of the settings, whose schema drops them.
 */
import { z } from 'zod';
import { type RelaySettings, variableNames } from './settings.js';

/**
 * The JSON key of former names; it shares its prefix with the setting for the current name, so that one search finds
 * both.
 */
const field = 'secretPropertyBefore';
export const settingsMarker = '"secretProperty';

const storedShape = z
  .object({ [field]: z.array(z.string()), secretProperty: z.object({ name: z.string() }) })
  .partial();

/** The most names that are kept; older ones are dropped. */
const mostNames = 50;

/**
 * The properties to remove from a scan. A variable that a scan needs is not among them, even if a secret once had its
 * name. @param names the names that a postback template gives the variables
 */
export function retiredSecretNames(settings: string, names: RelaySettings['names']): readonly string[] {
  const neededNames = new Set<string>([...variableNames, ...Object.values(names)]);
  return (read(settings)?.[field] ?? []).filter((name) => !neededNames.has(name));
}

/** All current and former names of the relay's secret property; empty for settings that cannot be read. */
export function allSecretNames(settings: string): readonly string[] {
  const { [field]: former = [], secretProperty } = read(settings) ?? {};
  return secretProperty ? [...former, secretProperty.name] : former;
}

/** Settings (JSON) with the former names of the secret property. @param before the settings that they replace */
export function withRetiredSecretNames(settings: string, before: string): string {
  const currentName = read(settings)?.secretProperty?.name;
  const former = [...new Set(allSecretNames(before))].filter((name) => name !== currentName).slice(-mostNames);
  return former.length === 0 ? settings : JSON.stringify({ ...JSON.parse(settings), [field]: former });
}

function read(settings: string): z.output<typeof storedShape> | undefined {
  try {
    return settings === '{}' ? {} : storedShape.parse(JSON.parse(settings));
  } catch {
    return undefined;
  }
}
