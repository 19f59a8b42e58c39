import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { read } from '../block-kit/reading.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';
import {
  choose,
  closeAll,
  connect,
  makeRelay,
  number,
  openRelay,
  option,
  parts,
  radio,
  reads,
  scan,
  select,
  text,
  ticked,
  typed,
} from './relay-stage.js';

describe('the settings of a relay in its window', () => {
  let testApp: TestApp;
  let ada: Person;
  beforeAll(async () => {
    testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0', MIRROR_SHARE: '30' } });
    ada = testApp.person('U0ADA');
    await connect(ada);
  });
  afterAll(() => testApp?.stop());
  afterEach(() => closeAll(ada));

  /** A service of which the account records no scans: previews have the relay's own. */
  const unrecorded = '1207';

  /** Creates a relay, opens its window, and opens the form of the button with this action on top. */
  async function open(action: string, title: string, more: Parameters<typeof makeRelay>[1] = {}) {
    const { made, url, id } = await makeRelay(ada, { service: unrecorded, ...more });
    await ada.click(made, 'relay.manage');
    await ada.click(await ada.seesWindow('Relay'), action);
    return { url, id, form: await ada.seesWindow(title) };
  }

  const postsOf = async (channel: string, barcode: string) =>
    (await ada.messages(channel)).filter((message) => read(message.blocks).includes(barcode));
  const seesPost = (channel: string, barcode: string) =>
    eventually(async () => (await postsOf(channel, barcode)).length > 0, `a post of ${barcode}`);

  describe('validation', () => {
    it('validation settings show, before saving, which recent scans would have a different result', async () => {
      const { url } = await open('relay.judging', 'Validation');
      await scan(url, { tid: 'P-1' });
      await scan(url, { tid: 'P-2' });
      await scan(url, { tid: 'P-1' });
      expect(text(await choose(ada, 'judging.kind', radio('list')))).toContain(
        'Fill in “Barcodes” to preview which results',
      );
      await choose(ada, 'judging.kind', radio('accept'));
      await choose(ada, 'judging.again', select('ever'));
      const shown = await reads(
        ada,
        'Of this relay’s 3 recent scans, 1 would have had a different result, Valid → Already used (1):',
      );
      expect(text(shown)).toMatch(/P-1.*Valid → Already used/s);
      expect(text(shown)).not.toContain('P-2');
    });

    it('what was entered in a field that a choice hides is there again once the field is', async () => {
      await open('relay.judging', 'Validation');
      const form = await choose(ada, 'judging.kind', radio('pattern'));
      await testApp.post('/sandbox/action', {
        ...{ as: ada.id, container: { type: 'view', view_id: form.id }, block_id: 'judging.kind' },
        ...{ action_id: 'relay.redraw', chosen: radio('accept') },
        values: parts({ 'judging.pattern': typed('^VIP-7$') }),
      });
      await eventually(async () => !text((await ada.window())!).includes('RE2 syntax'), 'the form without a pattern');
      const again = await choose(ada, 'judging.kind', radio('pattern'));
      expect(JSON.stringify(again.view.blocks)).toContain('^VIP-7$');
    });

    it('equal readings stay below Advanced when they are turned on there, and when the form is drawn again', async () => {
      await open('relay.judging', 'Validation');
      const form = await choose(ada, 'judging.kind', radio('database'));
      await ada.click(form, 'relay.more');
      await reads(ada, 'Equal readings');
      const after = JSON.stringify((await choose(ada, 'judging.readings', ticked('yes'))).view.blocks);
      expect(after.indexOf('"judging.readings"')).toBeGreaterThan(after.indexOf('"judging.late"'));
    });

    it('validation by a list accepts only listed barcodes, letter by letter, once saved', async () => {
      const { url } = await open('relay.judging', 'Validation');
      const form = await choose(ada, 'judging.kind', radio('list'));
      await ada.submit(form, parts({ 'judging.values': typed('00123\n A1 \nx\\x1dy\n00123') }));
      const one = await reads(ada, 'Saved. It applies from the next scan.');
      expect(text(one)).toContain('only 3 listed barcodes are valid');
      expect(await scan(url, { tid: '00123' })).toContain('<status>1</status>');
      expect(await scan(url, { tid: ' A1 ' })).toContain('<status>1</status>');
      expect(await scan(url, { tid: 'x\u001dy' })).toContain('<status>1</status>');
      expect(await scan(url, { tid: '123' })).toContain('<status>0</status>');
      expect(await scan(url, { tid: 'A1' })).toContain('<status>0</status>');
    });

    it('validation by a database offers equal readings where they would make scans valid, and then accepts them', async () => {
      const { url, id } = await open('relay.judging', 'Validation');
      const label = 'Accept a GS1 barcode by its equal reading';
      const blank = await choose(ada, 'judging.kind', radio('database'));
      expect(text(blank)).not.toContain(label);
      const { options } = await ada.options(blank, 'relay.pick.database', 'stock');
      const stock = { type: 'multi_external_select', selected_options: [option(options[0]!.value)] };
      await ada.submit(blank, {
        'judging.databases': { 'relay.pick.database': stock },
        ...parts({ 'judging.unknown': radio('reject') }),
      });
      await reads(ada, 'Validation: checked against');
      const gs1 = '010001234567890510LOT9';
      // The relay's copy of the database is there once a barcode is known by it.
      await eventually(
        async () => (await scan(url, { tid: '0012345678905' })).includes('<status>1</status>'),
        'a valid scan',
      );
      expect(await scan(url, { tid: gs1 })).toContain('<status>0</status>');

      const openForm = async () => {
        await closeAll(ada);
        await ada.click(await openRelay(ada, id), 'relay.judging');
        return ada.seesWindow('Validation');
      };
      const offered = await eventually(async () => {
        const form = await openForm();
        return text(form).includes('by an equal reading:') ? form : undefined;
      }, 'the offer');
      expect(text(offered)).toMatch(/1 of this relay’s \d+ recent scans? would be valid by an equal reading/);
      expect(text(offered)).toContain(label);
      const chosen = await choose(ada, 'judging.readings', ticked('yes'));
      expect(text(chosen)).toMatch(/1 would have had a different result, Not valid → Valid \(1\):/);
      await ada.submit(chosen);
      await reads(ada, ', also by equal readings');
      expect(await scan(url, { tid: gs1 })).toContain('<status>1</status>');
      expect(await scan(url, { tid: '010001234567890521SN9' })).toContain('<status>0</status>');

      const again = await openForm();
      const unticked = await choose(ada, 'judging.readings', ticked());
      expect(text(again)).toContain(label);
      expect(text(unticked)).toContain(label);
      await ada.submit(unticked);
      await reads(ada, 'Saved.');
      expect(await scan(url, { tid: gs1 })).toContain('<status>0</status>');
    });

    it('validation settings explain an invalid pattern under its field, and a valid pattern decides results', async () => {
      const { url } = await open('relay.judging', 'Validation');
      const form = await choose(ada, 'judging.kind', radio('pattern'));
      const refused = await ada.submit(form, parts({ 'judging.pattern': typed('(') }));
      expect(JSON.stringify(refused)).toContain('This pattern is not valid: ');
      await ada.submit(form, parts({ 'judging.pattern': typed('^VIP-[0-9]+$') }));
      await reads(ada, 'barcodes that match a pattern are valid');
      expect(await scan(url, { tid: 'VIP-7' })).toContain('<status>1</status>');
      expect(await scan(url, { tid: 'vip-7' })).toContain('<status>0</status>');
    });

    it('validation can be set to admit each barcode once, and a limited number of scans in all', async () => {
      const { url } = await open('relay.judging', 'Validation');
      await choose(ada, 'judging.again', select('ever'));
      const form = await choose(ada, 'judging.limit', select('relay'));
      await ada.submit(form, parts({ 'judging.limit.n': number('2') }));
      const one = await reads(ada, 'limit: 2 in total');
      expect(text(one)).toContain('repeat scans: always duplicates');
      const answers = [];
      for (const tid of ['a', 'a', 'b', 'c']) {
        answers.push(/<status>(\d)/.exec(await scan(url, { tid }))?.[1]);
      }
      expect(answers).toEqual(['1', '0', '1', '0']);
    });

    it('validation checks scans against a database chosen by name, and the window shows the copy’s age', async () => {
      const { url } = await open('relay.judging', 'Validation');
      const form = await choose(ada, 'judging.kind', radio('database'));
      const { options } = await ada.options(form, 'relay.pick.database', 'festival');
      const tickets = options[0]!;
      expect(tickets.text.text).toContain('Festival');
      await ada.submit(form, {
        'judging.databases': {
          'relay.pick.database': { type: 'multi_external_select', selected_options: [option(tickets.value)] },
        },
        ...parts({ 'judging.unknown': radio('reject') }),
      });
      await reads(ada, 'Validation: checked against Harbour Lights Festival tickets');
      expect(await scan(url, { tid: 'HLF-000004' })).toContain('<status>1</status>');
      expect(await scan(url, { tid: 'nobody knows this' })).toContain('<status>0</status>');
      const aged = await eventually(async () => {
        await closeAll(ada);
        await ada.say('/scandesk relay');
        const list = await ada.seesWindow('Relays');
        const blocks = list.view.blocks as { elements?: { action_id?: string; value?: string }[]; block_id: string }[];
        const mine = blocks.filter((block) =>
          block.elements?.some(({ action_id, value }) => action_id === 'relay.manage' && value?.includes(idOf(url))),
        );
        await ada.click(list, 'relay.manage', undefined, mine[0]?.block_id);
        const one = await ada.seesWindow('Relay');
        return text(one).includes('a copy of ') ? one : undefined;
      }, 'a copy of the database');
      expect(text(aged)).toMatch(/Festival tickets: a copy of [\d,]+ values .*as of/);
    });
  });

  describe('responses and questions', () => {
    it('a relay’s question is asked on devices until the question is deleted', async () => {
      const { url, form } = await open('relay.answers', 'Responses');
      await ada.click(form, 'relay.question.add');
      await ada.seesWindow('New question');
      const asked = await choose(ada, 'question.type', select('option'));
      expect(await ada.submit(asked, parts({ 'question.text': typed('Bags?') }))).toMatchObject({ ok: false });
      await ada.submit(asked, parts({ 'question.text': typed('Bags?'), 'question.answers': typed('one\ntwo') }));
      const list = await reads(ada, 'one / two');
      expect(await scan(url, { tid: 'q1' })).toMatch(/<question id="9\d{8}" type="option"[^>]*>.*Bags\?/s);
      const [, id] = /remove:(\d+)/.exec(JSON.stringify(list.view.blocks)) ?? [];
      await ada.click(list, 'relay.question.menu', { type: 'overflow', selected_option: option(`remove:${id}`) });
      await reads(ada, 'Question deleted.');
      expect(await scan(url, { tid: 'q2' })).not.toContain('<question');
    });
  });

  describe('security', () => {
    it('a relay takes no scans without its secret property, which is not shown, until the name is empty', async () => {
      const { url, form } = await open('relay.security', 'Security');
      await ada.submit(
        form,
        parts({ 'security.property': typed('gate_secret'), 'security.value': typed('canary-proof-1') }),
      );
      const one = await reads(ada, 'webhook URL plus a secret property');
      expect(await scan(url, { tid: 's1' })).toBe('');
      expect(await scan(url, { tid: 's2', gate_secret: 'canary-proof-1' })).toContain('<status>1</status>');
      await ada.click(one, 'relay.security');
      const again = await ada.seesWindow('Security');
      expect(JSON.stringify(again.view)).not.toContain('canary-proof-1');
      await ada.submit(again);
      const kept = await reads(ada, 'a secret property');
      expect(await scan(url, { tid: 's3', gate_secret: 'canary-proof-1' })).toContain('<status>1</status>');
      expect(await scan(url, { tid: 's4' })).toBe('');
      await ada.click(kept, 'relay.security');
      await ada.submit(
        await ada.seesWindow('Security'),
        parts({ 'security.property': { type: 'plain_text_input', value: null } }),
      );
      await reads(ada, 'anyone with the webhook URL');
      // Intake caches a relay's settings for two seconds, and may refuse a scan that long.
      await eventually(async () => (await scan(url, { tid: 's5' })) !== '', 'a scan without the property is taken');
    });

    it('a relay with an allowed network refuses a scan from elsewhere, and the form an invalid network', async () => {
      const { url, form } = await open('relay.security', 'Security');
      const refused = await ada.submit(form, parts({ 'security.networks': typed('10.0.0.0/99') }));
      expect(JSON.stringify(refused)).toContain('“10.0.0.0/99” is neither an address nor a network');
      await ada.submit(form, parts({ 'security.networks': typed('192.0.2.0/24') }));
      await reads(ada, '1 allowed network');
      expect(await scan(url, { tid: 'n1' })).toBe('');
    });
  });

  describe('rules', () => {
    const channel = (id: string) => ({ type: 'conversations_select', selected_conversation: id });

    it('a rule’s form previews the recent scans to be posted, and the saved rule posts only its barcodes', async () => {
      const { url } = await open('relay.rules', 'Rules and alerts', { channel: 'C0STOCKROOM' });
      await scan(url, { tid: 'R-1', status: '1' });
      await scan(url, { tid: 'R-2', status: '0', text: 'no' });
      await ada.click(await ada.seesWindow('Rules and alerts'), 'relay.rule.add');
      const form = await reads(ada, 'Of this relay’s 2 recent scans, 1 would have been posted by this rule');
      expect(text(form)).toContain('R-2');
      expect(text(form)).not.toContain('R-1');
      const valued = await choose(ada, 'rule.when', select('value'));
      expect(text(valued)).toContain('Fill in “Barcodes” to preview what it would have posted.');
      await ada.click(valued, 'relay.again');
      await choose(ada, 'rule.others.all', radio('only'));
      const moved = await choose(ada, 'rule.channel', channel('C0FRONTGATE'));
      await ada.submit(moved, parts({ 'rule.values': typed('R-1\nR-9') }));
      const kept = await ada.seesWindow('Rule saved');
      expect(text(kept)).toContain('Of this relay’s 2 recent scans, 1 would have been posted by this rule');
      expect(text(kept)).toContain('R-1');
      await ada.close(kept);
      expect(text(await ada.seesWindow('Rules and alerts'))).toContain('When a scan has the barcode R-1 or R-9');
      await scan(url, { tid: 'r-9' });
      await scan(url, { tid: 'R-9' });
      await seesPost('C0FRONTGATE', 'R-9');
      expect(await postsOf('C0FRONTGATE', 'r-9')).toEqual([]);
      expect(await postsOf('C0STOCKROOM', 'R-9')).toEqual([]);
    });

    it('a rule’s form shows sentence and preview as soon as a choice draws filled-in fields, and names empty ones', async () => {
      const { url } = await open('relay.rules', 'Rules and alerts', { channel: 'C0STOCKROOM' });
      await scan(url, { tid: 'F-1', status: '0' });
      await ada.click(await ada.seesWindow('Rules and alerts'), 'relay.rule.add');
      await ada.seesWindow('New rule');
      const kinds = [
        ['burst', 'when 5 scans are not valid within 10 minutes', 'none would have opened an alert'],
        ['silence', 'when no scan arrives for 15 minutes', 'No alert would have opened.'],
        ['scan', 'when a scan is not valid', '1 would have been posted by this rule'],
      ] as const;
      for (const [kind, sentence, preview] of kinds) {
        const shown = text(await choose(ada, 'rule.about', radio(kind)));
        expect(shown).not.toContain('Fill in');
        expect(shown).toContain(sentence);
        expect(shown).toContain(preview);
      }
      await choose(ada, 'rule.about', radio('burst'));
      const unanswered = await choose(ada, 'rule.escalate', ticked('yes'));
      expect(text(unanswered)).toContain('Fill in “Escalate to people” to preview');
    });

    it('a relay’s first rule can keep all other scans posted, and each window says what the relay posts', async () => {
      const { url } = await open('relay.rules', 'Rules and alerts', { channel: 'C0STOCKROOM' });
      await scan(url, { tid: 'K-1', status: '1' });
      await scan(url, { tid: 'K-2', status: '0' });
      await ada.click(await ada.seesWindow('Rules and alerts'), 'relay.rule.add');
      const one = 'Of this relay’s 2 recent scans, 1 would have been posted by this rule';
      // A rule that posts every scan in the relay's channel leaves nothing to ask.
      const changesNothing = 'Saved so, this rule changes nothing in what is posted';
      expect(text(await ada.seesWindow('New rule'))).toContain(changesNothing);
      const every = await choose(ada, 'rule.when', select('every'));
      expect(text(every)).not.toContain('Also keep posting');
      expect(text(every)).toContain(changesNothing);
      await choose(ada, 'rule.when', select('result:invalid'));
      const elsewhere = await choose(ada, 'rule.channel', channel('C0FRONTGATE'));
      expect(text(elsewhere)).toContain('Also keep posting every scan');
      expect(text(elsewhere)).not.toContain(changesNothing);
      expect(text(elsewhere)).toContain(`${one}, 2 by the relay in all:`);
      const only = await choose(ada, 'rule.others.all', radio('only'));
      expect(text(only)).toContain(`${one}, 1 by the relay in all:`);
      const silence = await choose(ada, 'rule.about', radio('silence'));
      await ada.click(silence, 'relay.again');
      await reads(ada, 'The relay would have posted nothing else.');
      await choose(ada, 'rule.about', radio('scan'));
      await ada.submit(await choose(ada, 'rule.others.all', radio('keep')));
      const kept = await ada.seesWindow('Rule saved');
      expect(text(kept)).toContain(`Every scan is posted.${one}, 2 by the relay in all:`);
      await ada.close(kept);
      const rules = await ada.seesWindow('Rules and alerts');
      expect(text(rules)).toMatch(/Every scan is posted\..*1\. Scans that are not valid.*2\. Every scan/s);
      await scan(url, { tid: 'K-3', status: '1' });
      await scan(url, { tid: 'K-4', status: '0' });
      await seesPost('C0STOCKROOM', 'K-3');
      await seesPost('C0STOCKROOM', 'K-4');
      await seesPost('C0FRONTGATE', 'K-4');
      expect(await postsOf('C0FRONTGATE', 'K-3')).toEqual([]);

      const remove = async (at: number) => {
        const view = (await ada.window())!;
        const menu = `remove:${[...JSON.stringify(view.view.blocks).matchAll(/remove:([\w-]+)/g)][at]![1]}`;
        const block = (view.view.blocks as { block_id: string }[]).find((each) => JSON.stringify(each).includes(menu))!;
        await ada.click(view, 'relay.rule.menu', { type: 'overflow', selected_option: option(menu) }, block.block_id);
        return ada.seesWindow('Delete this rule?');
      };
      const second = await remove(1);
      expect(text(second)).toContain('Scans that match no rule are not posted.');
      await ada.submit(second);
      const left = await reads(ada, 'Rule deleted.');
      expect(text(left)).toContain('Scans that match no rule are not posted.');
      const last = await remove(0);
      expect(text(last)).toContain('This is the last rule. From then on, every scan is posted in');
      await ada.submit(last);
      expect(text(await reads(ada, 'No rules yet.'))).toContain('Every scan is posted in the relay’s channel.');
    });

    it('a rule’s form asks before posting where outsiders read, and asks for an invitation to a private channel', async () => {
      await open('relay.rules', 'Rules and alerts');
      await ada.click(await ada.seesWindow('Rules and alerts'), 'relay.rule.add');
      await ada.seesWindow('New rule');
      const since = (await testApp.calls()).length;
      const shared = await choose(ada, 'rule.channel', channel('C0PARTNER'));
      await ada.submit(shared);
      const question = await reads(ada, 'shared with another organization');
      expect((await testApp.calls(since)).map((call) => call.method)).not.toContain('conversations.join');
      const secret = await choose(ada, 'rule.channel', channel('C0MANAGERS'));
      expect(question.id).toBe(secret.id);
      await ada.submit(secret);
      await reads(ada, 'Close this form, type /invite @Scandesk in that channel');
      await choose(ada, 'rule.channel', channel('C0PARTNER'));
      await ada.submit((await ada.window())!);
      const asked = await reads(ada, 'shared with another organization');
      await ada.submit(asked, parts({ 'rule.shared.C0PARTNER': ticked('yes') }));
      await ada.seesWindow('Rule saved');
    });
  });

  it('a member without access cannot open relays, also while an admin has a relay’s window open', async () => {
    const { made, id } = await makeRelay(ada);
    await ada.click(made, 'relay.manage');
    const one = await ada.seesWindow('Relay');
    expect(text(one)).toContain('PostsEvery scan');
    const mia = testApp.person('U0MIA');
    const answer = await mia.command('/scandesk relay');
    expect(read(answer.blocks)).toContain('Only workspace admins and people with access');
    expect(id).not.toBe('');
  });

  it('changes of a relay’s settings are in the audit log, without the value or hash of a secret property', async () => {
    const { form, id } = await open('relay.security', 'Security');
    await ada.submit(form, parts({ 'security.property': typed('p'), 'security.value': typed('canary-proof-2') }));
    await reads(ada, 'a secret property');
    const store = await testApp.openStore();
    try {
      const rows = await store.audit.list({ installation: 'T0SANDBOX1', team: 'T0SANDBOX1' }, { limit: 200 });
      expect(rows.find(({ what }) => what === 'relay/security')).toMatchObject({
        who: 'U0ADA',
        outcome: 'ok',
        detail: { relay: id, secretProperty: 'set' },
      });
      for (const what of ['relay/judging', 'relay/answers', 'relay/rules']) {
        expect(rows.some((row) => row.what === what)).toBe(true);
      }
      expect(JSON.stringify(rows)).not.toContain('canary-proof');
      expect(JSON.stringify(rows)).not.toMatch(/[0-9a-f]{64}/);
    } finally {
      await store.close();
    }
  });
});

function idOf(url: string): string {
  return url.split('/').at(-2) ?? '';
}
