/** Forms whose fields depend on a choice in them: what a form shows is what is submitted, however quick a person is. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ShownView } from '../../../src/sandbox/slack/api.js';
import { blockNamed } from '../../../src/slack/block-kit/block-names.js';
import { wideIt } from '../../helpers/tier/wide-it.js';
import { eventually, optionNamed, type Person, startTestApp, type TestApp } from '../test-app.js';
import {
  choose,
  closeAll,
  connect,
  makeRelay,
  openRelay,
  parts,
  radio,
  reads,
  redrawn,
  text,
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

describe('the form that sets up a service', () => {
  const mode = (view: ShownView) => {
    const block = fieldsOf(view).find(({ block_id: id }) => id.startsWith('service.mode'))!;
    const entry = view.state?.[block.block_id]?.['relay.service.redraw'] as { selected_option: { value: string } };
    return entry.selected_option.value;
  };

  async function withSetUp(): Promise<ShownView> {
    const { made, id } = await makeRelay(ada, { service: '1206' });
    await ada.click(made, 'relay.service.open');
    await ada.submit(await ada.seesWindow('Set up a service'));
    const done = await eventually(async () => {
      const view = await ada.window();
      return view && text(view).includes('It was posted in') ? view : undefined;
    }, 'the set-up to end');
    await ada.close(done);
    await ada.click(await openRelay(ada, id), 'relay.service.open');
    return ada.seesWindow('Set up a service');
  }

  wideIt('a set-up form keeps its mode and fields when an earlier set-up is undone, and can be submitted', async () => {
    await withSetUp();
    const direct = await choose(ada, 'service.mode', radio('direct'), 'relay.service.redraw');
    expectTrue(direct);
    expect([mode(direct), has(direct, 'service.name')]).toEqual(['direct', true]);
    await ada.click(direct, 'relay.service.undo');
    const undone = await reads(ada, 'again. Not restored');
    expectTrue(undone);
    expect([mode(undone), has(undone, 'service.name'), has(undone, 'service.id')]).toEqual(['direct', true, false]);
    const sent = await ada.submit(undone, parts({ 'service.name': typed('After undo') }, 'relay.service.field'));
    expect(sent).toMatchObject({ ok: true, response_action: 'update' });
    await reads(ada, 'was created. Its devices post directly to Scandesk');
  });

  it('a set-up form redrawn for a chosen service keeps the choice, and says “no postback URL”', async () => {
    await openForm('relay.service.open', 'Set up a service', { service: '1206' });
    const view = (await ada.window())!;
    const offered = await ada.optionsIn(view, fieldsOf(view)[1]!.block_id, 'relay.service.pick', 'Stock lookup');
    await ada.click(
      view,
      'relay.service.pick',
      { type: 'external_select', selected_option: offered[0]! },
      'service.id',
    );
    const chosen = await redrawn(ada, view);
    expectTrue(chosen);
    expect(text(chosen)).toContain('This service has no postback URL yet.');
  });

  it('a set-up form submitted before the fields of its mode were drawn draws the fields, and loses no value', async () => {
    const opened = (await openForm('relay.service.open', 'Set up a service', { service: '1206' })).form;
    await ada.click(opened, 'relay.service.change');
    const form = await redrawn(ada, opened);
    await testApp.rules({ faults: [{ method: 'views.update', times: 1, as: 'slow', delayMs: 1_500 }] });
    const chosen = radio('direct');
    await ada.click(form, 'relay.service.redraw', chosen, 'service.mode');
    const sent = await ada.submit(form, {
      'service.mode': { 'relay.service.redraw': chosen },
      'service.symbologies': {
        'relay.service.field': {
          type: 'multi_static_select',
          selected_options: [optionNamed(form.view.blocks, 'QR Code').selected_option],
        },
      },
    });
    expect(sent).toMatchObject({ ok: true, response_action: 'update' });
    const drawn = await reads(ada, 'Fill in the fields that your choice added');
    expectTrue(drawn);
    expect([mode(drawn), has(drawn, 'service.name')]).toEqual(['direct', true]);
    expect(JSON.stringify(drawn.state)).toContain('QR Code');
    const again = await ada.submit(drawn, parts({ 'service.name': typed('In time') }, 'relay.service.field'));
    expect(again).toMatchObject({ ok: true });
    await reads(ada, 'was created. Its devices post directly to Scandesk');
  });
});

it('the picker that adds a database does not preselect the database that was just added', async () => {
  await ada.say('/scandesk connect');
  await ada.click(await ada.seesWindow('Connection'), 'connect.databases');
  let without = await ada.seesForm('connect.databases');
  const lastRow = () =>
    (without.view.blocks as Field[]).filter(({ block_id: id }) => id?.startsWith('database.row.')).at(-1)!;
  const last = lastRow();
  for (let left = 0; left < 2; left += 1) {
    const row = lastRow();
    const leave = { type: 'overflow', ...optionNamed(row, 'Remove') };
    await ada.click(without, 'connect.database.move', leave, row.block_id);
    without = await redrawn(ada, without);
  }
  const [offered] = (await ada.options(without, 'connect.database.add', '')).options.filter(({ value }) =>
    last.block_id.endsWith(`.${value}`),
  );
  await ada.click(without, 'connect.database.add', { type: 'external_select', selected_option: offered! });
  const added = await redrawn(ada, without);
  expect(JSON.stringify(added.view.blocks)).toContain('connect.database.add');
  expect(JSON.stringify(added.state)).not.toContain(`"value":"${offered!.value}"`);
});
