/**
 * Owns the one way from Slack's request to a listener: acknowledge at once, find whose workspace it is, check the
 * permission, run, and tell the person when something went wrong. Refuses silence: a command, click or form always
 * gets an answer, also when no listener knows it.
 */
import type { App, BlockAction, CodedError, Context } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { problemView } from './blocks/problem.js';
import type {
  ActionContext,
  CommandContext,
  EventContext,
  Handler,
  ListenerDeps,
  OptionsHandler,
  ShortcutContext,
  ViewHandler,
} from './context.js';
import {
  type OptionsArgs,
  onAction,
  onCommand,
  onOptions,
  onShortcut,
  onView,
  type ShortcutArgs,
  type Unchecked,
  type ViewArgs,
} from './dispatch.js';
import { SlackRoomError } from './errors.js';
import { createTroubles, type Outcome } from './trouble.js';

export interface Registry {
  readonly deps: ListenerDeps;
  command(name: `/${string}`, run: (context: Unchecked<CommandContext>) => Promise<void>): void;
  action(actionId: string, handler: Handler<ActionContext>): void;
  view<Input>(callbackId: string, handler: ViewHandler<Input>): void;
  shortcut(callbackId: string, handler: Handler<ShortcutContext>): void;
  options(actionId: string, handler: OptionsHandler): void;
  event(type: string, run: (context: EventContext) => Promise<void>): void;
  /** What was registered: the manifest is held against it. */
  readonly registered: Readonly<
    Record<'commands' | 'actions' | 'views' | 'shortcuts' | 'options' | 'events', ReadonlySet<string>>
  >;
  /** Call once, after everything is registered. */
  finish(): void;
  /** Resolves when nothing is being worked on any more. */
  settled(): Promise<void>;
}

type OutsideError = { readonly error: CodedError; readonly body: unknown };

type EventArgs = { event: unknown; body: unknown; context: Context; client: WebClient };

type Kind = 'command' | 'action' | 'view' | 'event' | 'options' | 'shortcut';

export function createRegistry(app: App, deps: ListenerDeps): Registry {
  const troubles = createTroubles(deps);
  const registered = {
    commands: new Set<string>(),
    actions: new Set<string>(),
    views: new Set<string>(),
    shortcuts: new Set<string>(),
    options: new Set<string>(),
    events: new Set<string>(),
  };
  const busy = new Set<Promise<unknown>>();

  async function track(kind: Kind, work: Promise<Outcome>): Promise<void> {
    busy.add(work);
    let outcome: Outcome = 'failed';
    try {
      outcome = await work;
    } finally {
      busy.delete(work);
      deps.metrics.slackRequests.inc({ kind, outcome });
    }
  }

  function once(set: Set<string>, name: string): void {
    if (set.has(name)) {
      throw new Error(`${name} has a listener already`);
    }
    set.add(name);
  }

  return {
    deps,
    registered,

    command(name, run) {
      once(registered.commands, name);
      app.command(name, (args) => track('command', onCommand(args, deps, troubles, run)));
    },

    action(actionId, handler) {
      once(registered.actions, actionId);
      app.action<BlockAction>({ type: 'block_actions', action_id: actionId }, (args) =>
        track('action', onAction(args, deps, troubles, handler)),
      );
    },

    view(callbackId, handler) {
      once(registered.views, callbackId);
      app.view(callbackId, (args) => track('view', onView(args as ViewArgs, deps, troubles, handler)));
    },

    shortcut(callbackId, handler) {
      once(registered.shortcuts, callbackId);
      app.shortcut(callbackId, (args) => track('shortcut', onShortcut(args as ShortcutArgs, deps, troubles, handler)));
    },

    options(actionId, handler) {
      once(registered.options, actionId);
      app.options(actionId, (args) => track('options', onOptions(args as OptionsArgs, deps, troubles, handler)));
    },

    event(type, run) {
      once(registered.events, type);
      app.event(type, ({ event, body, context, client }) => track('event', onEvent({ event, body, context, client })));

      async function onEvent(args: EventArgs): Promise<Outcome> {
        const reference = troubles.newReference();
        try {
          const envelope = eventEnvelope.parse(args.body);
          const { isEnterpriseInstall, teamId, enterpriseId } = args.context;
          await run({
            deps,
            event: args.event,
            eventId: envelope.event_id,
            happenedAt: envelope.event_time * 1000,
            isEnterpriseInstall,
            ...(teamId ? { teamId } : {}),
            ...(enterpriseId ? { enterpriseId } : {}),
            client: args.client,
            reference,
          });
          return 'ok';
        } catch (error) {
          // Nobody waits for an answer to an event; the log is where it is told.
          troubles.record(error, reference, type);
          return 'failed';
        }
      }
    },

    finish() {
      app.command(/.*/, async (args) => {
        if (registered.commands.has(args.command.command)) return;
        await track('command', onCommand(args, deps, troubles, unknownPart));
      });
      app.action<BlockAction>({ type: 'block_actions', action_id: /.*/ }, async (click) => {
        if (registered.actions.has(click.action.action_id)) return;
        const isLink = 'url' in click.action && click.action.url !== undefined;
        if (isLink || registered.options.has(click.action.action_id)) {
          // Slack tells of links and of choices in a form as well; both only want their acknowledgement.
          await click.ack();
          return;
        }
        await track('action', onAction(click, deps, troubles, { who: 'everyone', run: unknownPart }));
      });
      app.view({ type: 'view_submission', callback_id: /.*/ }, async (args) => {
        if (registered.views.has(args.view.callback_id)) return;
        const view = problemView(new SlackRoomError('slack.state', 'unknown form'), troubles.newReference());
        await (args as ViewArgs).ack({ response_action: 'update', view });
      });
      app.view({ type: 'view_closed', callback_id: /.*/ }, async ({ ack }) => ack());
      app.shortcut(/.*/, async (args) => {
        if (registered.shortcuts.has(args.shortcut.callback_id)) return;
        const handler = { who: 'everyone', run: unknownPart } as const;
        await track('shortcut', onShortcut(args as ShortcutArgs, deps, troubles, handler));
      });
      app.options(/.*/, async (args) => {
        if (registered.options.has(args.payload.action_id)) return;
        await (args as OptionsArgs).ack({ options: [] });
      });
      // With `extendedErrorHandler` Bolt hands over the body too, which its types do not tell.
      app.error(((error: OutsideError) => troubles.outside(error)) as unknown as Parameters<App['error']>[0]);
    },

    async settled() {
      await Promise.allSettled([...busy]);
    },
  };
}

function unknownPart(): Promise<never> {
  return Promise.reject(new SlackRoomError('slack.state', 'nothing here knows this request'));
}

const eventEnvelope = z.object({ event_id: z.string(), event_time: z.number() });
