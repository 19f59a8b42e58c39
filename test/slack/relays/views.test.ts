import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../../src/clock.js';
import type { Service } from '../../../src/codereadr/types.js';
import type { RelayReport } from '../../../src/relay/index.js';
import { defaultSettings, relaySettingsSchema } from '../../../src/relay/record/settings.js';
import type { RelayState } from '../../../src/relay/relays/types.js';
import { checkView } from '../../../src/sandbox/slack/blocks/check.js';
import { type ModalView, modalView, type Section } from '../../../src/slack/block-kit/elements.js';
import type { FormContext } from '../../../src/slack/bolt/routing/context.js';
import { channelBlocked } from '../../../src/slack/channel-posts/blocks/relay-notices.js';
import { type RelayFormOptions, relayFields, relayForm } from '../../../src/slack/relays/form/relay-form.js';
import { relayUrlView } from '../../../src/slack/relays/form/url-view.js';
import { relayWindow } from '../../../src/slack/relays/form/window.js';
import { relayListView } from '../../../src/slack/relays/list-view.js';
import { relayView } from '../../../src/slack/relays/relay-view.js';
import { read, shownTexts } from '../block-kit/reading.js';
import { hostileText, noon } from '../lookup/lookup-samples.js';

const formOf = (options: RelayFormOptions) => modalView('New relay', relayFields(options), { submit: 'Create' });

const service = (more: Partial<Service> = {}): Service => ({
  id: '1',
  name: 'Main gate',
  validationMethod: 'postback',
  userIds: [],
  questionIds: [],
  ...more,
});

const state = (
  more: Omit<Partial<RelayState>, 'relay'> & { relay?: Partial<RelayState['relay']> } = {},
): RelayState => ({
  secrets: [{ id: 's1', createdAt: noon }],
  pending: 0,
  dead: 0,
  scans: 0,
  blocked: [],
  refused: [],
  ...more,
  relay: {
    id: 'r1',
    owner: { installation: 'T1', team: 'T1' },
    serviceIds: ['1'],
    serviceName: 'Main gate',
    channel: 'C1',
    notable: 'all',
    createdBy: 'U1',
    createdAt: noon,
    settings: defaultSettings,
    ...more.relay,
  },
});

const blockedIn = (channel: string, code: string, waiting = 1) => ({ channel, code, at: noon, retryAt: noon, waiting });

const list = (states: readonly RelayState[], page = 0) => relayListView(states, page);
const report: RelayReport = { deadLetters: [], revokedSecrets: [], mirrors: [], muted: [], wrongClocks: [] };
const one = (of: RelayState, more: Partial<RelayReport> = {}, isAll = false) =>
  relayView(of, { ...report, ...more }, { more: isAll });
const address = (of: Service | undefined, kind: 'new' | 'another' = 'new') =>
  relayUrlView({
    relay: state().relay,
    url: 'https://scandesk.example/relay/r1/s',
    service: of,
    kind,
    address: 'sealed',
  });

const anyService = fc.record(
  {
    id: fc.nat().map(String),
    name: hostileText(300),
    validationMethod: hostileText(20),
    postbackUrl: hostileText(200),
  },
  { requiredKeys: ['id', 'name', 'validationMethod'] },
);
const anyState = fc
  .record({
    name: hostileText(300),
    secrets: fc.integer({ min: 1, max: 20 }),
    waiting: fc.nat(),
    aside: fc.nat(),
    scans: fc.nat(),
    paused: fc.option(fc.constantFrom('person', 'token_revoked', 'uninstalled'), { nil: undefined }),
    blocked: fc.nat({ max: 6 }),
    refused: fc.array(
      fc.record({
        code: fc.oneof(fc.constantFrom('relay.secret', 'relay.proof', 'relay.no_barcode'), hostileText(100)),
        scans: fc.integer({ min: 1 }),
        senders: fc.array(hostileText(45), { minLength: 1, maxLength: 21 }),
        firstAt: fc.constant(noon),
        lastAt: fc.constant(noon + 1),
      }),
      { maxLength: 11 },
    ),
  })
  .map(({ name, secrets, paused, blocked, ...figures }) =>
    state({
      ...figures,
      blocked: Array.from({ length: blocked }, (_, n) => blockedIn(`C${n}`, 'slack.is_archived')),
      secrets: Array.from({ length: secrets }, (_, n) => ({ id: `s${n}`, createdAt: noon + n })),
      relay: { serviceName: name, ...(paused ? { paused: { at: noon, why: paused } } : {}) },
    }),
  );

