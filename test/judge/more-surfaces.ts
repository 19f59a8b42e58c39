/** Other surfaces that draw a lookup: a device's page, Slackbot's tool, the message menu, Home's rows, an edited card. */
import { databases as operations } from '../../src/codereadr/operations/index.js';
import { headlineOf } from '../../src/lookup/index.js';
import { lookUpBarcodes } from '../../src/mcp/tools/look-up-barcodes.js';
import { lookupPage } from '../../src/pages/lookup.js';
import { answerBarcode } from '../../src/slack/lookup/answer-barcodes.js';
import { lookupChange } from '../../src/slack/lookup/edit/change-actions.js';
import { recentBlocks } from '../../src/slack/lookup/form/recent-rows.js';
import { recentLookups } from '../../src/slack/lookup/recent-lookups.js';
import { answerMessage } from '../../src/slack/messages/answer.js';
import type { Kind } from './card-law.js';
import { asked, judgeTitle, linesOf, look, type Message } from './cards.js';
import { type Step, texts } from './history.js';
import { searchScans } from './scans.js';
import { minuteMs } from './truth.js';
import { serviceSlots, type World } from './world.js';

const signs = { good: '✅', bad: '❌', unsure: '⚠️', unknown: '❔' } as const;

const dayMs = 24 * 60 * minuteMs;
const hasControl = (text: string) => /[\u0000-\u001f]/.test(text);

/** The page that a device opens. */
export async function devicePage(world: World, text: string): Promise<void> {
  const answer = await asked(world, async ({ deps, actor }) => {
    const { answer } = await deps.lookups.read(actor.owner, text);
    const lookup = await answer;
    const known = { ...lookup, headline: headlineOf(lookup) };
    return lookupPage({ barcode: text, known, now: world.clock.now() }).body.html;
  });
  const html = typeof answer.message === 'string' ? answer.message : '';
  const [, tone, verdict = ''] = /<div class="card verdict (\w+)" role="status">(.*?)<(?:p|\/div)/s.exec(html) ?? [];
  const sign = signs[tone as keyof typeof signs] ?? '❔';
  const title = html === '' ? '⚠️ Not checked' : `${sign} ${unescaped(verdict.slice(2))}`;
  judgeTitle(world, text, title, answer, true);
}

const unescaped = (html: string) =>
  html.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ({ '&lt;': '<', '&gt;': '>', '&amp;': '&' })[entity] ?? '"');

/** Slackbot's tool: its words carry the age, and *sure* what it is said of. */
export async function tool(world: World, text: string): Promise<void> {
  type Told = {
    readonly barcodes: readonly { readonly result: string; readonly sure: boolean; readonly as_of: string }[];
  };
  let told: Told | undefined;
  const answer = await asked(world, async (context) => {
    const given = await lookUpBarcodes.answer(context as never, { barcodes: [text] });
    told = given.data as unknown as Told;
    return given;
  });
  const [said] = told?.barcodes ?? [];
  const [lookup] = answer.lookups;
  const headline = lookup && headlineOf(lookup, world.clock.now());
  const title = headline ? `${signs[headline.tone]} ${headline.title} as of ${said?.as_of}` : '⚠️ Not checked';
  const resultOfTitle = headline && said ? toolResults[said.result]?.includes(headline.kind) : true;
  if (!resultOfTitle) {
    throw new Error(`wrong: the tool says ${said?.result} of “${title}”`);
  }
  const isGreen = said?.result === 'valid' && said.sure;
  if (isGreen !== (headline?.tone === 'good' && said?.result === 'valid')) {
    throw new Error(`wrong: the tool says ${said?.sure ? '' : 'not '}sure of “${title}”`);
  }
  judgeTitle(world, text, title, answer, true);
}

const toolResults: Readonly<Record<string, readonly string[]>> = {
  valid: ['refused', 'scanned', 'no_admission', 'elsewhere', 'incomplete', 'not_confirmed'],
  already_used: ['used'],
  not_valid: ['not_valid'],
  unknown: ['unknown'],
  not_checked: ['not_checked', 'disagree'],
};

/** *Look up barcodes* in a message's menu. */
export async function messageMenu(world: World, text: string): Promise<void> {
  if (!hasControl(text)) {
    await look(world, [text], (context) =>
      answerMessage({ ...context, message: { text } } as never, { text: `\`${text}\``, thread: '1' }).then(
        () => undefined,
      ),
    );
  }
}

/** What the row of a recent lookup says of the kinds that decide at a door. */
const rowWords: Readonly<Partial<Record<Kind, string>>> = {
  ...{ not_valid: 'Not valid', used: 'Already used', unknown: 'Unknown', elsewhere: 'scanned elsewhere' },
};

