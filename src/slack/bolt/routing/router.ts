/**
 * The router from Slack's requests to listeners: finds the workspace and the listener, and tracks the work.
 * Every command, click or form gets an answer, also on an error or without a listener.
 */
import type { App, BlockAction, CodedError } from '@slack/bolt';
import { SlackError } from '../errors.js';
import { inWorkspace } from '../people/workspace.js';
import { createErrorReporter, type RequestOutcome } from '../problem/answer-error.js';
import { type CommandTable, onCommand } from './commands.js';
import type { ListenerDeps } from './context.js';
import { onConversation, onShortcut, type ShortcutArgs } from './conversation.js';
import { type GlobalShortcutArgs, onGlobalShortcut } from './global-shortcut.js';
import { type OptionsArgs, onAction, onEvent, onOptions, onView, type ViewArgs } from './handlers.js';
import type { Listener, ListenerKind, ListenerOf } from './listeners.js';
import type { Host } from './request.js';

type OutsideError = { readonly error: CodedError; readonly body: unknown };

export function createRouter(app: App, deps: ListenerDeps, listeners: readonly Listener[]) {
  const host: Host = { deps, reporter: createErrorReporter(deps) };
  const specs = specsOf(listeners);
  const runningTasks = new Set<Promise<unknown>>();

  const find = <Kind extends ListenerKind>(kind: Kind, id: string) =>
    specs.get(`${kind} ${id}`) as ListenerOf<Kind>['spec'] | undefined;

  const inItsWorkspace = <Args extends Parameters<typeof inWorkspace>[0]>(args: Args) =>
    inWorkspace(args, deps.clients);

  async function track(kind: ListenerKind, work: Promise<RequestOutcome>): Promise<void> {
    runningTasks.add(work);
    let outcome: RequestOutcome = 'failed';
    try {
      outcome = await work;
    } finally {
      runningTasks.delete(work);
      deps.metrics.slackRequests.inc({ kind, outcome });
    }
  }

  // Bolt runs every one of its listeners for each request: it gets one per kind, and ours is found here.
  app.command(/.*/, (args) => {
    const table = find('command', args.command.command) ?? unknownTable(args.command.command);
    return track('command', onCommand(inItsWorkspace(args), host, table));
  });
  app.action<BlockAction>({ type: 'block_actions', action_id: /.*/ }, async (args) => {
    const { action } = args;
    const { action_id: id } = action;
    const spec = find('action', id);
    const isLink = 'url' in action && action.url !== undefined;
    if (!spec && (isLink || find('options', id))) {
      // Slack also sends clicks on links and choices in forms: these only need an acknowledgement.
      return args.ack();
    }
    return track('action', onAction(inItsWorkspace(args), host, spec ?? { role: 'everyone', run: rejecting(id) }));
  });
  app.view({ type: 'view_submission', callback_id: /.*/ }, (args) => {
    const { callback_id: id } = args.view;
    const unknownForm = { role: 'everyone', fields: () => rejectUnknown(id), run: rejecting(id) } as const;
    return track('view', onView(inItsWorkspace(args as ViewArgs), host, find('view', id) ?? unknownForm));
  });
  app.view({ type: 'view_closed', callback_id: /.*/ }, ({ ack }) => ack());
  app.shortcut({ type: 'message_action', callback_id: /.*/ }, async (args) => {
    const spec = find('shortcut', args.shortcut.callback_id);
    const shortcutArgs = args as unknown as ShortcutArgs;
    await (spec ? track('shortcut', onShortcut(inItsWorkspace(shortcutArgs), host, spec)) : args.ack());
  });
  app.shortcut({ type: 'shortcut', callback_id: /.*/ }, async (args) => {
    const spec = find('global_shortcut', args.shortcut.callback_id);
    const globalArgs = args as unknown as GlobalShortcutArgs;
    await (spec ? track('global_shortcut', onGlobalShortcut(inItsWorkspace(globalArgs), host, spec)) : args.ack());
  });
  app.options(/.*/, async (args) => {
    const spec = find('options', args.payload.action_id);
    await (spec
      ? track('options', onOptions(inItsWorkspace(args as OptionsArgs), host, spec))
      : (args as OptionsArgs).ack({ options: [] }));
  });
  for (const type of listeners.flatMap(({ kind, ids }) => (kind === 'event' ? ids : []))) {
    app.event(type, (args) => track('event', onEvent(inItsWorkspace(args), host, type, find('event', type)!)));
  }
  for (const type of listeners.flatMap(({ kind, ids }) => (kind === 'conversation' ? ids : []))) {
    app.event(type.split('.')[0]!, (args) =>
      track('conversation', onConversation(inItsWorkspace(args), host, type, find('conversation', type)!)),
    );
  }
  // With `extendedErrorHandler` Bolt passes the body too; its types do not say so.
  app.error(((error: OutsideError) => host.reporter.outside(error)) as unknown as Parameters<App['error']>[0]);

  return {
    /** Resolves once the requests that are in progress now have ended. */
    async settled(): Promise<void> {
      await Promise.allSettled([...runningTasks]);
    },
  };
}

function specsOf(listeners: readonly Listener[]): ReadonlyMap<string, Listener['spec']> {
  const specs = new Map<string, Listener['spec']>();
  for (const { kind, ids, spec } of listeners) {
    for (const id of ids) {
      if (specs.has(`${kind} ${id}`)) {
        throw new Error(`${kind} ${id} has a listener already`);
      }
      specs.set(`${kind} ${id}`, spec);
    }
  }
  return specs;
}

function rejectUnknown(id: string): never {
  throw new SlackError('slack.state', `unknown id: ${id}`);
}

const rejecting = (id: string) => async () => rejectUnknown(id);

function unknownTable(name: string): CommandTable {
  return {
    command: `/${name.slice(1)}`,
    forEmptyText: '',
    subcommands: [],
    otherwise: { role: 'everyone', run: rejecting(name) },
  };
}
