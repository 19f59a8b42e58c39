/**
 * Databases that let an unknown barcode in once they hold it: a relay validates with them, and the lookup is sure that
 * none of the relay's databases holds it. Their options are indexes, since the account's ids have no length limit.
 */
import { headlineOf, type Lookup } from '../../lookup/index.js';
import type { Owner } from '../../ownership.js';
import { shortName } from '../block-kit/short-text.js';
import type { SlackDeps } from '../bolt/routing/deps.js';

type Choice = readonly [indexOfFinding: string, name: string];

export async function walkUpChoices(
  { relays }: Pick<SlackDeps, 'relays'>,
  owner: Owner,
  lookup: Lookup,
): Promise<readonly Choice[]> {
  if (headlineOf(lookup).kind !== 'unknown') {
    return [];
  }
  const absent = new Set(lookup.findings.flatMap(({ kind, database }) => (kind === 'unknown' ? database.id : [])));
  const askedDatabases = (await relays.list(owner)).flatMap(({ relay: { settings } }) => {
    const ids = settings.judging.kind === 'database' ? settings.judging.databaseIds : [];
    return ids.every((id) => absent.has(id)) ? ids : [];
  });
  const choices = lookup.findings.map(({ database }, at): Choice => [String(at), shortName(database.name, 75)]);
  return choices.filter((_, at) => askedDatabases.includes(lookup.findings[at]!.database.id));
}
