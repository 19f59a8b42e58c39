import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ShownView } from '../../../src/sandbox/slack/api.js';
import { connect } from '../connected.js';
import { openNewList } from '../places/list-form.js';
import { choose, closeAll, makeRelay, option, parts, radio, reads, redrawn, typed } from '../relays/relay-stage.js';
import { type Person, startTestApp, type TestApp } from '../test-app.js';

const src = new URL('../../../src/slack/', import.meta.url).pathname;
/** The `callback_id` of each window that the form machine draws. */
const windows = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .flatMap((name) => [
    ...readFileSync(join(src, name), 'utf8').matchAll(/ettingsForm\(\{\s*(?:\.\.\.\{ )?id: '([^']+)'/g),
  ])
  .map(([, id]) => id!)
  .sort();

interface Input {
  readonly type: string;
  readonly optional?: boolean;
  readonly block_id?: string;
  readonly element: Readonly<Record<string, unknown>>;
}

/** The fields that a person may pass over: they may stay blank, or hold something from the start. Hours are one. */
function spareFields({ view }: ShownView): string[] {
  const inputs = (view.blocks as unknown as Input[]).filter(({ type }) => type === 'input');
  const isFilled = ({ element }: Input) => Object.keys(element).some((name) => name.startsWith('initial_'));
  const spare = inputs.filter((one) => one.optional || isFilled(one));
  return [...new Set(spare.map(({ block_id: id = '' }) => id.replace(/(hours)\.(days|from|to|zone)$/, '$1')))];
}

const most = 7;

describe('the windows of forms', () => {
  let testApp: TestApp;
  let ada: Person;
  const seen = new Map<string, string[]>();

  beforeAll(async () => {
    testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0' } });
    ada = testApp.person('U0ADA');
    await connect(ada);
  }, 60_000);
  afterAll(() => testApp?.stop());

  /** Notes the fields of a form that was opened as described. */
  function note(what: string, form: ShownView): ShownView {
    seen.set(`${form.view.callback_id} ${what}`, spareFields(form));
    return form;
  }

  async function relayForms(): Promise<void> {
    await ada.say('/scandesk relay');
    await ada.click(await ada.seesWindow('Relays'), 'relay.new');
    note('new', await ada.seesForm('relay.form'));
    const { made } = await makeRelay(ada);
    await ada.click(made, 'relay.manage');
    const open = async (button: string, form: string, what = 'stored') => {
      await ada.click(await ada.seesWindow('Relay'), button);
      return note(what, await ada.seesForm(form));
    };
    await ada.click(await ada.seesWindow('Relay'), 'relay.view.more');
    for (const [button, form] of [
      ['relay.judging', 'relay.judging'],
      ['relay.security', 'relay.security'],
      ['posts.open', 'posts.appearance'],
    ] as const) {
      await ada.close(await open(button, form));
    }
    await ada.click(await ada.seesWindow('Relay'), 'relay.answers');
    await ada.click(await ada.seesWindow('Responses'), 'relay.answer');
    await ada.close(note('stored', await ada.seesForm('relay.answer')));
    await ada.click(await ada.seesWindow('Responses'), 'relay.question.add');
    await ada.submit(note('new', await ada.seesForm('relay.question')), parts({ 'question.text': typed('Bags?') }));
    const questions = await reads(ada, 'Bags?');
    const [, question] = /change:(\d+)/.exec(JSON.stringify(questions.view.blocks)) ?? [];
    const edit = { type: 'overflow', selected_option: option(`change:${question}`) };
    await ada.click(questions, 'relay.question.menu', edit);
    await ada.close(note('stored', await ada.seesForm('relay.question')));
    await ada.close(await ada.seesWindow('Responses'));
    await ada.click(await ada.seesWindow('Relay'), 'relay.rules');
    for (const about of ['scan', 'burst', 'silence']) {
      await ada.click(await ada.seesWindow('Rules and alerts'), 'relay.rule.add');
      const blank = await ada.seesForm('relay.rule');
      const form = about === 'scan' ? blank : await choose(ada, 'rule.about', radio(about));
      await ada.submit(note(`new, ${about}`, form));
      await ada.close(await ada.seesWindow('Rule saved'));
      const rules = await ada.seesWindow('Rules and alerts');
      const last = (rules.view.blocks as { block_id?: string }[]).findLast((block) =>
        JSON.stringify(block).includes('"change:'),
      );
      const [, id] = /change:([\w-]+)/.exec(JSON.stringify(last)) ?? [];
      const edit = { type: 'overflow', selected_option: option(`change:${id}`) };
      await ada.click(rules, 'relay.rule.menu', edit, last?.block_id);
      await ada.close(note(`stored, ${about}`, await ada.seesForm('relay.rule')));
    }
    await ada.close(await ada.seesWindow('Rules and alerts'));
    await open('relay.change', 'relay.form');
    await closeAll(ada);
  }

  async function reportForms(): Promise<void> {
    await ada.say('/scandesk reports');
    await ada.click(await ada.seesWindow('Daily reports'), 'reports.new');
    const form = note('new', await ada.seesForm('reports.form'));
    const [, relay] = /"(relay:[\w-]+)"/.exec(JSON.stringify(form.view.blocks)) ?? [];
    const channel = { type: 'conversations_select', selected_conversation: 'C0GENERAL' };
    await ada.submit(form, {
      'report.subject': { 'reports.field': { type: 'static_select', selected_option: option(relay ?? '') } },
      'report.channel': { 'reports.field': channel },
    });
    await ada.click(await reads(ada, 'Saved. Next report:'), 'reports.edit');
    note('stored', await ada.seesForm('reports.form'));
    await closeAll(ada);
  }

  async function listForms(): Promise<void> {
    await openNewList(ada);
    const form = note('new, inside', await ada.seesForm('places.form'));
    await ada.click(form, 'places.redraw', radio('custody'), 'places.kind');
    await ada.click(note('new, lent', await redrawn(ada, form)), 'places.redraw', radio('inside'), 'places.kind');
    await ada.optionsIn(form, 'places.in.services', 'relay.pick.service', '1201');
    await ada.submit(await reads(ada, 'A new day begins at'), {
      'places.name': { 'places.field': typed('Hall') },
      'places.in.services': {
        'relay.pick.service': { type: 'multi_external_select', selected_options: [option('1201')] },
      },
    });
    await ada.submit(await ada.seesForm('places.save'));
    await ada.click(await reads(ada, 'Saved. Scans are being counted.'), 'places.edit');
    note('stored', await ada.seesForm('places.form'));
    await closeAll(ada);
    await ada.clickMessage(await ada.command('/scandesk inside'), 'places.lists');
    await ada.click(await ada.seesWindow('Lists'), 'places.boards');
    note('new', await ada.seesForm('places.board'));
    await closeAll(ada);
  }

  async function workspaceForms(): Promise<void> {
    await ada.say('/scandesk access');
    note('stored', await ada.seesForm('access'));
    await closeAll(ada);
    await ada.say('/scandesk connect');
    await ada.click(await ada.seesForm('connection'), 'connect.databases');
    note('stored', await ada.seesForm('connect.databases'));
    await closeAll(ada);
  }

  it(`a form shows at most ${most} fields besides those to fill in, for what is new and for what is stored`, async () => {
    await relayForms();
    await reportForms();
    await listForms();
    await workspaceForms();
    expect([...new Set([...seen.keys()].map((key) => key.split(' ')[0]!))].sort()).toEqual(windows);
    expect([...seen].filter(([, fields]) => fields.length > most)).toEqual([]);
  }, 120_000);
});
