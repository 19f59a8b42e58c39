/** Forms whose fields depend on a choice in them: what a form shows is what is submitted, however quick a person is. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { ShownView } from '../../../src/sandbox/slack/api.js';
import { blockNamed } from '../../../src/slack/block-kit/block-names.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';
import {
  closeAll,
  connect,
  makeRelay,
  number,
  option,
  parts,
  radio,
  reads,
  select,
  ticked,
  typed,
} from './relay-stage.js';

let testApp: TestApp;
let ada: Person;
beforeAll(async () => {
  testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0' } });
  ada = testApp.person('U0ADA');
  await connect(ada);
});
afterAll(() => testApp?.stop());
afterEach(async () => {
  await testApp.rules({ faults: [] });
  await closeAll(ada);
});

interface Field {
  readonly type: string;
  readonly block_id: string;
  readonly element?: {
    readonly action_id: string;
    readonly initial_option?: { readonly value: string };
    readonly initial_options?: readonly { readonly value: string }[];
  };
}
const fieldsOf = (view: ShownView) => (view.view.blocks as Field[]).filter(({ type }) => type === 'input');

/** Expects each field's choice to be the one drawn last. Slack keeps the choice of a field whose block keeps its id. */
function expectTrue(view: ShownView): void {
  for (const { block_id: block, element } of fieldsOf(view)) {
    const { selected_option: one, selected_options: several } = (view.state?.[block]?.[element!.action_id] ?? {}) as {
      selected_option?: { value: string } | null;
      selected_options?: readonly { value: string }[];
    };
    expect([block, one?.value]).toEqual([block, element?.initial_option?.value]);
    const values = (all: readonly { value: string }[] = []) => all.map(({ value }) => value);
    expect([block, values(several)]).toEqual([block, values(element?.initial_options)]);
  }
}

const has = (view: ShownView, name: string) =>
  blockNamed(
    fieldsOf(view).map(({ block_id: id }) => id),
    name,
  ) !== undefined;

async function openForm(action: string, title: string, more: Parameters<typeof makeRelay>[1] = {}) {
  const { made, id } = await makeRelay(ada, more);
  await ada.click(made, 'relay.manage');
  await ada.click(await ada.seesWindow('Relay'), action);
  return { form: await ada.seesWindow(title), id };
}

const filled = (view: ShownView, values: Parameters<typeof parts>[0]) =>
  Object.fromEntries(
    Object.entries(values).map(([block, value]) => {
      const field = fieldsOf(view).find(({ block_id: id }) => blockNamed([id], block) !== undefined);
      return [block, { [field!.element!.action_id]: value }];
    }),
  );

/** For each form: a choice after which it is submitted at once, the field drawn too late, and the values it needs. */
const races: readonly (readonly [
  what: string,
  open: () => Promise<ShownView>,
  chosen: readonly [block: string, choice: Readonly<Record<string, unknown>>],
  late: string,
  needs: Parameters<typeof parts>[0],
])[] = [
  [
    'validation by a list',
    () => judging(),
    ['judging.kind', radio('list')],
    'judging.values',
    { 'judging.values': typed('1') },
  ],
  [
    'validation by a pattern',
    () => judging(),
    ['judging.kind', radio('pattern')],
    'judging.pattern',
    { 'judging.pattern': typed('^1') },
  ],
  [
    'duplicates within minutes',
    () => judging(),
    ['judging.again', select('within')],
    'judging.again.minutes',
    { 'judging.again.minutes': number('5') },
  ],
  [
    'a total scan limit',
    () => judging(),
    ['judging.limit', select('relay')],
    'judging.limit.n',
    { 'judging.limit.n': number('7') },
  ],
  ['active hours', () => judging(), ['judging.timed', ticked('yes')], 'judging.hours.days', {}],
  [
    'a rule for a pattern',
    () => rule(),
    ['rule.when', select('value_pattern')],
    'rule.pattern',
    { 'rule.pattern': typed('^V') },
  ],
  ['a rule for every nth scan', () => rule(), ['rule.when', select('nth')], 'rule.nth', {}],
  ['a rule for missing scans', () => rule(), ['rule.about', radio('silence')], 'rule.silence.minutes', {}],
  ['a rule’s digest', () => rule(), ['rule.how', select('digest')], 'rule.digest', {}],
  [
    'a question with a choice of answers',
    () => question(),
    ['question.type', select('option')],
    'question.answers',
    { 'question.text': typed('Which?'), 'question.answers': typed('a\nb') },
  ],
  [
    'a response’s color',
    () => answer(),
    ['answer.color', select('other')],
    'answer.hex',
    { 'answer.hex': typed('#1a7f37') },
  ],
];

