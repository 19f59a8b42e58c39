/** The window of one rule: its fields, its sentence, what it would have posted, and saving. */
import { z } from 'zod';
import { type Relay, type Rule, ruleSchema } from '../../../../relay/index.js';
import { type Block, divider } from '../../../block-kit/elements.js';
import { richText } from '../../../block-kit/text.js';
import { action, type Listener } from '../../../bolt/routing/listeners.js';
import { ruleSentence } from '../../../channel-posts/describe/rule-sentence.js';
import { cachedRuleNames } from '../../../connection/cached-names.js';
import { enterFormChannel } from '../../../forms/form-channel.js';
import { labelsOf } from '../../../forms/inputs.js';
import { FormProblem, type Read } from '../../../forms/settings-form.js';
import { relayOf } from '../../load-views.js';
import { previewedPosts } from '../../preview.js';
import { relaySettingsForm } from '../settings-form.js';
import { initialCondition } from './condition-form.js';
import { enteredPreview, newId, withRule } from './entered-preview.js';
import { ruleForm } from './fields.js';
import { leavesOut } from './first-rule.js';
import { rulesModal } from './load-rules.js';
import { chosenSpan, previewActions } from './preview-span.js';
import { actionOf, agreement, contentForm, type EnteredRule, overwrittenRule, ruleIn, ruleOf } from './rule-content.js';
import { ruleFields, ruleMetadata } from './rule-form.js';
import { addLine, linesFor, type RuleLines, removeLine, shownConditions } from './rule-lines.js';
import { groupsOf, namesIn } from './rule-names.js';
import { mostRules, ruleSavedView } from './rules-view.js';
import { testWorkflow } from './test-workflow.js';
import { noTriggerText } from './workflow-fields.js';

type RuleKeys = z.output<typeof ruleMetadata>;

const linesOf = (rule: Rule | undefined, { lines }: RuleKeys): RuleLines => lines ?? linesFor(shownConditions(rule));

export const rule = relaySettingsForm({
  id: 'relay.rule',
  title: ({ id }) => (id === undefined ? 'New rule' : 'Edit rule'),
  audit: 'relay/rules',
  metadata: ruleMetadata,
  list: (context, { relay, page }, notice) => rulesModal(context, relay, { page, ...notice }),
  facts: ({ settings }, keys) => {
    const stored = ruleIn(settings, keys.id);
    return { kept: stored?.workflow && true, lines: linesOf(stored, keys) };
  },
  part: (settings, { id }) => overwrittenRule(settings, id),
  form: ({ lines }) => contentForm(lines ?? linesFor(shownConditions(undefined))),
  async source({ settings, channel }, { id }, context) {
    const stored = ruleIn(settings, id);
    const groups = await groupsOf(context);
    const nameOf = await namesIn(context, stored, groups);
    return { rule: stored, channel, zone: context.person.zone, nameOf, groupsOffered: groups.length > 0 };
  },
  async draw(content, shown) {
    const { context, subject: relay, keys, state, source, read } = shown;
    const { rule: stored, groupsOffered } = source;
    const entered = read ? enteredRule(read, stored) : (stored ?? newRule(relay));
    const asksToKeep = relay.settings.rules.length === 0 && (!entered || leavesOut(entered, relay));
    const fields = ruleFields(content, {
      lines: linesOf(stored, keys),
      more: keys.more === true || (stored !== undefined && (stored.name !== '' || stored.quiet !== undefined)),
      isSet: keys.kept === true,
      groupsOffered: groupsOffered === true,
      groups: (stored?.mention.groups.length ?? 0) > 0,
      agreement: agreement.draw(shown, content.rule.channel ?? ''),
      unruled: asksToKeep ? relay.notable : undefined,
    });
    const span = chosenSpan(state);
    const keepsPosting = read === undefined || isKeeping(read.values);
    const preview = entered
      ? await enteredPreview(context, relay, entered, { span, keepsPosting, stored })
      : [richText(`Fill in ${labelsOf(fields, read?.errors ?? {})} to preview what it would have posted.`)];
    return [
      ...(entered ? [richText(ruleSentence(entered, await cachedRuleNames(context, [entered]))), divider] : []),
      ...fields,
      ...[divider, ...preview, previewActions(span)],
    ] satisfies Block[];
  },
  check(entered, problem, { keys, deps }) {
    const url = entered.values['workflow.url'] ?? '';
    const isMissing = deps.workflows.idOf(url) === undefined && !(keys.kept && url.trim() === '');
    if (actionOf(entered) === 'workflow' && isMissing) {
      problem('workflow.url', noTriggerText);
    }
  },
  stays: () => true,
  async prepare(context, values) {
    const { metadata: keys, deps, actor } = context;
    const stored = ruleIn((await relayOf(context, keys.relay)).relay.settings, keys.id);
    const { channel } = values;
    if (channel !== '') {
      // An unchanged channel needs no new agreement: its readers outside the organization were agreed to before.
      const isAgreed = values.isAgreed || stored?.channel === channel;
      await enterFormChannel(context, channel, { isAgreed });
    }
    // The trigger is stored first: a scan may start the workflow as soon as the rule is there.
    const url = values.values['workflow.url'] ?? '';
    const trigger = actionOf(values) === 'workflow' ? deps.workflows.idOf(url) : undefined;
    if (trigger !== undefined) {
      await deps.workflows.storeUrl(actor.owner, url);
    }
    const anyId = () => deps.random.bytes(9).toString('base64url');
    return { ...values, trigger, ids: { rule: keys.id ?? anyId(), others: anyId() } };
  },
  change(settings, values, { id }, unruled) {
    if (id === undefined && settings.rules.length >= mostRules) {
      throw new FormProblem(`Not saved: a relay has at most ${mostRules} rules.`);
    }
    const ids = values.ids!;
    const changed = ruleOf(values, ruleIn(settings, ids.rule), ids.rule);
    return withRule(settings, changed, isKeeping(values) ? { unruled, id: ids.others } : undefined);
  },
  async here(context, relay, { ids }) {
    const saved = ruleIn(relay.settings, ids!.rule);
    const preview = await previewedPosts(context, relay, relay.settings);
    return saved && ruleSavedView(saved, relay.settings, { preview, now: context.deps.clock.now() });
  },
});

