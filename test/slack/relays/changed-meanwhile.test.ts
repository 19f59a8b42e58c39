import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RelaySettings } from '../../../src/relay/index.js';
import type { ShownView } from '../../../src/sandbox/slack/api.js';
import { relaysOf } from '../../helpers/relay.js';
import { wideIt } from '../../helpers/tier/wide-it.js';
import { type Person, startTestApp, type TestApp } from '../test-app.js';
import {
  choose,
  closeAll,
  connect,
  makeRelay,
  openRelay,
  option,
  parts,
  radio,
  reads,
  redrawn,
  text,
  typed,
} from './relay-stage.js';

const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };

/** The text that a form shows in a field. */
function enteredIn({ view }: ShownView, field: string): string {
  const blocks = view.blocks as {
    readonly block_id?: string;
    readonly element?: { readonly initial_value?: string };
  }[];
  return blocks.find(({ block_id: id }) => id === field)?.element?.initial_value ?? '';
}

describe('a relay that somebody else changes while a window is open', () => {
  let testApp: TestApp;
  let ada: Person;
  beforeAll(async () => {
    testApp = await startTestApp();
    ada = testApp.person('U0ADA');
    await connect(ada);
  });
  afterAll(() => testApp?.stop());
  afterEach(() => closeAll(ada));

  async function open(action: string, title: string) {
    const { made, id } = await makeRelay(ada);
    await ada.click(made, 'relay.manage');
    await ada.click(await ada.seesWindow('Relay'), action);
    return { id, form: await ada.seesWindow(title) };
  }

  /** Changes relays as another instance would. */
  async function elsewhere<T>(work: (relays: ReturnType<typeof relaysOf>) => Promise<T>): Promise<T> {
    const store = await testApp.openStore();
    try {
      return await work(relaysOf(store));
    } finally {
      await store.close();
    }
  }
  const changed = (id: string, change: (settings: RelaySettings) => Partial<RelaySettings>) =>
    elsewhere((relays) =>
      relays.update(owner, id, ({ settings }) => ({ settings: { ...settings, ...change(settings) } })),
    );
  const settingsOf = async (id: string) => (await elsewhere((relays) => relays.get(owner, id)))!.relay.settings;

  it('a form does not overwrite a newer change of its setting, and stays with what was entered and the reason', async () => {
    const { id, form } = await open('relay.security', 'Security');
    await changed(id, () => ({ networks: ['198.51.100.7'] }));
    await ada.submit(form, parts({ 'security.networks': typed('192.0.2.0/24') }));
    const again = await reads(ada, 'Not saved: this was changed while your form was open.');
    expect((await settingsOf(id)).networks).toEqual(['198.51.100.7']);
    await ada.submit(again, parts({ 'security.networks': typed(enteredIn(again, 'security.networks')) }));
    expect(text(await ada.seesWindow('Relay'))).toContain('Saved. It applies from the next scan.');
    expect((await settingsOf(id)).networks).toEqual(['192.0.2.0/24']);
  });

  it('a form that was not saved for a newer change shows that change once it is closed and opened again', async () => {
    const { id, form } = await open('relay.judging', 'Validation');
    await changed(id, () => ({ judging: { kind: 'pattern', pattern: '^VIP', matching: 'valid' } }));
    await ada.submit(form);
    await ada.close(await reads(ada, 'Not saved: this was changed while your form was open.'));
    await ada.click(await openRelay(ada, id), 'relay.judging');
    await ada.submit(await ada.seesWindow('Validation'), parts({ 'judging.pattern': typed('^GATE') }));
    await reads(ada, 'Saved. It applies from the next scan.');
    expect((await settingsOf(id)).judging).toMatchObject({ pattern: '^GATE' });
  });

  it('an eleventh question is not saved if ten were added while its form was open, and its form stays with the reason', async () => {
    const { id, form } = await open('relay.answers', 'Responses');
    await ada.click(form, 'relay.question.add');
    await ada.seesWindow('New question');
    const question = { text: 'Bags?', type: 'manual' as const, answers: [], when: ['valid' as const] };
    await changed(id, () => ({
      questions: Array.from({ length: 10 }, (_, n) => ({ ...question, id: String(900_000_000 + n) })),
    }));
    await ada.submit((await ada.window())!, parts({ 'question.text': typed('One more?') }));
    const told = await reads(ada, 'Not saved: a relay has at most 10 questions.');
    expect(enteredIn(told, 'question.text')).toBe('One more?');
  });

  it('a form redrawn after a change of its relay does not overwrite that change', async () => {
    const { id, form } = await open('relay.judging', 'Validation');
    await changed(id, () => ({ lateMinutes: 99 }));
    await ada.click(form, 'relay.more');
    await ada.submit(await redrawn(ada, form), parts({ 'judging.late': { type: 'number_input', value: '5' } }));
    await reads(ada, 'Not saved: this was changed while your form was open.');
    expect((await settingsOf(id)).lateMinutes).toBe(99);
  });

  it('a form saves its own setting, and keeps a newer change of another setting of its relay', async () => {
    const { id, form } = await open('relay.security', 'Security');
    await changed(id, () => ({ lateMinutes: 99 }));
    await ada.submit(form, parts({ 'security.networks': typed('192.0.2.0/24') }));
    await reads(ada, 'Saved. It applies from the next scan.');
    expect(await settingsOf(id)).toMatchObject({ lateMinutes: 99, networks: ['192.0.2.0/24'] });
  });

  it('two people can save two responses of a relay, but only the first change of the same response is saved', async () => {
    const { id, form } = await open('relay.answers', 'Responses');
    await ada.click(form, 'relay.answer');
    const edit = await ada.seesWindow('Response');
    await changed(id, () => ({ answers: { invalid: { text: 'No entry', kind: 'plain' } } }));
    await ada.submit(edit, parts({ 'answer.text': typed('Come in') }));
    const list = await reads(ada, 'Come in');
    expect((await settingsOf(id)).answers).toMatchObject({
      valid: { text: 'Come in' },
      invalid: { text: 'No entry' },
    });
    await ada.click(list, 'relay.answer');
    const again = await ada.seesWindow('Response');
    await changed(id, ({ answers }) => ({ answers: { ...answers, valid: { text: 'Welcome', kind: 'plain' } } }));
    await ada.submit(again, parts({ 'answer.text': typed('Hello') }));
    expect(enteredIn(await reads(ada, 'Not saved: this was changed'), 'answer.text')).toBe('Hello');
    expect((await settingsOf(id)).answers.valid?.text).toBe('Welcome');
  });

  it('the form of a relay does not overwrite a newer change of the channel unless submitted again', async () => {
    const { made, id } = await makeRelay(ada);
    await ada.click(made, 'relay.manage');
    await ada.click(await ada.seesWindow('Relay'), 'relay.change');
    const form = await ada.seesWindow('Edit relay');
    await elsewhere((relays) => relays.change(owner, id, { channel: 'C0STOCKROOM' }));
    await ada.submit(form);
    const told = await reads(ada, 'Not saved: this was changed while your form was open.');
    const channelOf = async () => (await elsewhere((relays) => relays.get(owner, id)))!.relay.channel;
    expect(await channelOf()).toBe('C0STOCKROOM');
    await ada.submit(told);
    await reads(ada, 'Saved. It applies from the next scan.');
    expect(await channelOf()).toBe('C0GENERAL');
  });

  wideIt('a rule’s form overwrites a newer change only when submitted again after a notice of the change', async () => {
    const { id, form } = await open('relay.rules', 'Rules and alerts');
    await ada.click(form, 'relay.rule.add');
    await ada.submit(await ada.seesWindow('New rule'), parts({ 'rule.others.all': radio('only') }, 'relay.redraw'));
    await ada.close(await ada.seesWindow('Rule saved'));
    const rule = (await settingsOf(id)).rules[0]!;
    const rules = await ada.seesWindow('Rules and alerts');
    await ada.click(rules, 'relay.rule.menu', { type: 'overflow', selected_option: option(`change:${rule.id}`) });
    await ada.seesWindow('Edit rule');
    await changed(id, () => ({ rules: [{ ...rule, on: false, how: 'digest' }] }));
    await ada.submit(await choose(ada, 'rule.how', radio('thread')));
    const told = await reads(ada, 'Save again to overwrite the change');
    expect((await settingsOf(id)).rules[0]).toMatchObject({ on: false, how: 'digest' });
    await ada.submit(told);
    await ada.seesWindow('Rule saved');
    expect((await settingsOf(id)).rules).toMatchObject([{ id: rule.id, on: false, how: 'thread' }]);
  });
});