const judging = async () => (await openForm('relay.judging', 'Validation')).form;
async function rule(): Promise<ShownView> {
  const { form } = await openForm('relay.rules', 'Rules and alerts');
  await ada.click(form, 'relay.rule.add');
  return ada.seesWindow('New rule');
}
async function question(): Promise<ShownView> {
  const { form } = await openForm('relay.answers', 'Responses');
  await ada.click(form, 'relay.question.add');
  return ada.seesWindow('New question');
}
async function answer(): Promise<ShownView> {
  const { form } = await openForm('relay.answers', 'Responses');
  await ada.click(form, 'relay.answer');
  return ada.seesWindow('Response');
}

it.each(races)(
  'a form submitted before one of its fields was drawn is redrawn with the field, and can then be submitted: %s',
  async (what, open, [block, choice], late, needs) => {
    const form = await open();
    const title = (form.view.title as { text: string }).text;
    expect(has(form, late)).toBe(false);
    await testApp.rules({ faults: [{ method: 'views.update', times: 1, as: 'slow', delayMs: 1_000 }] });
    await ada.click(form, 'relay.redraw', choice, block);
    const first = what.startsWith('a question') ? parts({ 'question.text': typed('Which?') }) : {};
    const sent = await ada.submit(form, { ...first, [block]: { 'relay.redraw': choice } });
    expect(sent).toMatchObject({ ok: true, response_action: 'update' });
    const drawn = await eventually(async () => {
      const view = await ada.window();
      return view && view.callback_id !== 'loading' && has(view, late) ? view : undefined;
    }, `the form “${title}” with ${late}`);
    expectTrue(drawn);
    const again = await ada.submit(drawn, filled(drawn, needs));
    expect(again.error).toBeUndefined();
    expect(again.errors).toBeUndefined();
  },
);

it('the form of a new relay can be submitted with the block id that an older version gave its service field', async () => {
  await makeRelay(ada);
  await closeAll(ada);
  await ada.say('/scandesk relay');
  await ada.click(await ada.seesWindow('Relays'), 'relay.new');
  const form = await ada.seesWindow('New relay');
  const payload = {
    type: 'view_submission',
    team: { id: 'T0SANDBOX1', domain: 'harbour' },
    user: { id: 'U0ADA', team_id: 'T0SANDBOX1' },
    api_app_id: 'A0SANDBOX',
    trigger_id: 'none',
    view: {
      ...form.view,
      id: form.id,
      type: 'modal',
      callback_id: 'relay.form',
      hash: form.hash,
      root_view_id: form.id,
      previous_view_id: null,
      blocks: (form.view.blocks as Field[]).map((block) =>
        block.block_id.startsWith('relay.service') ? { ...block, block_id: 'relay.service' } : block,
      ),
      state: {
        values: {
          'relay.service': { 'relay.service': { type: 'static_select', selected_option: option('any') } },
          'relay.channel': {
            'relay.channel': { type: 'conversations_select', selected_conversation: 'C0GENERAL' },
          },
          'relay.notable': { 'relay.notable': { type: 'radio_buttons', selected_option: option('all') } },
        },
      },
    },
  };
  const answer = await testApp.signed(new URLSearchParams({ payload: JSON.stringify(payload) }).toString());
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ response_action: 'update' });
  await reads(ada, 'Copy it now');
});

it('the question about a shared channel, as a window of an older version asks it, creates the relay once agreed to', async () => {
  await closeAll(ada);
  await ada.say('/scandesk relay');
  await ada.click(await ada.seesWindow('Relays'), 'relay.new');
  const form = await ada.seesWindow('New relay');
  const chosen = { service: 'any', channel: 'C0PARTNER', notable: 'all' };
  const payload = {
    type: 'view_submission',
    team: { id: 'T0SANDBOX1', domain: 'harbour' },
    user: { id: 'U0ADA', team_id: 'T0SANDBOX1' },
    api_app_id: 'A0SANDBOX',
    trigger_id: 'none',
    view: {
      ...form.view,
      ...{ id: form.id, type: 'modal', callback_id: 'relay.shared', hash: form.hash },
      ...{ root_view_id: form.id, previous_view_id: null, blocks: [], state: { values: {} } },
      private_metadata: JSON.stringify({ channel: 'C0GENERAL', chosen }),
    },
  };
  const answer = await testApp.signed(new URLSearchParams({ payload: JSON.stringify(payload) }).toString());
  expect(answer.status).toBe(200);
  await reads(ada, 'Copy it now');
});
