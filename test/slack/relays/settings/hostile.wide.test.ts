import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../../../src/clock.js';
import type { Service } from '../../../../src/codereadr/types.js';
import { patternProblem } from '../../../../src/relay/conditions/parts/pattern.js';
import {
  type Condition,
  defaultAnswer,
  type PreviewedScan,
  type ReceivedScan,
  type RelayReport,
  type RelaySettings,
  type Rule,
  relaySettingsSchema,
  resultCodes,
} from '../../../../src/relay/index.js';
import type { Relay, RelayState } from '../../../../src/relay/relays/types.js';
import { checkView } from '../../../../src/sandbox/slack/blocks/check.js';
import {
  type ModalView,
  modalView,
  type Option,
  option,
  pickable,
  plain,
} from '../../../../src/slack/block-kit/elements.js';
import { noticeBlocks } from '../../../../src/slack/block-kit/notice.js';
import { shortName } from '../../../../src/slack/block-kit/short-text.js';
import { bold, richText, settled, textElement } from '../../../../src/slack/block-kit/text.js';
import { ruleTitle } from '../../../../src/slack/channel-posts/describe/describe-rule.js';
import { ruleSentence } from '../../../../src/slack/channel-posts/describe/rule-sentence.js';
import { FormProblem } from '../../../../src/slack/forms/settings-form.js';
import { formStateIn } from '../../../../src/slack/forms/view-state.js';
import { pattern as patternKind } from '../../../../src/slack/inputs/kinds.js';
import { matchingResources, resourceOption } from '../../../../src/slack/operations/form/resources.js';
import { relayFields, relayForm } from '../../../../src/slack/relays/form/relay-form.js';
import { relayUrlView } from '../../../../src/slack/relays/form/url-view.js';
import { relayListView } from '../../../../src/slack/relays/list-view.js';
import { relayView } from '../../../../src/slack/relays/relay-view.js';
import { answer } from '../../../../src/slack/relays/settings/answers/answer.js';
import { answersView } from '../../../../src/slack/relays/settings/answers/answers-view.js';
import { question } from '../../../../src/slack/relays/settings/answers/question.js';
import { deviceOptions } from '../../../../src/slack/relays/settings/inputs/picker-options.js';
import { previewBlocks } from '../../../../src/slack/relays/settings/rules/preview-blocks.js';
import { contentForm } from '../../../../src/slack/relays/settings/rules/rule-content.js';
import { ruleFields } from '../../../../src/slack/relays/settings/rules/rule-form.js';
import { linesFor, shownConditions } from '../../../../src/slack/relays/settings/rules/rule-lines.js';
import { ruleRemoveView, ruleSavedView, rulesView } from '../../../../src/slack/relays/settings/rules/rules-view.js';
import { security } from '../../../../src/slack/relays/settings/security.js';
import { validation } from '../../../../src/slack/relays/settings/validation/validation.js';
import { setupDraft } from '../../../../src/slack/relays/setup/form.js';
import { type ChosenService, setupView } from '../../../../src/slack/relays/setup/form-view.js';
import type { SetUp } from '../../../../src/slack/relays/setup/record-store.js';
import { resultView, runningView, step } from '../../../../src/slack/relays/setup/result-view.js';
import { shownAddress } from '../../../../src/slack/relays/setup/urls.js';
import { anyText } from '../../../helpers/any-text.js';
import { noon } from '../../lookup/lookup-samples.js';
import { formOn, submittedErrors } from './form-on.js';

/** A character in every text from outside, by which the text is recognized wherever it is shown. */
const mark = 'ꙮ';

const pieces = [
  ...['<!channel>', '<!here>', '<@U1>', '<#C1>', '<https://x.example|y>', 'https://x.example/a?b=1&c=2'],
  ...['`', '```', '*bold*', '_it_', '~no~', '&amp;', '&lt;', '&', '<script>alert(1)</script>', '</text>', ']]>'],
  ...[':100:', ':hourglass_flowing_sand:', '👩‍👩‍👧', '\u{1F600}', '\u202e', '\u2066', '\u200f', '\u200b', '\ufeff'],
  ...[
    '\u0000',
    '\u0007',
    '\u001d',
    '\u007f',
    '\u2028',
    '\r\n',
    '\n',
    '\t',
    ' ',
    '\ud800',
    '"',
    "'",
    '{value}',
    '\\x1d',
  ],
  ...['x'.repeat(3_000), '𝒳'.repeat(1_500), '<'.repeat(3_000), '\u202e'.repeat(700), ' '.repeat(200)],
];

