/** The modals around rules: the ordered list with its preview, the saved notice, the removal's question. Pure. */
import { z } from 'zod';
import type { NameOf } from '../../../../codereadr/types.js';
import { hasIncidents, type Relay, type RelaySettings, type Rule, silenceOf } from '../../../../relay/index.js';
import {
  actions,
  type Block,
  button,
  cut,
  divider,
  type ModalView,
  modalView,
  mrkdwn,
  option,
  plain,
} from '../../../block-kit/elements.js';
import { noticeBlocks, type ViewNotice } from '../../../block-kit/notice.js';
import { pageOf, turnButtons } from '../../../block-kit/page.js';
import { bold, channelElement, type LinePart, richText } from '../../../block-kit/text.js';
import { encode } from '../../../bolt/metadata.js';
import { describeDelivery, ruleTitle } from '../../../channel-posts/describe/describe-rule.js';
import { describeUnposted, describeUnruled } from '../../../channel-posts/describe/describe-settings.js';
import { ruleClause } from '../../../channel-posts/describe/rule-sentence.js';
import type { PreviewedPosts } from '../../preview.js';
import { relayOrigin } from '../settings-form.js';
import { previewBlocks, rulePreview } from './preview-blocks.js';

/** The most rules on a page. Each takes one block: a page stays far below the 100 blocks of a modal. */
export const rulesAPage = 20;
export const mostRules = 50;
const maxPreviewLines = 25;

export const rulesMetadata = z.object({ ...relayOrigin, page: z.number().int().min(0).optional() });

interface RulesOptions extends ViewNotice {
  readonly channel?: string | undefined;
  /** The number of the page, from 0. */
  readonly page: number;
  readonly preview: PreviewedPosts;
  readonly nameOf?: NameOf | undefined;
}

const matches = [
  option('First match posts', 'first', 'Only the first matching rule'),
  option('All matches post', 'all', 'Every matching rule'),
];
const orders = {
  first: 'Checked from top to bottom. The first rule that matches posts the scan.',
  all: 'Every rule that matches posts the scan, at most once per channel.',
};

/** Shown until the rule is saved again: an older version put alerts into digests and threads. */
const liveAlerts = 'Alerts are posted at once from now on: digests and threads are for scans.';

export const rulesTitle = 'Rules and alerts';

export function rulesView(relay: Relay, options: RulesOptions): ModalView {
  const { rules, match } = relay.settings;
  const shown = pageOf(rules, options.page, rulesAPage);
  const hasSilence = rules.some((rule) => rule.on && silenceOf(rule) !== undefined);
  const hasWorkflow = rules.some((rule) => rule.on && rule.action === 'workflow');
  const blocks: Block[] = [
    ...noticeBlocks(options),
    rules.length === 0
      ? richText(
          [bold('No rules yet.')],
          `${relay.notable === 'all' ? 'Every scan is' : 'Only scans that are not valid are'} posted in the relay’s channel. When you add the first rule, you choose whether that goes on.`,
        )
      : richText(
          [
            ...(rules.length === 1 ? [] : [orders[match]]),
            ...(hasWorkflow ? ['A rule that starts a workflow does so whichever rule posts.'] : []),
            describeUnposted(relay.settings),
            ...(rules.some((rule) => rule.on && rule.how !== 'each' && hasIncidents(rule)) ? [liveAlerts] : []),
          ].join(' '),
        ),
    ...shown.rows.map((rule, at) => ruleSection(rule, shown.firstIndex + at, rules.length, options.nameOf)),
    actions([
      ...turnButtons(shown, ['relay.rules.before', 'relay.rules.after'], String),
      ...(rules.length < mostRules ? [button('Add rule', 'relay.rule.add', { style: 'primary' })] : []),
      ...(rules.length > 1
        ? [
            {
              type: 'static_select' as const,
              action_id: 'relay.rules.match',
              options: matches,
              initial_option: matches.find(({ value }) => value === match) ?? matches[0]!,
            },
          ]
        : []),
    ]),
    divider,
    ...previewBlocks(options.preview.scans, { ...options.preview.read, most: maxPreviewLines, nameOf: options.nameOf }),
    ...(hasSilence ? [richText('Rules that post when no scans arrive can’t be previewed.')] : []),
  ];
  return modalView(rulesTitle, blocks, {
    callback_id: 'relay.rules',
    close: 'Back',
    private_metadata: encode(rulesMetadata, { channel: options.channel, relay: relay.id, page: shown.page }),
  });
}

function ruleSection(rule: Rule, index: number, count: number, nameOf: NameOf | undefined): Block {
  const moveOption = (text: string, direction: string) => ({ text: plain(text), value: `${direction}:${rule.id}` });
  const delivery = describeDelivery(rule);
  return {
    type: 'section',
    text: plain(cut(`${index + 1}. ${inWords(rule, nameOf)}`, 500)),
    fields: [mrkdwn(`${does[rule.action](rule)}${delivery === '' ? '' : ` · ${delivery}`}`)],
    accessory: {
      type: 'overflow',
      action_id: 'relay.rule.menu',
      options: [
        moveOption('Edit', 'change'),
        ...(index > 0 ? [moveOption('Move up', 'up')] : []),
        ...(index < count - 1 ? [moveOption('Move down', 'down')] : []),
        rule.on ? moveOption('Turn off', 'off') : moveOption('Turn on', 'on'),
        moveOption('Delete', 'remove'),
      ],
    },
  };
}

const does: Readonly<Record<Rule['action'], (rule: Rule) => string>> = {
  post: ({ channel }) => `→ <#${channel}>`,
  stop: () => 'Stop here',
  workflow: () => 'Start a workflow',
};

/** A rule in words: `VIP: when a scan is valid and …`; without a name, its title. */
function inWords(rule: Rule, nameOf: NameOf | undefined): string {
  const title = ruleTitle(rule, nameOf);
  return rule.name.trim() === '' ? title : `${title}: ${ruleClause(rule, nameOf)}`;
}

export function ruleSavedView(
  rule: Rule,
  settings: RelaySettings,
  { preview, now }: { readonly preview: PreviewedPosts; readonly now: number },
): ModalView {
  return modalView(
    'Rule saved',
    [
      richText([bold('✅ Saved. '), `It applies from the next scan. ${describeUnposted(settings)}`]),
      ...rulePreview(rule, preview.scans, now, { most: maxPreviewLines, ...preview.read }),
    ],
    { callback_id: 'relay.rule.saved', close: 'Back to rules' },
  );
}

export function ruleRemoveView(rule: Rule, relay: Relay, metadata: string, nameOf?: NameOf): ModalView {
  const { settings, notable, channel } = relay;
  const settingsLeft = { ...settings, rules: settings.rules.filter(({ id }) => id !== rule.id) };
  const consequence: readonly LinePart[] =
    settingsLeft.rules.length === 0
      ? [`This is the last rule. From then on, ${describeUnruled(notable)} in `, channelElement(channel), '.']
      : [describeUnposted(settingsLeft)];
  return modalView(
    'Delete this rule?',
    [
      richText([
        bold(ruleTitle(rule, nameOf)),
        '\nIt will not post any more scans. Existing and pending posts are not affected.\n',
        ...consequence,
      ]),
    ],
    { callback_id: 'relay.rule.remove', submit: 'Delete', close: 'Cancel', private_metadata: metadata },
  );
}
