/** Loads the rule form: the names behind its ids, and a preview of the last scans it would have posted. */
import type { ViewOutput } from '@slack/bolt';
import {
  type PreviewedScan,
  type Relay,
  type RelaySettings,
  type Rule,
  ruleSchema,
  silenceOf,
} from '../../../../relay/index.js';
import { type Block, type ModalView, type Option, option } from '../../../block-kit/elements.js';
import { settled } from '../../../block-kit/text.js';
import { encode } from '../../../bolt/metadata.js';
import type { BaseContext } from '../../../bolt/routing/context.js';
import { userGroups } from '../../../connection/access/access.js';
import { accountOf } from '../../../connection/account.js';
import { kindIn } from '../../../connection/cached-names.js';
import { paragraph } from '../../../forms/inputs.js';
import { type FormState, formStateIn } from '../../../forms/view-state.js';
import { resourceOption, resourcesOf } from '../../../operations/form/resources.js';
import { relayOf } from '../../load-views.js';
import { shownPart, versionOf } from '../etag.js';
import { firstChoice, type RuleFormSource, ruleForm } from './fields.js';
import { previewBlocks } from './preview-blocks.js';
import { type RuleChange, readRule } from './read-rule.js';
import { ruleMetadata, ruleView } from './rule-form.js';

type RuleFormContext = Pick<BaseContext, 'deps' | 'actor' | 'person' | 'client' | 'reference'>;

export interface RuleForm {
  readonly relay: string;
  /** None for a new rule. */
  readonly id?: string | undefined;
  readonly page?: number | undefined;
  readonly more?: boolean | undefined;
  /** The form to take entered values from. */
  readonly view?: ViewOutput;
  readonly problem?: string;
  readonly shared?: boolean;
  /** The version that the form was opened on; defaults to the current one. */
  readonly seen?: string | undefined;
}

const maxPreviewLines = 10;
/** The id of a rule that is not saved yet. */
const newId = 'new';

export async function ruleFormModal(context: RuleFormContext, form: RuleForm): Promise<ModalView> {
  const { relay } = await relayOf(context, form.relay);
  const rule = relay.settings.rules.find((each) => each.id === form.id);
  const [names, groups] = await Promise.all([namesFor(context, rule), groupsOf(context)]);
  const was = ruleForm.draft({
    rule,
    channel: relay.channel,
    zone: context.person.zone,
    nameOf: (kind, id) =>
      kind === 'group'
        ? groups?.find((group) => group.value === id)
        : names.find(([of, each]) => of === kind && each.value === id)?.[1],
  });
  const entered = form.view && formStateIn(form.view);
  const more = form.more ?? (rule !== undefined && (rule.name !== '' || rule.quiet !== undefined));
  return ruleView(entered ? ruleForm.entered(entered, was) : was, {
    metadata: encode(ruleMetadata, {
      channel: context.actor.channelId,
      relay: form.relay,
      ...(form.id === undefined ? {} : { id: form.id }),
      ...(more ? { more } : {}),
      ...(form.page === undefined ? {} : { page: form.page }),
      seen: form.seen ?? versionOf(shownPart.rule(form.id)(relay.settings)),
    }),
    changing: form.id !== undefined,
    more,
    groupsOffered: groups !== undefined && groups.length > 0,
    problem: form.problem,
    shared: form.shared,
    preview: await previewBlocksOf(context, relay, rule, entered),
  });
}

/** The preview of a newly opened form: of the stored rule, or of a new rule's first choice. */
async function previewBlocksOf(
  context: RuleFormContext,
  relay: Relay,
  rule: Rule | undefined,
  entered: FormState | undefined,
): Promise<Block[]> {
  if (!entered) {
    const first: RuleChange = (_, id) => ruleSchema.parse({ id, when: firstChoice, channel: relay.channel });
    return rule
      ? previewOf(relay, context, rule.id, relay.settings)
      : previewOf(relay, context, newId, withRule(relay.settings, first, newId));
  }
  const read = readRule(entered);
  if ('errors' in read) {
    return [paragraph('Fill in the form to preview what it would have posted.')];
  }
  const id = rule?.id ?? newId;
  return previewOf(relay, context, id, withRule(relay.settings, read.change, id));
}

async function previewOf(
  relay: Relay,
  { deps }: RuleFormContext,
  id: string,
  settings: RelaySettings,
): Promise<Block[]> {
  const rule = settings.rules.find((each) => each.id === id);
  if (rule && silenceOf(rule)) {
    return [paragraph('Rules that post when no scans arrive can’t be previewed.')];
  }
  const scans = await deps.relayStatus.preview(relay, switchedOn(settings, id));
  return [...previewBlocks(scans, { most: maxPreviewLines, rule: id }), ...shadowLine(settings, scans, id)];
}

/** The preview treats a rule that is off as on. */
function switchedOn(settings: RelaySettings, id: string): RelaySettings {
  return { ...settings, rules: settings.rules.map((rule) => (rule.id === id ? { ...rule, on: true } : rule)) };
}

/** When only the first matching rule posts, those above may leave nothing. */
function shadowLine({ rules, match }: RelaySettings, scans: readonly PreviewedScan[], id: string): Block[] {
  const at = rules.findIndex((rule) => rule.id === id);
  const above = new Set(rules.slice(0, at).map((rule) => rule.id));
  const postedAbove = scans.filter(({ posts }) =>
    posts.some((post) => post.rules.some((rule) => above.has(rule.id))),
  ).length;
  return match === 'first' && postedAbove > 0
    ? [paragraph(`Rules above this one post ${postedAbove} of these scans, so this one doesn’t.`)]
    : [];
}

export function withRule(settings: RelaySettings, change: RuleChange, id: string): RelaySettings {
  const at = settings.rules.findIndex((rule) => rule.id === id);
  const rule = change(settings.rules[at], id);
  return { ...settings, rules: at < 0 ? [...settings.rules, rule] : settings.rules.with(at, rule) };
}

type Named = readonly [kind: Parameters<RuleFormSource['nameOf']>[0], option: Option];

/** Names are optional: an unresolved id is shown as it is. */
async function namesFor({ deps, actor }: RuleFormContext, rule: Rule | undefined): Promise<readonly Named[]> {
  const [condition] = rule?.when ?? [];
  const kind = condition ? kindIn(condition) : 'scan';
  if (kind !== 'service' && kind !== 'user' && kind !== 'device' && kind !== 'question') {
    return [];
  }
  try {
    const account = await accountOf(deps, actor.owner);
    if (kind === 'device') {
      const devices = await account.names.devices();
      return devices.map(({ udid, name }): Named => ['device', option(settled(name || udid), udid)]);
    }
    return (await resourcesOf(account, kind)).map((resource): Named => [kind, resourceOption(resource)]);
  } catch {
    return [];
  }
}

/** Undefined if Slack does not list them: then none can be offered. */
async function groupsOf({ client, deps, reference }: RuleFormContext): Promise<readonly Option[] | undefined> {
  try {
    return (await userGroups(client)).map(({ id, name }) => option(settled(name), id));
  } catch (error) {
    deps.log.info({ err: error, reference }, 'user groups could not be listed for a rule');
    return undefined;
  }
}