/** Text from outside, of at most `most` characters: the limit of its source. */
const hostile = (most = 4_000) =>
  fc
    .array(fc.oneof(fc.constantFrom(...pieces), anyText({ maxLength: 12 })), { maxLength: 5 })
    .map((parts) => `${mark}${parts.join('')}`.slice(0, most));

/** A name, which can be empty or blank. */
const anyName = fc.oneof(hostile(), fc.constantFrom('', ' '));

const anyHours = fc.record({
  zone: fc.constantFrom('Europe/Berlin', 'Africa/Abidjan', 'America/Argentina/ComodRivadavia'),
  days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
  from: fc.constantFrom('00:00', '08:00', '23:59'),
  to: fc.constantFrom('00:00', '08:00', '23:59'),
});
const minutes = fc.integer({ min: 1, max: 10_080 });
/** An id as the values of pickers have it. */
const id = fc.oneof(fc.nat().map(String), hostile(150));
const anyPattern = hostile(1_000).filter((text) => patternProblem(text) === undefined);

const anyCondition: fc.Arbitrary<Condition> = fc.oneof(
  fc.constantFrom<Condition[]>(
    { kind: 'every' },
    { kind: 'check_digit' },
    { kind: 'watched' },
    { kind: 'first_seen' },
    { kind: 'result', is: 'not_validated' },
  ),
  fc.record({
    kind: fc.constant('value' as const),
    is: fc.array(hostile(), { minLength: 1, maxLength: 6 }),
    exact: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('value_pattern' as const), pattern: anyPattern }),
  fc.record({
    kind: fc.constant('from' as const),
    what: fc.constantFrom('service', 'user', 'device'),
    ids: fc.array(id, { minLength: 1, maxLength: 120 }),
  }),
  fc.record({
    kind: fc.constant('answer' as const),
    questionId: fc.option(hostile(150), { nil: undefined }),
    how: fc.constantFrom('equals', 'contains', 'above', 'below'),
    to: hostile(),
    exact: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('property' as const),
    name: hostile(),
    how: fc.constantFrom('present', 'equals', 'contains', 'above', 'below'),
    to: hostile(),
    exact: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('outside_hours' as const), hours: anyHours }),
  fc.record({
    kind: fc.constant('nth' as const),
    n: fc.integer({ min: 1, max: 1_000_000 }),
    of: fc.constantFrom('value', 'device', 'user', 'service', 'relay'),
    again: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('silence' as const),
    of: fc.constantFrom('relay', 'device', 'service'),
    ids: fc.array(id, { maxLength: 100 }),
    minutes,
    hours: anyHours,
  }),
  fc.record({ kind: fc.constant('burst' as const), n: fc.integer({ min: 2, max: 1_000 }), minutes }),
);

const anyRule: fc.Arbitrary<Rule> = fc.record({
  id: fc.uuid(),
  name: hostile(80),
  on: fc.boolean(),
  when: anyCondition.map((one) => [one]),
  unless: fc.constant([]),
  action: fc.constant('post' as const),
  channel: fc.constantFrom('C0GENERAL', 'G0PRIVATE'),
  mention: fc.record({
    users: fc.array(fc.constantFrom('U1', 'W2'), { maxLength: 20 }),
    groups: fc.array(fc.constantFrom('S1', 'S2'), { maxLength: 20 }),
  }),
  how: fc.constantFrom('each', 'thread', 'digest'),
  digestMinutes: minutes,
  quiet: fc.option(anyHours, { nil: undefined }),
  escalate: fc.option(
    fc.record({
      ...{ minutes, users: fc.array(fc.constantFrom('U1', 'W2'), { maxLength: 20 }) },
      groups: fc.array(fc.constantFrom('S1', 'S2'), { minLength: 1, maxLength: 20 }),
    }),
    { nil: undefined },
  ),
});