function newRule({ channel }: Relay): Rule {
  return ruleSchema.parse({ id: newId, when: initialCondition, channel });
}

/** The entered rule, once it is complete. A workflow's URL is not needed to preview when it would start. */
function enteredRule({ values, errors }: Read<EnteredRule>, stored: Rule | undefined): Rule | undefined {
  const isComplete = Object.keys(errors).every((name) => name === ruleForm.nameOf('workflow.url'));
  return isComplete ? ruleOf({ trigger: newId, ...values }, stored, stored?.id ?? newId) : undefined;
}

/** Whether the relay goes on posting, beside its first rule, what it posts without rules. */
function isKeeping({ values }: EnteredRule): boolean {
  return (values['others.all'] ?? values['others.invalid']) !== 'only';
}

/** Adds a line of the kind, or removes the line with the number, that is the button's value. */
const ruleLines = action(['relay.rule.line.add', 'relay.rule.line.except', 'relay.rule.line.remove'], {
  role: 'manager',
  data: z.string(),
  metadata: ruleMetadata,
  run: (context) =>
    context.deps.rerenders.draw(context, () => {
      const { data, metadata, inside } = context;
      const before = metadata.lines ?? linesFor(shownConditions(undefined));
      const isLine = /^\d+$/.test(data);
      // The number of a removed line may be given again.
      if (isLine) context.deps.rerenders.forget(inside.view.id);
      const lines = isLine ? removeLine(before, Number(data)) : addLine(before, data === 'unless' ? 'unless' : 'when');
      return rule.redrawn({ ...context, view: inside.view, metadata: { ...metadata, lines } });
    }),
});

const ruleTested = action('relay.rule.test', {
  role: 'manager',
  metadata: ruleMetadata,
  run: (context) =>
    context.deps.rerenders.draw(context, async () => {
      const { metadata, inside } = context;
      const notice = await testWorkflow(context, { relay: metadata.relay, rule: metadata.id }, inside.view);
      return rule.redrawn({ ...context, view: inside.view }, { notice: { ...notice, field: 'test' } });
    }),
});

export const ruleFormListeners: readonly Listener[] = [ruleLines, ruleTested];
