/** Listeners of the rule form: its lines, the workflow's test, and saving, once Scandesk can post in the channel. */
import type { ViewOutput } from '@slack/bolt';
import { z } from 'zod';
import type { RelaySettings } from '../../../../relay/index.js';
import { enterChannel } from '../../../bolt/channels.js';
import { savingView } from '../../../bolt/problem/loading.js';
import type { ViewContext } from '../../../bolt/routing/context.js';
import { action, type Listener, modal } from '../../../bolt/routing/listeners.js';
import { refreshBelow } from '../../../bolt/routing/modal-below.js';
import {
  EditConflictError,
  FormProblem,
  type FormScope,
  missingFields,
  moreAction,
} from '../../../forms/settings-form.js';
import { formStateIn } from '../../../forms/view-state.js';
import { relayOf } from '../../load-views.js';
import { refreshRelay, saved } from '../flow.js';
import { changeSettings } from '../save.js';
import { type RuleForm, ruleFormModal, withRule } from './load-rule-form.js';
import { rulesModal } from './load-rules.js';
import { readRule } from './read-rule.js';
import { shownRule } from './rule-content.js';
import { ruleMetadata } from './rule-form.js';
import { addLine, removeLine } from './rule-lines.js';
import { mostRules, ruleSavedView } from './rules-view.js';
import { testWorkflow } from './test-workflow.js';
import type { TestResult } from './workflow-fields.js';

function ruleRerendered(
  context: Parameters<typeof ruleFormModal>[0],
  { relay, id, more, page, seen, lines }: z.output<typeof ruleMetadata>,
  view: ViewOutput,
  options: { readonly expanded?: boolean; readonly problem?: string; readonly tested?: TestResult } = {},
) {
  const { expanded = false, ...shown } = options;
  return ruleFormModal(context, { relay, id, page, view, seen, lines, more: more === true || expanded, ...shown });
}

export const rule = {
  id: 'relay.rule',
  metadata: ruleMetadata,
  redrawn: (
    context: FormScope & { readonly view: ViewOutput; readonly metadata: z.output<typeof ruleMetadata> },
    { clicked }: { readonly clicked?: string } = {},
  ) => ruleRerendered(context, context.metadata, context.view, { expanded: clicked === moreAction }),
};

/** Adds a line of the kind, or removes the line with the number, that is the button's value. */
const ruleLines = action(['relay.rule.line.add', 'relay.rule.line.except', 'relay.rule.line.remove'], {
  role: 'manager',
  data: z.string(),
  metadata: ruleMetadata,
  run: (context) =>
    context.deps.rerenders.draw(context, () => {
      const { data, metadata } = context;
      const before = metadata.lines;
      const isLine = /^\d+$/.test(data);
      const lines = isLine ? removeLine(before, Number(data)) : addLine(before, data === 'unless' ? 'unless' : 'when');
      return ruleRerendered(context, { ...metadata, lines }, context.inside.view);
    }),
});

const ruleTested = action('relay.rule.test', {
  role: 'manager',
  metadata: ruleMetadata,
  run: (context) =>
    context.deps.rerenders.draw(context, async () => {
      const { metadata, inside } = context;
      const { relay, id: rule } = metadata;
      const tested = await testWorkflow(context, { relay, rule }, inside.view);
      return ruleRerendered(context, metadata, inside.view, { tested });
    }),
});

const ruleSubmitted = modal('relay.rule', {
  role: 'manager',
  metadata: ruleMetadata,

  fields({ deps, view, metadata }) {
    const triggers = { ...deps.workflows, isSet: metadata.kept === true };
    const read = readRule(formStateIn(view), metadata.lines, triggers);
    return 'errors' in read
      ? read
      : { show: savingView(metadata.id === undefined ? 'New rule' : 'Edit rule'), input: read };
  },

  redraw: (context) => ruleRerendered(context, context.metadata, context.view, { problem: missingFields }),

  async run(context, { change, channel, url, sharedIsFine, keepsPosting }) {
    const { relay, id, page, more = false, seen: version, lines } = context.metadata;
    const redraw = async (problem: string, shared = false, on: Pick<RuleForm, 'seen'> = { seen: version }) => {
      await context.modal.show(
        await ruleFormModal(context, { relay, id, page, more, lines, view: context.view, problem, shared, ...on }),
      );
    };
    const { relay: unruled } = await relayOf(context, relay);
    const ruleBefore = unruled.settings.rules.find((rule) => rule.id === id);
    // An unchanged channel needs no new agreement: its readers outside the organization were agreed to before.
    const refusal =
      channel === ''
        ? undefined
        : await channelProblem(context, channel, sharedIsFine || ruleBefore?.channel === channel);
    if (refusal) {
      return redraw(refusal.line, refusal.shared);
    }
    const ruleId = id ?? newRuleId(context);
    const firstRule = keepsPosting ? { unruled, id: newRuleId(context) } : undefined;
    try {
      const apply = (settings: RelaySettings): RelaySettings => {
        if (id === undefined && settings.rules.length >= mostRules) {
          throw new FormProblem(`Not saved: a relay has at most ${mostRules} rules.`);
        }
        return withRule(settings, change, ruleId, firstRule);
      };
      // The trigger is stored first: a scan may start the workflow as soon as the rule is there.
      if (url !== undefined) {
        await context.deps.workflows.storeUrl(context.actor.owner, url);
      }
      const updated = await changeSettings(context, relay, 'relay/rules', apply, { part: shownRule(id), version });
      const rule = updated.settings.rules.find((each) => each.id === ruleId);
      await refreshBelow(context, context.view.previous_view_id, () =>
        rulesModal(context, relay, { page, done: saved }),
      );
      await refreshRelay(context, context.view, relay);
      if (rule) {
        await context.modal.show(
          ruleSavedView(rule, updated.settings, {
            preview: await context.deps.relayStatus.preview(updated, updated.settings),
            now: context.deps.clock.now(),
          }),
        );
      }
    } catch (error) {
      if (error instanceof FormProblem) {
        return redraw(error.message, false, error instanceof EditConflictError ? {} : undefined);
      }
      throw error;
    }
  },
});

/** The reason why Scandesk cannot post in the channel, or needs agreement first. Joins a public channel if it can. */
async function channelProblem(
  { client, deps, reference }: ViewContext,
  channel: string,
  sharedIsFine: boolean,
): Promise<{ readonly line: string; readonly shared?: boolean } | undefined> {
  const enteredChannel = await enterChannel(client, channel, { sharedIsFine });
  if (enteredChannel.ok) {
    return undefined;
  }
  if (enteredChannel.shared) {
    return {
      line: 'This channel is shared with another organization, and its people can read every post. To post there, check the box below.',
      shared: true,
    };
  }
  if (enteredChannel.cause !== undefined) {
    deps.log.warn({ err: enteredChannel.cause, reference }, 'a channel could not be used for a rule');
  }
  return { line: enteredChannel.line };
}

function newRuleId({ deps }: ViewContext): string {
  return deps.random.bytes(9).toString('base64url');
}

export const ruleFormListeners: readonly Listener[] = [ruleLines, ruleTested, ruleSubmitted];