const anySettings: fc.Arbitrary<RelaySettings> = fc
  .record({
    judging: fc.oneof(
      fc.constant({ kind: 'accept' as const }),
      fc.record({ kind: fc.constant('database' as const), databaseIds: fc.array(id, { minLength: 1, maxLength: 10 }) }),
      fc.record({ kind: fc.constant('list' as const), values: fc.array(hostile(), { maxLength: 20 }) }),
      fc.record({ kind: fc.constant('pattern' as const), pattern: anyPattern }),
    ),
    duplicates: fc.option(fc.record({ withinMinutes: minutes }), { nil: undefined }),
    atMost: fc.option(fc.record({ n: minutes, of: fc.constantFrom('value', 'relay'), withinMinutes: minutes }), {
      nil: undefined,
    }),
    hours: fc.option(anyHours, { nil: undefined }),
    answers: fc.dictionary(
      fc.constantFrom(...resultCodes),
      fc.record({
        text: hostile(4_000),
        kind: fc.constantFrom('plain', 'page'),
        title: hostile(60),
        color: fc.constantFrom('#1a7f37', '#ABCDEF'),
      }),
    ),
    questions: fc
      .array(
        fc.record({
          id: fc.integer({ min: 1, max: 999_999_999 }).map(String),
          text: hostile(500),
          type: fc.constantFrom('manual', 'option', 'checkbox'),
          answers: fc.array(hostile(200), { maxLength: 50 }),
          when: fc.subarray([...resultCodes]),
        }),
        { maxLength: 10 },
      )
      .map((questions) =>
        questions.filter((_, at) => Buffer.byteLength(JSON.stringify(questions.slice(0, at + 1))) < 5_000),
      ),
    secretProperty: fc.option(fc.record({ name: hostile(), hash: fc.constant('a'.repeat(64)) }), { nil: undefined }),
    names: fc.record({ tid: hostile(), sid: hostile().map((name) => `${name}2`) }, { requiredKeys: [] }),
    rules: fc.array(anyRule, { maxLength: 50 }),
    match: fc.constantFrom('first', 'all'),
  })
  .map((settings) => relaySettingsSchema.parse(settings));

const anyRelay: fc.Arbitrary<Relay> = fc
  .record({ settings: anySettings, serviceName: anyName, serviceIds: fc.array(id, { maxLength: 3 }) })
  .map((some) => ({
    ...some,
    id: 'r1',
    owner: { installation: 'T1', team: 'T1' },
    channel: 'C1',
    notable: 'invalid',
    createdBy: 'U1',
    createdAt: noon,
  }));

const anyScan: fc.Arbitrary<ReceivedScan> = fc.record({ tid: hostile(), valid: fc.boolean() }).map((some) => ({
  ...some,
  id: 's1',
  relayId: 'r1',
  owner: { installation: 'T1', team: 'T1' },
  receivedAt: noon,
  text: `${mark}text`,
  answers: [],
  properties: [],
}));

const anyPreview: fc.Arbitrary<PreviewedScan[]> = fc.array(
  fc.record({
    scan: anyScan,
    posts: fc.array(
      fc.record({ rule: anyRule, watched: fc.boolean(), quiet: fc.boolean() }).map(({ rule, watched, quiet }) => ({
        ...{ kind: 'scan' as const, channel: rule.channel, rules: [rule], mention: rule.mention, how: rule.how, quiet },
        watchers: watched ? ['U1'] : [],
      })),
      { maxLength: 3 },
    ),
  }),
  { maxLength: 100 },
);

const anyService: fc.Arbitrary<Service> = fc.record({
  id: fc.nat().map(String),
  name: anyName,
  validationMethod: fc.oneof(fc.constantFrom('postback', 'database', 'record'), hostile(100)),
  postbackUrl: fc.oneof(
    hostile(),
    hostile().map((rest) => `https://${mark}.example/${rest}`),
    fc.constant(''),
  ),
  userIds: fc.constant([]),
  questionIds: fc.constant([]),
});

