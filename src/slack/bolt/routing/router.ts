/**
 * The router from Slack's requests to listeners: acknowledges, finds the workspace, checks the permission, runs.
 * Every command, click or form gets an answer, also on an error or without a listener.
 */
import type { App, BlockAction, CodedError, Context } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { SlackError } from '../errors.js';
import { inWorkspace } from '../people/workspace.js';
import { createErrorReporter, type RequestOutcome } from '../problem/answer-error.js';
import { problemView } from '../problem/problem.js';
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
} from './handlers.js';

export interface Router {
  readonly deps: ListenerDeps;
  command(name: `/${string}`, run: (context: Unchecked<CommandContext>) => Promise<void>): void;
  action(actionId: string, handler: Handler<ActionContext>): void;
  view<Input>(callbackId: string, handler: ViewHandler<Input>): void;
  shortcut(callbackId: string, handler: Handler<ShortcutContext>): void;
  options(actionId: string, handler: OptionsHandler): void;
  event(type: string, run: (context: EventContext) => Promise<void>): void;
  /** What was registered; compared with the manifest. */
  readonly registered: Readonly<
    Record<'commands' | 'actions' | 'views' | 'shortcuts' | 'options' | 'events', ReadonlySet<string>>
  >;
  /** Call once, after everything is registered. */
  finish(): void;
  /** Resolves when no request is in progress. */
  settled(): Promise<void>;
}

type OutsideError = { readonly error: CodedError; readonly body: unknown };

type EventArgs = { event: unknown; body: unknown; context: Context; client: WebClient };

type Kind = 'command' | 'action' | 'view' | 'event' | 'options' | 'shortcut';

export function createRouter(app: App, deps: ListenerDeps): Router {
  const reporter = createErrorReporter(deps);
  // Bolt runs every one of its listeners for each request: it gets one per kind, and the handler is found here.
  const commands = new Map<string, (context: Unchecked<CommandContext>) => Promise<void>>();
  const actions = new Map<string, Handler<ActionContext>>();
  const views = new Map<string, ViewHandler<unknown>>();
  const shortcuts = new Map<string, Handler<ShortcutContext>>();
  const options = new Map<string, OptionsHandler>();
  const events = new Set<string>();
  const busy = new Set<Promise<unknown>>();

  function inItsWorkspace<Args extends Parameters<typeof inWorkspace>[0]>(args: Args): Args {
    return inWorkspace(args, deps.clients);
  }

  async function track(kind: Kind, work: Promise<RequestOutcome>): Promise<void> {
    busy.add(work);
    let outcome: RequestOutcome = 'failed';
    try {
      outcome = await work;
    } finally {
      busy.delete(work);
      deps.metrics.slackRequests.inc({ kind, outcome });
    }
  }

  function assertNew(known: { has(name: string): boolean }, name: string): void {
    if (known.has(name)) {
      throw new Error(`${name} has a listener already`);
    }
  }

  return {
    deps,

    get registered() {
      const names = (known: ReadonlyMap<string, unknown>) => new Set(known.keys());
      return {
        commands: names(commands),
        actions: names(actions),
        views: names(views),
        shortcuts: names(shortcuts),
        options: names(options),
        events,
      };
    },

    command(name, run) {
      assertNew(commands, name);
      commands.set(name, run);
    },

    action(actionId, handler) {
      assertNew(actions, actionId);
      actions.set(actionId, handler);
    },

    view(callbackId, handler) {
      assertNew(views, callbackId);
      views.set(callbackId, handler as ViewHandler<unknown>);
    },

    shortcut(callbackId, handler) {
      assertNew(shortcuts, callbackId);
      shortcuts.set(callbackId, handler);
    },

    options(actionId, handler) {
      assertNew(options, actionId);
      options.set(actionId, handler);
    },

    event(type, run) {
      assertNew(events, type);
      events.add(type);
      app.event(type, ({ event, body, context, client }) =>
        track('event', onEvent(inItsWorkspace({ event, body, context, client }))),
      );

      async function onEvent(args: EventArgs): Promise<RequestOutcome> {
        const reference = reporter.newReference();
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
          // Nobody waits for an answer to an event.
          reporter.record(error, reference, type);
          return 'failed';
        }
      }
    },

    finish() {
      app.command(/.*/, (args) =>
        track(
          'command',
          onCommand(
            inItsWorkspace(args),
            deps,
            reporter,
            commands.get(args.command.command) ?? rejectUnknown(args.command.command),
          ),
        ),
      );
      app.action<BlockAction>({ type: 'block_actions', action_id: /.*/ }, async (click) => {
        const handler = actions.get(click.action.action_id);
        const isLink = 'url' in click.action && click.action.url !== undefined;
        if (!handler && (isLink || options.has(click.action.action_id))) {
          // Slack also sends clicks on links and choices in forms: they only need an acknowledgement.
          await click.ack();
          return;
        }
        await track(
          'action',
          onAction(inItsWorkspace(click), deps, reporter, handler ?? unknown(click.action.action_id)),
        );
      });
      app.view({ type: 'view_submission', callback_id: /.*/ }, async (args) => {
        const handler = views.get(args.view.callback_id);
        if (handler) {
          await track('view', onView(inItsWorkspace(args as ViewArgs), deps, reporter, handler));
          return;
        }
        const error = new SlackError('slack.state', `unknown callback_id: ${args.view.callback_id}`);
        const reference = reporter.newReference();
        reporter.record(error, reference, args.view.callback_id);
        await (args as ViewArgs).ack({ response_action: 'update', view: problemView(error, reference) });
      });
      app.view({ type: 'view_closed', callback_id: /.*/ }, async ({ ack }) => ack());
      app.shortcut(/.*/, (args) => {
        const handler = shortcuts.get(args.shortcut.callback_id) ?? unknown(args.shortcut.callback_id);
        return track('shortcut', onShortcut(inItsWorkspace(args as ShortcutArgs), deps, reporter, handler));
      });
      app.options(/.*/, async (args) => {
        const handler = options.get(args.payload.action_id);
        if (handler) {
          await track('options', onOptions(inItsWorkspace(args as OptionsArgs), deps, reporter, handler));
        } else {
          await (args as OptionsArgs).ack({ options: [] });
        }
      });
      // With `extendedErrorHandler` Bolt passes the body too; its types do not say so.
      app.error(((error: OutsideError) => reporter.outside(error)) as unknown as Parameters<App['error']>[0]);
    },

    async settled() {
      await Promise.allSettled([...busy]);
    },
  };
}

const unknown = (id: string) => ({ role: 'everyone', run: rejectUnknown(id) }) as const;

function rejectUnknown(id: string): () => Promise<never> {
  return () => Promise.reject(new SlackError('slack.state', `unknown id: ${id}`));
}

const eventEnvelope = z.object({ event_id: z.string(), event_time: z.number() });