/** The row of a barcode among Home's recent lookups: as its last card, with the card's age and doubt. */
export async function recent(world: World, text: string): Promise<void> {
  const { deps, actor } = world.app.contextOf(world.owner);
  const lookups = await recentLookups(deps as never, actor as never);
  const found = lookups.filter(({ value }) => value === text);
  const row = JSON.stringify(recentBlocks(found));
  const last = world.titles.get(text);
  world.note(`recent lookups: ${lookups.length}, of ${JSON.stringify(text)}: ${row}`);
  const [wanted = '', ...doubts] =
    last === undefined || found.length === 0 ? [] : [rowWords[last.kind] ?? '', last.title];
  const isAged = doubts.some((title) => title.includes('<!date'));
  const isDoubted = doubts.some((title) => title.includes('not confirmed'));
  const isRight =
    row.includes(wanted) && (!isAged || row.includes('as of')) && (!isDoubted || row.includes('not confirmed'));
  world.verdict(isRight ? [] : [`a row that says less than “${last?.title}”: ${row}`], true, false, 'recent lookups');
}

/** A search for a service by its name. */
export async function searchService(world: World, text: string): Promise<void> {
  const at = texts.indexOf(text as (typeof texts)[number]);
  const service = world.services.get(serviceSlots[at % serviceSlots.length] ?? 'new');
  if (service?.now.seenAt !== undefined) {
    const { name } = service.now;
    await searchScans(world, name, { services: [{ part: name }] }, { service });
  }
}

/** A person who asks anew after a change, while a colleague's question from before it still waits for the account. */
export async function joined(world: World, text: string): Promise<void> {
  const database = world.searched.find((one) => one.removedAt === undefined && one.holds(text) !== undefined);
  const held = database?.holds(text);
  if (!database || held === undefined || world.account.broken || !world.hasCallsToday()) {
    return;
  }
  const live = (context: unknown) => answerBarcode(context as never, text, { live: true });
  world.account.hold(({ operation, variables }) => operation === 'scans/retrieve' && variables.has('value'));
  const colleague = world.app.see(world.owner, live as never).catch(() => undefined);
  for (let tries = 0; tries < 40 && world.account.held === 0; tries += 1) {
    await world.settled(1);
  }
  const input = { database_id: database.id, value: text, validity: !held };
  await world.answered(world.app.accounts.open(world.key).client.call(operations.editvalue, input));
  database.set(text, !held, world.nextMoment(), true);
  world.note(`${JSON.stringify(text)} is ${held ? 'not valid' : 'valid'} while a colleague waits for it`);
  const askedAt = world.clock.now();
  const pending = world.app.see(world.owner, live as never);
  await world.still();
  world.account.release();
  const { message, lookups } = await world.answered(pending);
  await world.answered(colleague);
  const answer = { message, lookups, askedAt, down: false, undisturbed: false };
  judgeTitle(world, text, linesOf(message as Message)[0] ?? '', answer, true, { valuesAt: askedAt });
}

/** *Mark valid* and *Mark not valid* on a card that was shown before: the card is drawn by what is true now. */
export async function edit(world: World, step: Extract<Step, { do: 'edit' }>): Promise<void> {
  const card = world.cards[step.card % Math.max(1, world.cards.length)];
  const database = world.searched.find(({ id }) => card?.known.includes(id));
  const isOld = !card || world.clock.now() - card.askedAt >= dayMs - minuteMs || card.connection !== world.connection;
  if (isOld || !database || database.removedAt !== undefined || !world.hasCallsToday()) {
    return;
  }
  world.nextMoment();
  const { value } = card.data;
  const before = world.clock.now();
  const data = { card: card.data.kept, database: database.id, to: step.held ? 'valid' : 'invalid' };
  const answer = await asked(world, async (context) => {
    await lookupChange.spec.run({ ...context, data } as never);
  });
  const held = await world.account.holds(database.id, value);
  if (held !== database.holds(value)) {
    database.set(value, held, before, true);
  }
  world.note(`${JSON.stringify(value)} is marked ${step.held ? 'valid' : 'not valid'} from a card: it is ${held}`);
  const message = answer.message as Message;
  const title = linesOf(message)[0] ?? '';
  // The judge knows what the title rests on where the barcode was read again.
  if (answer.lookups.length > 0) {
    judgeTitle(world, value, title, answer, true);
  } else if (!/not confirmed|Not checked/i.test(JSON.stringify(message))) {
    throw new Error(`wrong: an edited card that was not read again says “${title}”`);
  }
}
