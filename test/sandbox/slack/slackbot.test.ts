/** The simulated Slackbot: a client of the app's MCP server, without a model. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ShownMessage } from '../../../src/sandbox/slack/api.js';
import { read } from '../../slack/block-kit/reading.js';
import { connect } from '../../slack/connected.js';
import { eventually, startTestApp, type TestApp } from '../../slack/test-app.js';

const place = (user: string) => `D0SLACKBOT${user}`;

describe('Slackbot in the simulated workspace', () => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await startTestApp({ slackbot: true });
    await connect(testApp.person('U0ADA'));
  });
  afterAll(() => testApp.stop());

  async function last(user: string): Promise<ShownMessage> {
    const person = testApp.person(user);
    await person.channels();
    return eventually(async () => (await person.messages(place(user))).at(-1), 'a message of Slackbot');
  }

  async function press(user: string, actionId: string, entered: Readonly<Record<string, object>> = {}) {
    const { ts, blocks = [] } = await last(user);
    const all = blocks as { block_id: string; element?: { action_id: string } }[];
    const block = all.find((each) => JSON.stringify(each).includes(`"action_id":"${actionId}"`));
    const values = Object.fromEntries(
      all.flatMap(({ block_id: id, element }) => {
        const value = entered[element?.action_id ?? ''];
        return element && value ? [[id, { [element.action_id]: value }]] : [];
      }),
    );
    const container = { type: 'message', channel: place(user), ts };
    return testApp.post('/sandbox/action', {
      as: user,
      container,
      block_id: block?.block_id,
      action_id: actionId,
      values,
    });
  }

  it('the simulated Slackbot lists the tools, draws a tool’s form, and shows the result’s blocks', async () => {
    await press('U0ADA', 'tools');
    expect(read((await last('U0ADA')).blocks)).toMatch(/Look up barcodes[\s\S]*Search scans[\s\S]*Today’s figures/);
    await press('U0ADA', 'form:search_scans');
    const form = await last('U0ADA');
    expect(read(form.blocks)).toMatch(/when[\s\S]*results[\s\S]*barcode match/);
    await press('U0ADA', 'tool:search_scans', {
      'input:when': { type: 'plain_text_input', value: 'today' },
      'input:results': { type: 'multi_static_select', selected_options: [{ value: 'not_valid' }] },
    });
    expect(read((await last('U0ADA')).blocks)).toContain('Scans today · not valid');
  });

  it('the simulated Slackbot redraws a tool’s result in place when a button in the result calls the tool', async () => {
    await press('U0MIA', 'tools');
    await press('U0MIA', 'form:look_up_barcodes');
    await press('U0MIA', 'tool:look_up_barcodes', { 'input:barcodes': { type: 'plain_text_input', value: '0012345' } });
    const card = await last('U0MIA');
    expect(read(card.blocks)).toContain('Bin C-12: Wristbands, blue');
    await press('U0MIA', 'tool:look_up_barcodes');
    expect((await last('U0MIA')).ts).toBe(card.ts);
  });

  it('the simulated Slackbot shows a guest who calls a tool a refusal that speaks of guests', async () => {
    await press('U0GUS', 'tools');
    await press('U0GUS', 'form:todays_figures');
    await press('U0GUS', 'tool:todays_figures');
    expect(read((await last('U0GUS')).blocks)).toMatch(/guest/i);
  });
});
