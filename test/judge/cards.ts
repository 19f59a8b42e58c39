/** Cards, as they are drawn: of a barcode, of several, with more of its scans, and shared with a channel. */
import { agesOf, type SeenScan } from '../../src/lookup/index.js';
import { scansOfCard } from '../../src/slack/lookup/more-scans.js';
import { lookupShare } from '../../src/slack/lookup/share-action.js';
import { judgeLine, type Kind, listedScans, notSure } from './card-law.js';
import { texts } from './history.js';
import { judgeScans } from './scan-law.js';
import { ageText, greenMs, minuteMs } from './truth.js';
import type { World } from './world.js';

const dayMs = 24 * 60 * minuteMs;

/** A button's data: the card as it is stored. */
type CardButton = { readonly value: string; readonly spellings?: readonly string[]; readonly kept?: string };

/** A card that was shown, and can be shared later. */
export interface ShownCard {
  readonly title: string;
  readonly data: CardButton;
  readonly askedAt: number;
  readonly connection: number;
}

export async function look(world: World, values: readonly string[]): Promise<ShownCard | undefined> {
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
    const lookup = asked.lookups.find(({ value, reading }) => (reading?.typed ?? value) === text);
    const { history } = lookup ?? {};
    const asOf = lookup && agesOf(lookup);
    const kind = kindOf(title);
    const scans = history?.kind === 'read' && !history.more ? history.scans.map(madeOf) : undefined;
    const answer = {
      ...{
        text,
        reading: lookup && lookup.value !== text ? lookup.value : undefined,
        title,
        kind,
        askedAt,
        answeredAt: world.clock.now(),
        undisturbed: still,
        down,
      },
      green: title.includes('✅'),
      valuesAt: asOf?.values,
      absentAt: asOf?.absent,
      scansAt: asOf?.scans,
      fullAt: asOf?.fullAt,
      scansSince: history?.days === undefined ? undefined : askedAt - history.days * dayMs,
      scans,
      single: values.length === 1,
    };
    const age = asOf?.values === undefined ? '' : ` (values ${ageText(askedAt - asOf.values)} old)`;
    world.note(
      `${values.length > 1 ? 'several: ' : ''}${JSON.stringify(text)} is looked up: ${title}, ${scans?.length ?? '?'} scans${age}`,
    );
    const by = answer.reading === undefined ? '' : ` by ${answer.reading}`;
    world.answers.push(`${answer.green ? 'green ' : ''}${kind} ${scans?.length ?? '?'}${by}`);
    world.verdict(judgeLine(world.truth, answer), still, notSure.has(kind), title);
  }
  const data = buttonOf(asked.message, 'lookup.share');
  if (values.length > 1 || !data?.kept) {
    return undefined;
  }
  const card = { title: lines[0] ?? '', data, askedAt, connection: world.connection };
  world.cards.push(card);
  return card;
}

/** *More scans* of a card, page by page: no older than the card. */
export async function more(world: World, text: string): Promise<void> {
  const card = await look(world, [text]);
  if (!card) {
    return;
  }
  const undisturbed = await world.undisturbed();
  const askedAt = world.clock.now();
  const made: number[] = [];
  const wrong: string[] = [];
  let asOf = askedAt;
  for (let page = 0, older = true; older; page += 1) {
    const found = await world.answered(
      scansOfCard(world.app.contextOf(world.owner) as never, card.data as never, page).catch(
        (error: { code?: string }) => {
          if (!String(error.code).startsWith('account.')) {
            throw error;
          }
          return undefined;
        },
      ),
    );
    if (!found) {
      world.note(`more scans of ${JSON.stringify(text)} cannot be read`);
      world.answers.push('more ?');
      world.verdict([], undisturbed && !world.moved, true, 'more scans: not answered');
      return;
    }
    asOf = Math.min(asOf, found.asOf);
    made.push(...found.scans.map(madeOf));
    older = found.older;
    const { summary } = found;
    if (!older && summary.exact && summary.total !== made.length) {
      wrong.push(`counts ${summary.total} scans and shows ${made.length}`);
    }
  }
  world.note(`more scans of ${JSON.stringify(text)}: ${made.length}`);
  world.answers.push(`more ${made.length}`);
  const list = listedScans(world.truth, {
    ...{ text, valuesAt: card.askedAt - greenMs, scansAt: asOf, fullAt: asOf, now: askedAt, since: undefined },
  });
  world.verdict([...wrong, ...judgeScans(list, made)], undisturbed && !world.moved, false, 'more scans');
}

