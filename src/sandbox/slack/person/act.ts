/**
 * Clicks and choices: checks that the element exists and offers the choice, then sends the app its block_actions or
 * block_suggestion.
 */
import { z } from 'zod';
import type { ActionRequest, ActionResult, OptionsRequest } from '../api.js';
import { option, optionGroup } from '../blocks/composition.js';
import { type Json, type Option, optionsOf } from '../choice.js';
import type { Core } from '../core.js';
import { messageAsSlack } from '../messages.js';
import { SandboxRefusal } from '../refusal.js';
import { entryOf, findElement, type GivenValues, isStateful, type StateValues, stateAfter } from '../state.js';
import { viewAsSlack } from '../views.js';
import type { Block } from '../world/records.js';
import { type ActionTarget, type Actor, offeredKey, surroundings, targetIn } from './who.js';

export interface Acting {
  act(actor: Actor, request: ActionRequest): Promise<ActionResult>;
  options(actor: Actor, request: OptionsRequest): Promise<{ options?: unknown; option_groups?: unknown }>;
}

const offeredOptionsSchema = z
  .strictObject({
    options: z.array(option).max(100).optional(),
    option_groups: z.array(optionGroup).max(100).optional(),
  })
  .refine((answer) => (answer.options === undefined) !== (answer.option_groups === undefined));

/** The most offered options that a select remembers, and the most selects in messages that remember some. */
const mostRemembered = 2000;

export function createActing(core: Core): Acting {
  /** The options offered by external selects in messages; a view stores its own. */
  const offeredBy = new Map<string, readonly Option[]>();
  const keyOf = (found: ActionTarget, blockId: string, actionId: string) =>
    found.type === 'view'
      ? offeredKey(blockId, actionId)
      : offeredKey(found.channel.id, found.message.ts, blockId, actionId);
  const offeredStoreOf = (found: ActionTarget) => (found.type === 'view' ? found.view.offered : offeredBy);
  const blocksOf = (found: ActionTarget): readonly Block[] =>
    found.type === 'view' ? found.view.view.blocks : allBlocks(found.message);
  const surroundingsOf = (actor: Actor, found: ActionTarget) =>
    surroundings(core, actor, (blockId, actionId) => offeredStoreOf(found).get(keyOf(found, blockId, actionId)) ?? []);

  /** The container as payloads describe it, with its view or message. */
  const payloadOf = (actor: Actor, target: ActionTarget, state: StateValues): Record<string, unknown> => {
    if (target.type === 'view') {
      return {
        container: { type: 'view', view_id: target.view.id },
        view: viewAsSlack(target.view, actor.team, core),
      };
    }
    const { message, channel } = target;
    const ephemeral = message.ephemeral_for !== undefined;
    return {
      container: {
        type: 'message',
        message_ts: message.ts,
        channel_id: channel.id,
        is_ephemeral: ephemeral,
        ...(message.thread_ts === undefined ? {} : { thread_ts: message.thread_ts }),
      },
      channel: {
        id: channel.id,
        name: channel.is_im ? 'directmessage' : channel.is_private ? 'privategroup' : channel.name,
      },
      // An ephemeral message is left out: Slack does not store such a message, and cannot include it.
      ...(ephemeral ? {} : { message: messageAsSlack(core, message) }),
      state: { values: state },
    };
  };

  const elementIn = (found: ActionTarget, blockId: string, actionId: string): { block: Block; element: Json } => {
    const element = findElement(blocksOf(found), blockId, actionId);
    if (!element) {
      throw new SandboxRefusal(404, 'no_such_element', `no element ${actionId} in a block ${blockId}`);
    }
    return element;
  };

  return {
    async act(actor, request) {
      const target = targetIn(core, actor, request.container);
      const { block, element } = elementIn(target, request.block_id, request.action_id);
      if (block.type === 'input' && block.dispatch_action !== true) {
        throw new SandboxRefusal(
          400,
          'does_not_dispatch',
          'this input sends nothing to the app before it is submitted',
        );
      }
      const surroundings = surroundingsOf(actor, target);
      const choice = chosenBy(element, request, () =>
        entryOf(element, block.block_id, request.chosen ?? null, surroundings),
      );
      const givenValues: GivenValues = {
        ...request.values,
        ...(isStateful(element)
          ? { [block.block_id]: { ...request.values?.[block.block_id], [request.action_id]: choice } }
          : {}),
      };
      const stateBefore = target.type === 'view' ? target.view.state : {};
      const state = stateAfter(blocksOf(target), stateBefore, valuesIn(blocksOf(target), givenValues), surroundings);
      if (target.type === 'view') {
        target.view.state = state;
        core.views.save(target.view);
      }
      const stamp = core.world.stamp();
      const place = { team: actor.team.id, user: actor.person.id };
      const inChannel = target.type === 'message' ? { channel: target.channel.id } : {};
      const inView = target.type === 'view' && target.view.view.type === 'modal' ? { view: target.view.id } : {};
      const answer = await core.outbound.interaction(actor.team, actor.person, {
        type: 'block_actions',
        trigger_id: core.triggers.make({ ...place, ...inChannel, ...inView }),
        ...payloadOf(actor, target, state),
        ...(target.type === 'message'
          ? {
              response_url: `${core.origin()}${core.responseUrls.make({
                ...place,
                channel: target.channel.id,
                kind: 'click',
                message: {
                  ts: target.message.ts,
                  ...(target.message.thread_ts === undefined ? {} : { thread_ts: target.message.thread_ts }),
                },
              })}`,
            }
          : {}),
        actions: [{ ...actionBase(element, block), ...choice, action_ts: stamp }],
      });
      return answer.ok ? { ok: true } : { ok: false, error: answer.error };
    },

    async options(actor, request) {
      const target = targetIn(core, actor, request.container);
      const { block, element } = elementIn(target, request.block_id, request.action_id);
      if (element.type !== 'external_select' && element.type !== 'multi_external_select') {
        throw new SandboxRefusal(400, 'not_external', `a ${element.type} loads no options from the app`);
      }
      if (request.value.length < Number(element.min_query_length ?? 3)) {
        return { options: [] };
      }
      const answer = await core.outbound.options(actor.team, actor.person, {
        type: 'block_suggestion',
        action_id: request.action_id,
        block_id: block.block_id,
        value: request.value,
        ...payloadOf(actor, target, target.type === 'view' ? target.view.state : {}),
      });
      if (!answer.ok) {
        throw new SandboxRefusal(502, answer.error, 'the app did not offer options in time');
      }
      const parsed = offeredOptionsSchema.safeParse(parseJson(answer.body));
      if (!parsed.success) {
        throw new SandboxRefusal(502, 'invalid_options', parsed.error.issues.map((issue) => issue.message).join('; '));
      }
      const key = keyOf(target, block.block_id, request.action_id);
      const fresh = optionsOf(parsed.data) as readonly Option[];
      offeredStoreOf(target).set(key, [...fresh, ...(offeredStoreOf(target).get(key) ?? [])].slice(0, mostRemembered));
      if (offeredBy.size > mostRemembered) {
        offeredBy.delete(offeredBy.keys().next().value!);
      }
      return parsed.data;
    },
  };
}

