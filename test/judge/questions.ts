/** Questions of people: a card of one barcode or of several, as it is drawn, and a search for scans. */
import type { SeenScan } from '../../src/lookup/index.js';
import { isUnsure, judgeLine, judgeScans, type Kind, searchedScans } from './card-law.js';
import { ageText, minuteMs } from './truth.js';
import type { World } from './world.js';

const dayMs = 24 * 60 * minuteMs;

export async function look(world: World, values: readonly string[]): Promise<void> {
  const undisturbed = await world.undisturbed();
  const askedAt = world.clock.now();
  const down = world.isDown();
  const asked = await world.answered(
    world.app.lookUp(world.owner, values).catch((error: { code?: string }) => {
      if (!String(error.code).startsWith('account.')) {
        throw error;
      }
      return { message: { text: '⚠️ Not checked: nothing could be searched', blocks: [] }, lookups: [] };
    }),
  );
  const still = undisturbed && !world.moved;
  const lines = linesOf(asked.message as Message);
  for (const [at, text] of values.entries()) {
    const title = lines[at] ?? '';
    const lookup = asked.lookups.find(({ value }) => value === text);
    const { asOf, history } = lookup ?? {};
    const kind = kindOf(title);
    const scans = history?.kind === 'read' && !history.more ? history.scans.map(madeOf) : undefined;
    const answer = {
      ...{ text, title, kind, askedAt, answeredAt: world.clock.now(), undisturbed: still, down },
      green: title.includes('✅'),
      valuesAt: asOf?.values,
      scansAt: asOf?.scans,
      scansSince: asOf?.scanDays === undefined ? undefined : askedAt - asOf.scanDays * dayMs,
      scans,
      single: values.length === 1,
    };
    const age = asOf?.values === undefined ? '' : ` (values ${ageText(askedAt - asOf.values)} old)`;
    world.note(
      `${values.length > 1 ? 'several: ' : ''}${JSON.stringify(text)} is looked up: ${title}, ${scans?.length ?? '?'} scans${age}`,
    );
    world.answers.push(`${answer.green ? 'green ' : ''}${kind} ${scans?.length ?? '?'}`);
    world.verdict(judgeLine(world.truth, answer), still, isUnsure(answer));
  }
}

export async function search(world: World, text: string): Promise<void> {
  const account = world.app.accounts.open(world.account.desk.apiKey);
  const query = { barcode: { match: 'is' as const, text } };
  const found = await world.answered(
    world.app.searchScans({ owner: world.owner, account, query, zone: 'UTC', budgetMs: 60_000, limit: 200 }),
  );
  if (found === 'no_span') {
    throw new Error('a search without a span');
  }
  world.note(`${JSON.stringify(text)} is searched for: ${found.scans.length} scans`);
  const made = found.scans.map(madeOf);
  world.answers.push(`found ${made.length}`);
  const wrong = judgeScans(searchedScans(world.truth, text, found.copy), made);
  const counted = found.totals.valid + found.totals.invalid + found.totals.other;
  world.verdict(
    counted === made.length ? wrong : [...wrong, `counts ${counted} scans and lists ${made.length}`],
    false,
    false,
  );
}

function madeOf({ at, atText }: SeenScan): number {
  return at ?? Date.parse(`${atText.replace(' ', 'T')}Z`);
}

interface Message {
  readonly text: string;
  readonly blocks: readonly { readonly fields?: readonly { readonly text: string }[] }[];
}

/** The line of each barcode, as it is drawn on a card of one or of several; with the sign in front. */
function linesOf({ text, blocks }: Message): readonly string[] {
  const several = blocks.flatMap(({ fields }) => (fields?.[1] ? [fields[1].text.split('\n')[0] ?? ''] : []));
  return (several.length > 0 ? several : [text]).map((line) => line.slice(Math.max(0, line.search(/✅|❌|⛔|⚠️|❔/u))));
}

const kinds: readonly (readonly [RegExp, Kind])[] = [
  [/Not checked/, 'not_checked'],
  [/^⛔/, 'used'],
  [/Unknown/, 'unknown'],
  [/not confirmed/, 'unconfirmed'],
  [/Valid in the database, last scan refused/, 'refused'],
  [/Valid in .*not valid in/, 'disagree'],
  [/❌/, 'not_valid'],
  [/Valid, scanned/, 'scanned'],
  [/Valid, no admission/, 'no_admission'],
  [/Valid, history incomplete/, 'incomplete'],
];

function kindOf(title: string): Kind {
  const found = kinds.find(([pattern]) => pattern.test(title));
  if (!found) {
    throw new Error(`a headline that nobody knows: ${title}`);
  }
  return found[1];
}
