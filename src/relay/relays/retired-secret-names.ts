/**
 * Former names of a relay's secret scan property. Devices may still send them and the account has them on record,
 * so they are treated as secret too. Stored beside the settings in their JSON; the settings schema drops them.
 */
import { z } from 'zod';
import { type RelaySettings, variableNames } from './settings.js';

/** In JSON; the setting for the one of today begins alike, so that one search finds both. */
const field = 'secretPropertyBefore';
export const searchedFor = '"secretProperty';

const kept = z.object({ [field]: z.array(z.string()), secretProperty: z.object({ name: z.string() }) }).partial();

/** More often than this nobody renames one; the oldest goes. */
const mostNames = 50;

/**
 * What is taken off a scan. Never a variable that a scan cannot do without, whatever somebody once called their secret.
 * @param names a postback template's
 */
export function formerSecrets(settings: string, names: RelaySettings['names']): readonly string[] {
  const meant = new Set<string>([...variableNames, ...Object.values(names)]);
  return (read(settings)?.[field] ?? []).filter((name) => !meant.has(name));
}

/** All that the relay's secret property is and was called; nothing of settings that cannot be read. */
export function everySecret(settings: string): readonly string[] {
  const { [field]: former = [], secretProperty } = read(settings) ?? {};
  return secretProperty ? [...former, secretProperty.name] : former;
}

/**
 * Settings (JSON) that remember what those before them called it.
 * @param before undefined: a new relay's
 */
export function withFormerSecrets(settings: string, before: string | undefined): string {
  if (before === undefined) {
    return settings;
  }
  const today = read(settings)?.secretProperty?.name;
  const former = [...new Set(everySecret(before))].filter((name) => name !== today).slice(-mostNames);
  return former.length === 0 ? settings : JSON.stringify({ ...JSON.parse(settings), [field]: former });
}

function read(settings: string): z.output<typeof kept> | undefined {
  try {
    return settings === '{}' ? {} : kept.parse(JSON.parse(settings));
  } catch {
    return undefined;
  }
}
