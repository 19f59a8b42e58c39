/**
 * Submitting and closing modals: client-side validation, the view_submission or view_closed to the app, and the effect
 * of the app's response on the modal stack.
 */
import { z } from 'zod';
import type { SubmitRequest, SubmitResult } from '../api.js';
import type { CheckedView } from '../blocks/check.js';
import type { Json } from '../choice.js';
import type { Core } from '../core.js';
import { inputErrors } from '../inputs.js';
import { SandboxRefusal, SlackRefusal } from '../refusal.js';
import { stateAfter } from '../state.js';
import { type ViewRecord, viewAsSlack } from '../views.js';
import { judgeView } from '../web/views.js';
import { type Actor, actableView, offeredKey, requireApp, surroundings } from './who.js';

export interface Forms {
  submit(actor: Actor, request: Omit<SubmitRequest, 'as'>): Promise<SubmitResult>;
  close(actor: Actor, request: { view_id: string; all?: boolean | undefined }): Promise<void>;
}

const answerSchema = z.discriminatedUnion('response_action', [
  z.strictObject({
    response_action: z.literal('errors'),
    errors: z
      .record(z.string(), z.string().min(1))
      .refine((errors) => Object.keys(errors).length > 0, 'errors must name at least one block'),
  }),
  z.strictObject({ response_action: z.literal('update'), view: z.unknown() }),
  z.strictObject({ response_action: z.literal('push'), view: z.unknown() }),
  z.strictObject({ response_action: z.literal('clear') }),
]);

type Answer = z.output<typeof answerSchema>;

export function createForms(core: Core): Forms {
  const reportTrouble = (actor: Actor, why: string): SubmitResult => {
    core.streams.tell(actor.person.id, { type: 'notice', text: 'We had some trouble connecting. Try again?' });
    return { ok: false, error: 'trouble_connecting', why };
  };

  /** The response URLs of selects with `response_url_enabled`. */
  const responseUrls = (actor: Actor, record: ViewRecord) =>
    record.view.blocks.flatMap((block) => {
      const element = block.element as Json | undefined;
      if (block.type !== 'input' || element?.response_url_enabled !== true) {
        return [];
      }
      const entry = record.state[block.block_id]?.[String(element.action_id)];
      const channel = entry?.selected_conversation ?? entry?.selected_channel;
      if (typeof channel !== 'string') {
        return [];
      }
      const path = core.responseUrls.make({ team: actor.team.id, user: actor.person.id, channel, kind: 'submission' });
      return [
        {
          block_id: block.block_id,
          action_id: element.action_id,
          channel_id: channel,
          response_url: `${core.origin()}${path}`,
        },
      ];
    });

  const closeView = (actor: Actor, record: ViewRecord): SubmitResult => {
    if (core.views.stack(actor.person.id).at(-1) === record) {
      core.views.pop(actor.person.id);
    }
    return { ok: true, response_action: 'close' };
  };

  const applyAnswer = (actor: Actor, record: ViewRecord, answer: Answer): SubmitResult => {
    const install = core.world.installOf(actor.team.id);
    const checkedView = (view: unknown): CheckedView =>
      judgeView({ core, team: actor.team, install: install! }, view, 'modal');
    switch (answer.response_action) {
      case 'errors': {
        const inputs = new Set(record.view.blocks.filter((one) => one.type === 'input').map((one) => one.block_id));
        const unknownIds = Object.keys(answer.errors).filter((id) => !inputs.has(id));
        if (unknownIds.length > 0) {
          return reportTrouble(actor, `errors name blocks that are not inputs of this view: ${unknownIds.join(', ')}`);
        }
        record.errors = answer.errors;
        return { ok: true, response_action: 'errors', errors: answer.errors };
      }
      case 'update':
        core.views.update(record, checkedView(answer.view));
        return { ok: true, response_action: 'update' };
      case 'push':
        core.views.push(
          {
            team: actor.team.id,
            user: actor.person.id,
            ...(record.channel === undefined ? {} : { channel: record.channel }),
          },
          checkedView(answer.view),
        );
        return { ok: true, response_action: 'push' };
      case 'clear':
        core.views.clear(actor.person.id);
        return { ok: true, response_action: 'clear' };
    }
  };

  return {
    async submit(actor, request) {
      requireApp(core, actor);
      const record = actableView(core, actor, request.view_id);
      if (record.view.type !== 'modal' || record.view.submit === undefined) {
        throw new SandboxRefusal(400, 'no_submit', 'this view has no submit button');
      }
      const formSurroundings = surroundings(
        core,
        actor,
        (blockId, actionId) => record.offered.get(offeredKey(blockId, actionId)) ?? [],
      );
      record.state = stateAfter(record.view.blocks, record.state, request.values, formSurroundings);
      const errors = inputErrors(record.view.blocks, record.state);
      if (Object.keys(errors).length > 0) {
        record.errors = errors;
        return { ok: false, error: 'invalid_input', response_action: 'errors', errors };
      }
      record.errors = undefined;
      const response = await core.outbound.interaction(actor.team, actor.person, {
        type: 'view_submission',
        trigger_id: core.triggers.make({
          team: actor.team.id,
          user: actor.person.id,
          view: record.id,
          ...(record.channel === undefined ? {} : { channel: record.channel }),
        }),
        view: viewAsSlack(record, actor.team, core),
        response_urls: responseUrls(actor, record),
      });
      if (!response.ok) {
        return reportTrouble(actor, response.error);
      }
      try {
        const answer = readAnswer(response.body);
        return answer === undefined ? closeView(actor, record) : applyAnswer(actor, record, answer);
      } catch (thrown) {
        if (thrown instanceof SlackRefusal) {
          return reportTrouble(actor, `${thrown.error} ${JSON.stringify(thrown.details)}`);
        }
        throw thrown;
      } finally {
        core.streams.tell(actor.person.id, { type: 'views' });
      }
    },

    async close(actor, request) {
      const stack = core.views.stack(actor.person.id);
      const record = stack.at(-1);
      if (!record || record.id !== request.view_id) {
        throw new SandboxRefusal(404, 'view_not_found', 'only the view in front can be closed');
      }
      const closesAll = request.all === true || record.view.clear_on_close === true;
      const closedViews = closesAll ? stack : [record];
      if (closesAll) {
        core.views.clear(actor.person.id);
      } else {
        core.views.pop(actor.person.id);
      }
      core.streams.tell(actor.person.id, { type: 'views' });
      for (const view of closedViews.filter((one) => one.view.notify_on_close === true)) {
        await core.outbound.interaction(actor.team, actor.person, {
          type: 'view_closed',
          view: viewAsSlack(view, actor.team, core),
          is_cleared: closesAll,
        });
      }
    },
  };
}

/**
 * Parses the app's response; `undefined` for an empty body and for `{}`, which some frameworks send for an empty one.
 * @throws SlackRefusal where Slack's client shows "trouble connecting"
 */
function readAnswer(body: string): Answer | undefined {
  if (body.trim() === '') {
    return undefined;
  }
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new SlackRefusal('invalid_answer', { why: 'the answer is not JSON' });
  }
  if (typeof value === 'object' && value !== null && Object.keys(value).length === 0) {
    return undefined;
  }
  const parsed = answerSchema.safeParse(value);
  if (!parsed.success) {
    throw new SlackRefusal('invalid_answer', { why: parsed.error.issues.map((issue) => issue.message).join('; ') });
  }
  return parsed.data;
}