const anySetUp: fc.Arbitrary<SetUp> = fc
  .record({
    id: fc.uuid(),
    kind: fc.constantFrom('changed', 'made'),
    serviceName: anyName,
    beforeShown: fc.option(hostile(200), { nil: undefined }),
    before: fc.option(hostile(), { nil: undefined }),
  })
  .map((some) => ({
    ...some,
    serviceId: '1',
    by: 'U1',
    at: noon,
    symbologies: ['34'],
  }));

/** The option of a record of the account. */
const anyThing: fc.Arbitrary<Option> = anyName.map((name) => resourceOption({ id: '1', name }));

const report: RelayReport = { deadLetters: [], revokedSecrets: [], mirrors: [], muted: [], wrongClocks: [] };
const anyReport: fc.Arbitrary<RelayReport> = fc.record({
  deadLetters: fc.array(fc.record({ code: hostile(200), posts: fc.nat(), lastAt: fc.constant(noon) }), {
    maxLength: 5,
  }),
  lastFailure: hostile(200),
  revokedSecrets: fc.constant([]),
  mirrors: fc.array(
    fc.record({
      databaseId: hostile(),
      name: hostile(),
      size: fc.nat(),
      fetchedAt: fc.constant(noon),
      lastCode: hostile(100),
    }),
    { maxLength: 10 },
  ) as fc.Arbitrary<RelayReport['mirrors']>,
  muted: fc.array(fc.constantFrom('C1', 'C2', 'C3', 'C4', 'C5'), { maxLength: 6 }),
  wrongClocks: fc.array(
    fc.record({
      owner: fc.constant({ installation: 'T1', team: 'T1' }),
      relayId: fc.constant('r1'),
      udid: hostile(150),
      offsetMs: fc.integer(),
    }),
    { maxLength: 7 },
  ),
});

type Node = Readonly<Record<string, unknown>>;

/** The texts from outside in a view that Slack would format, or use as a link or picture. */
function astray(value: unknown): unknown[] {
  if (Array.isArray(value)) {
    return value.flatMap(astray);
  }
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const node = value as Node;
  if (node.type === 'plain_text') {
    return node.emoji === false ? [] : [node];
  }
  if (node.type === 'mrkdwn') {
    const text = String(node.text);
    return text.includes(mark) ? [node] : [];
  }
  const own = ['url', 'image_url', 'alt_text'].filter((name) => String(node[name] ?? '').includes(mark));
  return [...own.map((name) => node[name]), ...Object.values(node).flatMap(astray)];
}

/** The most bytes of a view that Slack takes. */
const largestView = 250_000;

function expectHarmless(view: ModalView): void {
  expect(checkView(view, systemRandom)).toMatchObject({ ok: true });
  expect(astray(view)).toEqual([]);
  expect(Buffer.byteLength(JSON.stringify(view))).toBeLessThan(largestView);
}

const value = 'x'.repeat(200);