function expectTaken(view: ModalView): void {
  expect(checkView(view, systemRandom)).toMatchObject({ ok: true });
}

describe('relays and services with any names', () => {
  it('Slack accepts the list of relays with any names, and the names appear as plain text', () => {
    fc.assert(
      fc.property(fc.array(anyState, { maxLength: 60 }), fc.nat({ max: 3 }), (states, page) => {
        const view = list(states, page);
        expectTaken(view);
        for (const { how, text } of shownTexts(view.blocks)) {
          expect(how === 'exact' || /^Relays \d+ to \d+ of \d+\.$/.test(text)).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('Slack accepts the window of a relay with any service name, webhook URLs and blocked channels', () => {
    fc.assert(fc.property(anyState, (any) => expectTaken(one(any))));
  });

  it('Slack accepts the form of a relay with any services, from none to 130', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyService, { maxLength: 130, selector: (s) => s.id }), (services) => {
        const all = services.map(service);
        expectTaken(
          formOf({
            services: all,
            agreement: [],
            preview: [],
            draft: relayForm.draft({ service: all[0]?.id ?? 'any' }),
          }),
        );
      }),
      { numRuns: 40 },
    );
  });

  it('Slack accepts the window with the webhook URL for a service with any name and Postback URL', () => {
    fc.assert(fc.property(anyService, (any) => expectTaken(address(service(any)))));
  });
});

describe('the list of relays', () => {
  it('the list of relays explains what a relay is while there is no relay', () => {
    expect(read(list([]).blocks)).toContain('A relay is a webhook URL');
  });

  it.each([
    ['✅ Active · no scans yet', {}],
    ['✅ Active · 1 scan, last ', { scans: 1, lastScanAt: noon }],
    ['3 posts pending · 1 post not delivered', { pending: 3, dead: 1 }],
    ['⏸ Paused', { relay: { paused: { at: noon, why: 'person' as const } } }],
    ['⚠️ Blocked in ', { blocked: [blockedIn('C1', 'slack.is_archived')] }],
  ])('the list of relays shows a relay’s state as “%s”', (words, more) => {
    expect(read(list([state(more as Parameters<typeof state>[0])]).blocks)).toContain(words);
  });

  it('a list of 60 relays is split into pages, of which a page beyond the last is the last', () => {
    const many = Array.from({ length: 60 }, () => state());
    expect(list(many, 9).blocks).toEqual(list(many, 2).blocks);
    expect(read(list(many, 2).blocks)).toContain('Relays 51 to 60 of 60.');
    expect(JSON.stringify(list(many).blocks)).toContain('relay.after');
    expect(JSON.stringify(list(many, 2).blocks)).not.toContain('relay.after');
    expect(JSON.stringify(list(many, 2).blocks)).toContain('relay.before');
  });
});

describe('the window of a relay', () => {
  const json = (of: RelayState) => JSON.stringify(one(of).blocks);

  it('the window of a relay offers to revoke a webhook URL only if the relay has two webhook URLs', () => {
    expect(json(state())).not.toContain('relay.end_secret');
    const two = [
      { id: 'old', createdAt: 1 },
      { id: 'new', createdAt: 2, lastUsedAt: 3 },
    ];
    expect(json(state({ secrets: two }))).toContain('relay.end_secret');
    expect(read(one(state({ secrets: two })).blocks)).toMatch(/Newest: .*last used.*Older: .*never used/);
  });

  it('the window of a relay names the permission that Scandesk is missing, and how to add the permission', () => {
    const lost = { code: 'slack.missing_scope:channels:history', posts: 1, lastAt: noon };
    const words = (view: ModalView) => read(view.blocks);
    expect(words(one(state({ dead: 1 }), { deadLetters: [lost] }))).toContain(
      '1 post not delivered: Scandesk can’t tell whether it was posted, because it is missing the permission channels:history (to add it, a workspace admin can install Scandesk again and allow it)',
    );
    expect(words(one(state({ pending: 2 }), { lastFailure: 'slack.missing_scope:chat:write,files:read' }))).toContain(
      'Posts are pending: Scandesk is missing the permissions chat:write and files:read (to add them, a workspace admin can',
    );
    expect(words(one(state({ pending: 2 }), { lastFailure: 'slack.missing_scope' }))).toContain(
      'is missing a permission (',
    );
  });

  it('the window of a relay offers to retry undelivered posts only if there are undelivered posts', () => {
    expect(json(state())).not.toContain('relay.replay');
    expect(json(state({ dead: 2 }))).toContain('Retry 2 posts');
  });

  it('the window of a relay has settings in three groups, and other buttons and the creator only under More', () => {
    const shown = read(one(state()).blocks);
    expect(shown).toMatch(/Posts.*Every scan.*Devices.*Validation: .*Security.*Access: /s);
    expect(shown.match(/Every scan/g)).toHaveLength(1);
    expect(shown).not.toMatch(/Webhook URL: |Created by/);
    expect(json(state())).not.toMatch(/relay\.remove|reports\.new/);
    const all = one(state(), {}, true);
    expect(read(all.blocks)).toMatch(/Created by.*Webhook URL: created .*, never used/s);
    expect(JSON.stringify(all.blocks)).toMatch(/reports\.new.*relay\.remove/);
    expect(JSON.stringify(all.blocks)).not.toContain('relay.view.more');
  });

  it('each line of settings in the window of a relay stands beside the button that changes it', () => {
    const blocks = one(state()).blocks as readonly Section[];
    const beside = blocks.flatMap(({ text, accessory }) =>
      text?.type === 'plain_text' && accessory?.type === 'button'
        ? [`${text.text.split(':')[0]} > ${accessory.text.text}`]
        : [],
    );
    expect(beside).toEqual([
      'Every scan > Rules and alerts…',
      'Validation > Validation…',
      'Responses > Responses…',
      'Access > Security…',
    ]);
  });

  it('the window of a relay counts custom responses and questions, and says where responses are the default ones', () => {
    const settings = relaySettingsSchema.parse({ answers: { valid: { text: 'Come in' } } });
    expect(read(one(state({ relay: { settings } })).blocks)).toContain('Responses: 1 custom response');
    expect(read(one(state()).blocks)).toContain('Responses: default');
  });

  it('the confirmation of a relay’s deletion says how many posts are dropped and how many scans stay', () => {
    expect(JSON.stringify(one(state({ scans: 5, pending: 1, dead: 1 }), {}, true).blocks)).toContain(
      '2 undelivered posts will be dropped. Lookups still show the 5 scans it received.',
    );
  });

  it('the window of a relay says where its rules post, and not the channel that applies without rules', () => {
    const rule = (id: string, channel: string, on = true) => ({ id, channel, on, when: { kind: 'every' as const } });
    const ruled = (...rules: readonly object[]) =>
      one(state({ relay: { settings: relaySettingsSchema.parse({ rules }) } })).blocks;
    const line = (blocks: unknown) => JSON.stringify((blocks as unknown[])[0]);
    const two = ruled(rule('a', 'C5'), rule('b', 'C6'), rule('c', 'C5'), rule('d', 'C7', false));
    expect(line(two)).toMatch(/"C5".*"C6"/);
    expect(line(two)).not.toMatch(/"C7"|"C1"/);
    expect(read(two)).toMatch(/Posts3 rules · .* · 1 off/);
    expect(read(two)).not.toContain('Every scan');
    expect(read(ruled(rule('a', 'C5', false)))).toMatch(/Main gate → no channel.*Posts0 rules · 1 off/s);
    const kept = { ...rule('kept', 'C1'), when: { kind: 'result' as const, is: 'invalid' as const } };
    const burst = { ...rule('burst', 'C1'), when: { kind: 'burst' as const, n: 3, minutes: 10 } };
    expect(read(ruled(rule('a', 'C1'), burst))).toContain('PostsEvery scan, 1 alert · ');
    expect(read(ruled(kept, rule('a', 'C5'), burst))).toContain('PostsScans that are not valid, 1 rule, 1 alert · ');
    const many = ['C2', 'C3', 'C4', 'C5', 'C6'].map((channel) => rule(channel, channel));
    expect(line(ruled(...many))).toMatch(/ and 2 more/);
  });

  it('the window and the list say that a relay posts every scan if a rule does, whichever rule is above it', () => {
    const rules = [
      { id: 'a', channel: 'C1', when: { kind: 'result', is: 'invalid' } },
      { id: 'b', channel: 'C1', when: { kind: 'every' } },
      { id: 'c', channel: 'C1', when: { kind: 'burst', n: 3, minutes: 10 } },
    ];
    const posting = state({ relay: { settings: relaySettingsSchema.parse({ rules, match: 'all' }) } });
    expect(read(one(posting).blocks)).toContain('PostsEvery scan, 1 rule, 1 alert');
    expect(read(list([posting]).blocks)).toContain(' · Every scan, 1 rule, 1 alert');
  });

  it('a rule that stops has no rule below it named as posting every scan', () => {
    const rules = [
      { id: 'a', channel: 'C1', when: { kind: 'value', is: ['STAFF'] }, action: 'stop' },
      { id: 'b', channel: 'C1', when: { kind: 'every' } },
    ];
    const shown = (order: readonly object[]) =>
      read(one(state({ relay: { settings: relaySettingsSchema.parse({ rules: order, match: 'all' }) } })).blocks);
    expect(shown(rules)).toContain('Posts2 rules');
    expect(shown(rules.toReversed())).toContain('PostsEvery scan, 1 rule');
  });

  it('the window of a paused relay asks for a reinstall if access was lost, else says that scans are received', () => {
    const paused = (why: 'person' | 'token_revoked') =>
      read(one(state({ relay: { paused: { at: noon, why } } })).blocks);
    expect(paused('token_revoked')).toContain('Ask an admin to reinstall Scandesk');
    expect(paused('person')).toContain('While it’s paused, scans are still received');
  });

  it('the window of a relay names a blocked channel, its rules, the remedy, and what becomes of the posts', () => {
    const blocked = (rules: readonly object[], ...channels: RelayState['blocked']) =>
      one(state({ relay: { settings: relaySettingsSchema.parse({ rules }) }, blocked: channels })).blocks;
    const rule = (id: string, channel: string) => ({ id, channel, when: { kind: 'every' } });
    const archived = blockedIn('C0GONE', 'slack.is_archived', 2);

    const ruled = blocked([rule('a', 'C0GONE'), rule('b', 'C0GONE'), rule('c', 'C0OTHER')], archived);
    expect(JSON.stringify(ruled)).toMatch(/Blocked in "[^}]*}},{"type":"channel","channel_id":"C0GONE"}/);
    expect(read(ruled)).toContain(
      ' is archived, and 2 rules post there. Unarchive it, or choose another channel in those rules.',
    );
    expect(read(ruled)).toMatch(/Posts for it wait in order\. Scandesk tries again at .*Retry then sends it/);
    expect(JSON.stringify(ruled)).toContain('relay.try_again');

    expect(read(blocked([], blockedIn('C1', 'slack.not_in_channel')))).toMatch(
      /Scandesk isn’t in .*, or the channel no longer exists\. Invite Scandesk again, or choose another channel with Edit\./,
    );
    const readOnly = blockedIn('C1', 'slack.restricted_action_read_only_channel');
    expect(read(blocked([rule('a', 'C1')], readOnly))).toContain(
      ' doesn’t let Scandesk post, and 1 rule posts there. Allow it, or choose another channel in that rule.',
    );
    expect(read(blocked([rule('a', 'C1')], archived))).toContain(
      ' is archived. Nothing new is posted there, but 2 posts wait. Unarchive it.',
    );
  });

  it('the window of a relay does not repeat why a blocked channel’s posts wait, and has no retry while paused', () => {
    const archived = { pending: 1, blocked: [blockedIn('C1', 'slack.is_archived')] };
    expect(read(one(state(archived), { lastFailure: 'slack.is_archived' }).blocks)).not.toContain('Posts are pending');
    expect(read(one(state(archived), { lastFailure: 'slack.ratelimited' }).blocks)).toContain('Posts are pending');
    const paused = json(state({ ...archived, relay: { paused: { at: noon, why: 'person' } } }));
    expect(paused).toContain('relay.resume');
    expect(paused).not.toContain('relay.try_again');
  });

  it('a relay that refuses scans says so in the list, and in its window why, from where and what to do', () => {
    const times = { firstAt: noon, lastAt: noon + 1 };
    const refused = [
      { code: 'relay.rate', scans: 5, senders: ['192.0.2.1', '192.0.2.2', '192.0.2.3'], ...times },
      { code: 'relay.network', scans: 2, senders: ['others'], ...times },
      { code: 'relay.of_a_newer_version', scans: 1, senders: ['2001:db8::1'], ...times },
    ];
    const refusing = state({ scans: 1, refused });
    expect(read(list([refusing], 0).blocks)).toContain('⚠️ Active · 1 scan · 8 scans refused');
    expect(read(list([state({ scans: 1 })], 0).blocks)).toContain('✅ Active · 1 scan');
    const shown = read(one(refusing).blocks);
    expect(shown).toContain(
      '5 scans refused: more than 500 scans a second (from 192.0.2.1, 192.0.2.2 and others), since',
    );
    expect(shown).toContain('Spread the services over several relays.');
    expect(shown).toContain('2 scans refused: the sender isn’t on the allow list, since');
    expect(shown).toContain('1 scan refused: relay.of_a_newer_version (from 2001:db8::1), ');
    expect(shown).toContain('Refused scans are not stored.');
    expect(read(one(state({ scans: 1 })).blocks)).not.toContain('refused');
  });

  it('the window of a relay says how many mutes leave out its posts, and in which channels', () => {
    const blocks = one(state(), { muted: ['C1', 'C1'] }).blocks;
    expect(read(blocks)).toMatch(/Mutes: 2, in \. Type \/scandesk mute there to see them\./);
    expect(JSON.stringify(blocks).match(/"channel_id":"C1"/g)).toHaveLength(2);
    expect(read(one(state()).blocks)).not.toContain('Mutes');
  });

  it('the window of a relay names its validation databases, and says how far the copy of each is', () => {
    const judging = (databaseIds: readonly string[], mirrors: RelayReport['mirrors'] = []) => {
      const settings = relaySettingsSchema.parse({ judging: { kind: 'database', databaseIds } });
      const nameOf = (_: string, id: string) => (id === '1021' ? 'Harbour Lights' : undefined);
      return read(relayView(state({ relay: { settings } }), { ...report, mirrors }, { nameOf }).blocks);
    };
    expect(judging(['1021'])).toContain('Validation: checked against Harbour Lights (not downloaded yet), unless ');
    expect(judging(['1021'], [{ databaseId: '1021', size: 0 }])).toContain(
      'Validation: checked against Harbour Lights (downloading)',
    );
    expect(judging(['1021'], [{ databaseId: '1021', size: 0, lastCode: 'account.quota' }])).toMatch(
      /checked against Harbour Lights, unless the service says otherwiseValidation…Harbour Lights: downloading · ⚠️ no API calls were left/,
    );
    const copies = [{ databaseId: '1021', size: 2, fetchedAt: noon }];
    expect(judging(['1021', '7'], copies)).toMatch(
      /checked against Harbour Lights and unnamed database 7, unless the service says otherwiseValidation…Harbour Lights: a copy of 2 values as of \nunnamed database 7: not downloaded yet/,
    );
  });

  it('the window of a relay says of every validation that a result of the service’s own stays', () => {
    const validation = (settings: object) =>
      /Validation: (.*?)Validation…/.exec(
        read(one(state({ relay: { settings: relaySettingsSchema.parse(settings) } })).blocks),
      )?.[1];
    const judging = { kind: 'pattern', pattern: '^ZZZ$' };
    expect(validation({})).toBe('every scan is valid, unless the service says otherwise');
    expect(validation({ judging })).toBe('barcodes that match a pattern are valid, unless the service says otherwise');
    expect(validation({ judging: { kind: 'list', values: ['1'] } })).toBe(
      'only 1 listed barcode is valid, unless the service says otherwise',
    );
    expect(validation({ judging, duplicates: {}, atMost: { n: 3, of: 'value' } })).toBe(
      'barcodes that match a pattern are valid · repeat scans: always duplicates · limit: 3 per barcode · all unless the service says otherwise',
    );
  });

  it('the window of a relay offers Resume while the relay is paused, and otherwise Pause', () => {
    expect(json(state())).toContain('relay.pause');
    expect(json(state({ relay: { paused: { at: noon, why: 'person' } } }))).toContain('relay.resume');
  });
});

describe('the window with a webhook URL', () => {
  it('the window with a webhook URL shows only the host of the URL that it replaces', () => {
    const text = read(address(service({ postbackUrl: 'https://old.example/hook?secret=canary' })).blocks);
    expect(text).toContain('This replaces the current one at old.example');
    expect(text).not.toContain('canary');
  });

  it('the window with a webhook URL mentions real-time postback only for a service that validates scans itself', () => {
    expect(read(address(service({ validationMethod: 'database' })).blocks)).toContain('real-time postback');
    expect(read(address(service()).blocks)).not.toContain('real-time postback');
  });

  it('the window with a webhook URL says that the previous URL works until it is revoked', () => {
    expect(read(address(undefined, 'another').blocks)).toContain('The previous URL keeps working until you revoke it');
    expect(read(address(undefined).blocks)).not.toContain('previous URL');
  });
});

describe('the notice of a blocked channel', () => {
  it('the notice of a blocked channel names the channel, its relays, the remedy and what becomes of the posts', () => {
    const queue = { ...blockedIn('C5', 'slack.is_archived'), installation: 'T1', team: 'T1' };
    const relays = ['Main gate', 'Side door', 'Roof', 'Cellar'].map(
      (serviceName) => state({ relay: { serviceName } }).relay,
    );
    const notice = channelBlocked(queue, relays);
    expect(JSON.stringify(notice.blocks)).toMatch(/can’t post in ",.*"channel_id":"C5"/);
    expect(read(notice.blocks)).toMatch(
      /is archived\. Posts of Main gate, Side door, Roof and 1 more relay for it wait in order; everything else goes on\./,
    );
    expect(read(notice.blocks)).toContain('Unarchive it, or choose another channel in /scandesk relay.');
    expect(read(notice.blocks)).toContain('After a day, a waiting post is marked as not delivered');
  });
});

describe('the form of a relay', () => {
  const sent = (values: Record<string, unknown>) =>
    relayWindow.submitted.spec.fields({
      view: { state: { values } },
      metadata: {},
      deps: {},
    } as unknown as FormContext<never>);

  it('the form of a relay asks for missing values under their fields, and a placeholder option is no choice', () => {
    expect(sent({ 'relay.service': { 'relay.service': { selected_option: { value: '!unavailable' } } } })).toEqual({
      errors: {
        'relay.service': 'Choose a service.',
        'relay.channel': 'Choose a channel.',
        'relay.notable': 'Choose which scans to post.',
      },
    });
  });

  it('the form of a relay says if the account’s services could not be listed, and still offers “Any service”', () => {
    const draft = relayForm.draft({ service: 'any' });
    const view = formOf({ services: undefined, agreement: [], preview: [], draft });
    expect(read(view.blocks)).toContain('The account’s services could not be listed.');
    expect(JSON.stringify(view.blocks)).toContain('"initial_option":{"text":{"type":"plain_text","text":"Any service"');
    expectTaken(view);
  });
});
