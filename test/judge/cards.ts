/** Cards, as they are drawn: of a barcode, of several, with more of its scans, and shared with a channel. */
import { agesOf, type Lookup, type SeenScan } from '../../src/lookup/index.js';
import { answerBarcodes } from '../../src/slack/lookup/answer-barcodes.js';
import { scansOfCard } from '../../src/slack/lookup/more-scans.js';
import { lookupShare } from '../../src/slack/lookup/share-action.js';
import { judgeLine, type Kind, type LineAnswer, listedScans, notSure } from './card-law.js';
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
  /** The databases that hold the barcode. */
  readonly known: readonly string[];
  readonly askedAt: number;
  readonly connection: number;
}

/** How barcodes are asked for. */
type Ask = Parameters<World['app']['see']>[1];

/** The answer to a person's question, with what the judge knows of the moment. */
export async function asked(world: World, ask: Ask) {
  const undisturbed = await world.undisturbed();
  const askedAt = world.clock.now();
  const down = world.isDown();
  const { message, lookups } = await world.answered(
    world.app.see(world.owner, ask).catch((error: { code?: string }) => {
      if (!String(error.code).startsWith('account.')) {
        throw error;
      }
      return { message: { text: '⚠️ Not checked: nothing could be searched', blocks: [] }, lookups: [] };
    }),
  );
  return { message, lookups, askedAt, down, undisturbed: undisturbed && !world.moved };
}

type Asked = Awaited<ReturnType<typeof asked>>;

export async function look(
  world: World,
  values: readonly string[],
  ask: Ask = (context) => answerBarcodes(context as never, values),
): Promise<ShownCard | undefined> {
  const answer = await asked(world, ask);
  const lines = linesOf(answer.message as Message);
  for (const [at, text] of values.entries()) {
    const title = lines[at] ?? '';
    judgeTitle(world, text, title, answer, values.length === 1);
    // Only the barcode's own card is a row of its own among recent lookups.
    const isOwn = answer.lookups.some(({ value }) => value === text);
    world.titles.set(text, isOwn ? { title, kind: kindOf(title) } : undefined);
  }
  const data = buttonOf(answer.message, 'lookup.share');
  if (values.length > 1 || !data?.kept) {
    return undefined;
  }
  const findings = answer.lookups.flatMap((lookup) => lookup.findings);
  const known = findings.flatMap(({ kind, database }) => (kind === 'known' ? database.id : []));
  const card = { title: lines[0] ?? '', data, known, askedAt: answer.askedAt, connection: world.connection };
  world.cards.push(card);
  return card;
}

/** Judges the title of a barcode's answer, on any surface. */
export function judgeTitle(
  world: World,
  text: string,
  title: string,
  { lookups, askedAt, undisturbed, down }: Asked,
  single: boolean,
  said: Partial<LineAnswer> = {},
): void {
  const lookup = lookups.findLast(({ value, reading }) => (reading?.typed ?? value) === text);
  const { history } = lookup ?? {};
  const isUnlisted = lookup?.lists.services?.whole === false;
  const kind = isUnlisted && title.includes('not confirmed') ? 'unconfirmed' : kindOf(title);
  const scans = history?.kind === 'read' && !history.more ? history.scans.map(madeOf) : undefined;
  const ages = statedAges(world, lookup, askedAt);
  const answer: LineAnswer = {
    ...{ text, title, kind, askedAt, undisturbed, down, scans, single, ...ages },
    reading: lookup && lookup.value !== text ? lookup.value : undefined,
    answeredAt: world.clock.now(),
    green: title.includes('✅'),
    ...said,
  };
  const age = ages.valuesAt === undefined ? '' : ` (values ${ageText(askedAt - ages.valuesAt)} old)`;
  world.note(
    `${single ? '' : 'several: '}${JSON.stringify(text)} is looked up: ${title}, ${scans?.length ?? '?'} scans${age}`,
  );
  const by = answer.reading === undefined ? '' : ` by ${answer.reading}`;
  world.answers.push(`${answer.green ? 'green ' : ''}${kind} ${scans?.length ?? '?'}${by}`);
  const isExcused = lookup !== undefined && world.isExcused(kind, askedAt);
  const still = undisturbed && !isExcused;
  world.verdict(judgeLine(world.truth, { ...answer, undisturbed: still }), still, notSure.has(kind), title);
}

/** The ages that a lookup states of its facts. */
function statedAges(world: World, lookup: Lookup | undefined, askedAt: number) {
  const ages = lookup && agesOf(lookup);
  const { days } = lookup?.history ?? {};
  const { databases, services } = lookup?.lists ?? {};
  const listedAt = (list: typeof databases) => list && (list.whole ? list.at : Number.NEGATIVE_INFINITY);
  return {
    valuesAt: ages?.values,
    absentAt: ages?.absent,
    scansAt: ages?.scans,
    fullAt: ages?.fullAt,
    scansSince: days === undefined ? undefined : askedAt - days * dayMs,
    databasesAt: world.isChosen ? undefined : listedAt(databases),
    servicesAt: services?.whole ? services.at : undefined,
    unlisted: services?.whole === false,
  };
}

/** *All scans* of a card, page by page: no older than the card. */
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
    // A text that is in no database may have the card of its equal reading.
    ...{ text: card.data.value, valuesAt: card.askedAt - greenMs, scansAt: asOf, fullAt: asOf, now: askedAt },
    since: undefined,
    ...{ databasesAt: asOf, servicesAt: asOf },
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
  const withoutAge = (of: string) => of.replace(/,? <!date[^>]*>(, not confirmed$)?/, '');
  return age >= greenMs && shown.startsWith('✅')
    ? title.startsWith('⚠️ Valid <!date') && title.endsWith(', not confirmed')
    : withoutAge(title).startsWith(withoutAge(shown)) &&
        (age < minuteMs || title.includes('as of ') || title.includes('Not checked'));
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
  readonly blocks: readonly { readonly type: string; readonly text?: unknown }[];
}

/** The line of each barcode, as it is drawn on a card of one or of several; with the sign in front. */
export function linesOf({ text, blocks }: Message): readonly string[] {
  // Of several, each barcode stands in a line of its own above its result.
  const results = blocks.flatMap((block, at) =>
    block.type === 'section' && blocks[at - 1]?.type === 'rich_text'
      ? [(block.text as { readonly text: string }).text.split('\n')[0] ?? '']
      : [],
  );
  const lines = /^\d+ barcodes:/.test(text) ? results : [text];
  return lines.map((line) => line.slice(Math.max(0, line.search(/✅|❌|⛔|⚠️|❔/u))));
}

const kinds: readonly (readonly [RegExp, Kind])[] = [
  [/Not checked/, 'not_checked'],
  [/^⛔|^. Already used/u, 'used'],
  [/Unknown/, 'unknown'],
  [/Valid in the database, last scan not valid/, 'refused'],
  [/Valid in .*not valid in/, 'disagree'],
  [/❌/, 'not_valid'],
  // The age stands between both.
  [/Valid(?:,| .*,) scanned at/, 'elsewhere'],
  [/Valid(?:,| .*,) scanned/, 'scanned'],
  [/Valid, no admission/, 'no_admission'],
  [/Valid, history incomplete/, 'incomplete'],
  [/not confirmed/, 'unconfirmed'],
];

export function kindOf(title: string): Kind {
  const found = kinds.find(([pattern]) => pattern.test(title));
  if (!found) {
    throw new Error(`a headline that nobody knows: ${title}`);
  }
  return found[1];
}