describe('a relay’s windows with any settings and names', () => {
  const runs = { numRuns: 60 };

  it('a relay’s windows stay within Slack’s limits, and show settings and names as plain text', () => {
    fc.assert(
      fc.property(
        anyRelay,
        anyReport,
        anyPreview,
        fc.array(anyService, { maxLength: 120 }),
        (relay, any, scans, services) => {
          const state: RelayState = {
            ...{ relay, secrets: [{ id: 's1', createdAt: noon }], pending: 1, dead: 1, scans: 3 },
            blocked: [{ channel: 'C1', code: relay.serviceName, at: 1, retryAt: noon, waiting: 1 }],
            refused: [{ code: relay.serviceName, scans: 2, senders: [relay.serviceName], firstAt: 1, lastAt: noon }],
          };
          expectHarmless(relayView(state, any, { problem: relay.serviceName }));
          expectHarmless(relayView(state, report, { done: relay.serviceName }));
          expectHarmless(relayListView(Array(30).fill(state), 0, { done: relay.serviceName }));
          const distinct = services.filter((each, at) => services.findIndex((other) => other.id === each.id) === at);
          for (const changed of [relay, { ...relay, settings: relaySettingsSchema.parse({}) }, undefined]) {
            const preview = previewBlocks(scans, { most: 10, ...(changed ? {} : { onRecord: 'service' as const }) });
            for (const service of ['several', 'any', distinct[0]?.id ?? 'any']) {
              const draft = relayForm.draft({ service, channel: 'C1' });
              const fields = relayFields({ services: distinct, relay: changed, draft, preview, agreement: [] });
              const notice = noticeBlocks({ problem: relay.serviceName });
              expectHarmless(modalView('Edit relay', [...notice, ...fields], { submit: 'Save' }));
            }
          }
          for (const service of [undefined, ...services.slice(0, 3)]) {
            const address = { relay, url: 'https://scandesk.example/relay/r1/s', kind: 'new' as const };
            expectHarmless(relayUrlView({ ...address, service, address: value }));
          }
        },
      ),
      runs,
    );
  });

  it('Slack accepts the windows of validation and security, which show any settings and names as plain text', async () => {
    await fc.assert(
      fc.asyncProperty(anySettings, hostile(), anyScan, async (settings, said, scan) => {
        const changed = [{ scan, before: 'valid' as const, after: 'duplicate' as const }];
        const on = formOn(settings, {}, { scans: 3, changed, recorded: 0, unsure: 1, byReading: 1 });
        for (const kind of ['accept', 'database', 'list', 'pattern']) {
          const values = {
            'judging.kind': { x: { selected_option: { text: plain(kind), value: kind } } },
            'judging.pattern': { x: { value: said.slice(0, 1_000) } },
          };
          const form = { ...on, view: { state: { values } } as never, metadata: { relay: 'r1' } };
          for (const clicked of ['relay.more', 'relay.again']) {
            expectHarmless(await validation.redrawn(form, { clicked, problem: new FormProblem(said, 'kind') }));
          }
        }
        expectHarmless(await validation.open(on, { relay: 'r1' }));
        expectHarmless(await security.open(on, { relay: 'r1' }));
        expectHarmless(await security.open(on, { relay: 'r1', more: true }));
      }),
      runs,
    );
  });

  it('Slack accepts the windows of responses and questions, which show any settings and names as plain text', async () => {
    await fc.assert(
      fc.asyncProperty(anySettings, hostile(), async (settings, said) => {
        const told = { done: said, problem: said };
        expectHarmless(answersView(settings, { relay: 'r1' }, told));
        for (const finding of resultCodes) {
          for (const text of [settings.answers[finding]?.text ?? '', said, defaultAnswer(finding)]) {
            const answers = {
              ...settings.answers,
              [finding]: { kind: 'plain' as const, ...settings.answers[finding], text },
            };
            const on = formOn({ ...settings, answers }, { serviceName: said });
            expectHarmless(await answer.open(on, { relay: 'r1', finding }));
            const view = { state: { values: {} } } as never;
            const metadata = { relay: 'r1', finding };
            expectHarmless(await answer.redrawn({ ...on, view, metadata }, { clicked: 'relay.again' }));
          }
        }
        for (const { id } of [{ id: undefined }, ...settings.questions]) {
          expectHarmless(await question.open(formOn(settings), { relay: 'r1', id }));
        }
      }),
      runs,
    );
  });

  it('Slack accepts the windows of rules and their previews, which show any settings and names as plain text', () => {
    fc.assert(
      fc.property(anyRelay, anyPreview, anyThing, hostile(), (relay, scans, thing, said) => {
        for (const page of [0, 1, 2]) {
          expectHarmless(rulesView(relay, { page, preview: { scans, read: {} }, done: said, problem: said }));
        }
        for (const rule of relay.settings.rules.slice(0, 12)) {
          expectHarmless(ruleSavedView(rule, relay.settings, { preview: { scans, read: {} }, now: 0 }));
          expectHarmless(ruleRemoveView(rule, relay, '{}'));
          const context = {
            channel: 'C1',
            zone: undefined,
            nameOf: (_: string, of: string) => (of ? thing : undefined),
          };
          for (const nameOf of [context.nameOf, () => undefined]) {
            const lines = linesFor(shownConditions(rule));
            const draft = contentForm(lines).draft({ rule, ...context, nameOf });
            const options = { lines, more: true, groupsOffered: true, isSet: false, agreement: [] };
            const shown = [
              ...noticeBlocks({ problem: said }),
              richText(ruleSentence(rule, nameOf === context.nameOf ? () => thing.text.text : undefined)),
              ...ruleFields(draft, options),
              ...previewBlocks(scans, { most: 10, rule: rule.id }),
            ];
            expectHarmless(modalView('Edit rule', shown, { submit: 'Save' }));
          }
        }
      }),
      runs,
    );
  });

  it('Slack accepts the windows of a set-up, which show any settings and names as plain text', () => {
    const anyWanted = fc.oneof(
      fc.constant({}),
      fc.record({
        name: hostile(100),
        symbologies: fc.constant(['34', '6']),
        users: fc.array(anyThing, { maxLength: 3 }),
        pages: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(
        anyRelay,
        anyService,
        fc.array(anySetUp, { maxLength: 8 }),
        anyWanted,
        hostile(),
        (relay, service, setUps, wanted, said) => {
          const addresses = [shownAddress(service.postbackUrl ?? ''), `another relay (${shortName(said)})`];
          const chosen: ChosenService[] = [
            ...[{ kind: 'none' as const }, { kind: 'unknown' as const, service }],
            ...(['nowhere', 'here'] as const).map((sends) => ({ kind: 'known' as const, service, sends })),
            ...addresses.map((to) => ({ kind: 'known' as const, service, sends: 'elsewhere' as const, to })),
          ];
          for (const each of chosen) {
            for (const mode of ['there', 'direct'] as const) {
              const form = { relay, chosen: each, setUps, metadata: '{}' };
              const draft = { ...setupDraft(relay), ...wanted, mode };
              expectHarmless(setupView({ ...form, draft, problem: said, done: said }));
            }
          }
          const steps = [step('done', bold(shortName(service.name)), textElement(said)), step('failed', said)];
          expectHarmless(runningView('Setting a service up', steps));
          for (const setUp of [undefined, ...setUps]) {
            const options = { metadata: { relay: relay.id, service: service.id }, setUp, again: true };
            expectHarmless(resultView('Service set up', steps, options));
          }
        },
      ),
      runs,
    );
  });

  it('Slack accepts pickers with any names of devices, and a rule’s title with any pattern stays short', () => {
    const device = fc.record({ id: anyName, udid: anyName, name: anyName });
    fc.assert(
      fc.property(fc.array(device, { maxLength: 90 }), anyPattern, (devices, pattern) => {
        const offered = [
          ...[deviceOptions(devices, ''), matchingResources(devices, '').map(resourceOption)],
          pickable(devices).map((each) => option(shortName(each.name, 75), each.id)),
        ];
        for (const options of offered.filter((each) => each.length > 0)) {
          const element = { type: 'static_select' as const, action_id: 'x', options };
          expectHarmless(modalView('x', [{ type: 'input', label: plain('x'), element }], { submit: 'x' }));
        }
        expect(ruleTitle({ name: '', when: [{ kind: 'value_pattern', pattern }], unless: [] }).length).toBeLessThan(
          300,
        );
      }),
      runs,
    );
  });

  it('the errors of pattern and network fields are at most 200 visible characters, whatever was entered', () => {
    const errorsOf = (name: string, value: string) => {
      const state = { values: { [name]: { x: { type: 'plain_text_input', value } } } };
      return formStateIn({ state } as unknown as Parameters<typeof formStateIn>[0]);
    };
    fc.assert(
      fc.property(hostile(3_000), (said) => {
        const errors: Record<string, string> = {};
        patternKind({}).read(errorsOf('pattern', `(${said}`), 'pattern', errors);
        const networks = { 'security.networks': { x: { type: 'plain_text_input', value: said } } };
        const all = [...Object.values(errors), ...Object.values(submittedErrors(security, networks))];
        expect(all.length).toBeGreaterThan(0);
        for (const error of all) {
          expect(error.length).toBeLessThanOrEqual(200);
          expect(error).toBe(settled(error));
        }
      }),
    );
  });
});