/** *Share here*: a card is shared as it was shown; a card of the account before is not shared. */
export async function shareCard(world: World, text: string): Promise<void> {
  const card = world.cards[texts.indexOf(text as (typeof texts)[number]) % Math.max(1, world.cards.length)];
  if (!card || world.clock.now() - card.askedAt >= dayMs - minuteMs) {
    return;
  }
  const shared = await shareOf(world, lookupShare, card.data);
  world.note(`the card of ${JSON.stringify(card.data.value)} is shared: ${shared?.map((one) => linesOf(one)[0])}`);
  if (shared === undefined || card.connection !== world.connection) {
    world.answers.push('shared refused');
    const isRight = shared === undefined && card.connection !== world.connection;
    world.verdict(isRight ? [] : ['shares a card of the account before, or none'], true, false, 'shared card');
    return;
  }
  // A second click during the first, and a card that was shared already, post nothing.
  const titles = shared.map((one) => linesOf(one)[0] ?? '');
  world.answers.push(`shared ${titles.length}`);
  const age = world.clock.now() - card.askedAt;
  const others = titles.filter((title) => !isSharedAs(card.title, title, age));
  world.verdict(
    others.length === 0 ? [] : [`shares “${others}” of the card “${card.title}”`],
    true,
    false,
    'shared card',
  );
}

/** Whether the title is the shown one, with its age from a minute on; what lets in is not confirmed once it is old. */
function isSharedAs(shown: string, title: string, age: number): boolean {
  const words = shown.replace(/,? <!date.*/s, '');
  return age >= greenMs && shown.startsWith('✅')
    ? title.startsWith('⚠️ Valid <!date') && title.endsWith(', not confirmed')
    : title.startsWith(words) && (age < minuteMs || title.includes('as of ') || title.includes('Not checked'));
}

/** What is posted for everybody; undefined: it was refused, since another account is connected. */
export async function shareOf(world: World, listener: Parameters<World['app']['click']>[1], data: unknown) {
  return await world.answered(
    world.app.click(world.owner, listener, data).then(
      (posted) => posted as readonly Message[],
      (error: { code?: string }) => {
        if (error.code !== 'slack.other_account') {
          throw error;
        }
        return undefined;
      },
    ),
  );
}

/** The time that a device said of a shown scan. */
export function madeOf({ at, atText }: Pick<SeenScan, 'at' | 'atText'>): number {
  return at ?? Date.parse(`${atText.replace(' ', 'T')}Z`);
}

/** The data of a message's button. */
export function buttonOf(message: unknown, id: string): CardButton | undefined {
  const { blocks } = message as { readonly blocks: readonly { readonly elements?: readonly Button[] }[] };
  const found = blocks.flatMap(({ elements = [] }) => elements).find(({ action_id }) => action_id === id);
  return found?.value === undefined ? undefined : JSON.parse(found.value);
}

interface Button {
  readonly action_id?: string;
  readonly value?: string;
}

export interface Message {
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
  [/Valid in the database, last scan not valid/, 'refused'],
  [/Valid in .*not valid in/, 'disagree'],
  [/❌/, 'not_valid'],
  [/Valid, scanned at/, 'elsewhere'],
  [/Valid, scanned/, 'scanned'],
  [/Valid, no admission/, 'no_admission'],
  [/Valid, history incomplete/, 'incomplete'],
  [/not confirmed/, 'unconfirmed'],
];

function kindOf(title: string): Kind {
  const found = kinds.find(([pattern]) => pattern.test(title));
  if (!found) {
    throw new Error(`a headline that nobody knows: ${title}`);
  }
  return found[1];
}