/** The blocks of the message and of its attachments. */
function allBlocks(message: { blocks?: readonly Block[]; attachments?: readonly unknown[] }): readonly Block[] {
  const attached = (message.attachments ?? []).flatMap((one) => (one as { blocks?: readonly Block[] }).blocks ?? []);
  return [...(message.blocks ?? []), ...attached];
}

function chosenBy(element: Json, request: ActionRequest, entry: () => Json): Json {
  if (element.type === 'button') {
    return {};
  }
  if (element.type === 'overflow') {
    const wanted = (request.chosen?.selected_option as Partial<Option> | undefined)?.value;
    const found = optionsOf(element).find((one) => one.value === wanted);
    if (!found) {
      throw new SandboxRefusal(400, 'not_offered', `this menu has no ${JSON.stringify(wanted)}`);
    }
    return { selected_option: found };
  }
  return entry();
}

/** The fields of an action besides the choice. */
function actionBase(element: Json, block: Block): Record<string, unknown> {
  const copiedFields = [
    'text',
    'value',
    'style',
    'placeholder',
    'initial_option',
    'initial_options',
    'initial_date',
    'initial_time',
  ];
  return {
    type: element.type,
    block_id: block.block_id,
    action_id: element.action_id,
    ...Object.fromEntries(
      copiedFields.filter((name) => element[name] !== undefined).map((name) => [name, element[name]]),
    ),
  };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

/** The values of elements that are in the blocks: a person may act on a page that does not show an update yet. */
function valuesIn(blocks: readonly Block[], givenValues: GivenValues): GivenValues {
  return Object.fromEntries(
    Object.entries(givenValues).map(([blockId, byAction]) => [
      blockId,
      Object.fromEntries(Object.entries(byAction).filter(([actionId]) => findElement(blocks, blockId, actionId))),
    ]),
  );
}
