/**
 * The page's controller: the acting person, the current place, and a reload whenever the workspace reports a change.
 */
import type { ShownMessage, ShownView, StreamEvent } from '../api.js';
import { type Client, createClient, createScannerClient, fetchState, RequestFailed } from './client.js';
import type { Directory } from './context.js';
import { createConversation } from './conversation.js';
import type { FormState } from './form-state.js';
import { createRefresher, listen } from './live.js';
import { drawHead, lockOf } from './shell/channel-head.js';
import { askForChannel } from './shell/confirm.js';
import { actionFailed } from './shell/error-messages.js';
import { drawFrame } from './shell/frame.js';
import { createGuide } from './shell/guide.js';
import { createHome } from './shell/home.js';
import { createModals } from './shell/modals.js';
import { createScanner } from './shell/scanner.js';
import { appChannel, createSidebar, imName, type PagePlace } from './shell/sidebar.js';
import { createSurfaces } from './surfaces.js';

const codeOf = (error: unknown): string => (error instanceof RequestFailed ? error.code : 'unknown');
const whyOf = (error: unknown): string =>
  error instanceof RequestFailed ? error.message : 'Something went wrong on this page.';

export async function startWorkspace(address: URL): Promise<void> {
  let state = await fetchState(address.searchParams.get('as'));
  const client: Client = createClient(state.me.id);
  const unreadChannels = new Set<string>();
  /** How many requests in flight report their own failures, and until when the last one suppresses notices. */
  let asking = 0;
  let quietUntil = 0;
  const waitFor = async <T>(work: Promise<T>): Promise<T> => {
    asking += 1;
    try {
      return await work;
    } finally {
      asking -= 1;
      quietUntil = Date.now() + 500;
    }
  };

  const first = (): PagePlace => {
    const requested = address.searchParams.get('channel');
    if (requested === 'home') return { kind: 'home' };
    const known = state.channels.find((channel) => channel.id === requested) ?? state.channels[0];
    return known ? { kind: 'channel', id: known.id } : { kind: 'home' };
  };
  let where: PagePlace = first();

  const directory = (): Directory => ({
    me: state.me,
    people: state.people,
    channels: state.channels,
    now: () => Date.now(),
  });

  /** Shows an error where the person is reading. */
  const say = (text: string): void => {
    if (!modals.say(text)) conversation.notice.say(text);
  };
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      say(whyOf(error));
    }
  };

  const surface = createSurfaces({
    client,
    directory,
    channel: () => (where.kind === 'channel' ? where.id : undefined),
    busy: (is) => modals.busy(is),
    say,
  });
  const viewSurface = (kind: 'modal' | 'home') => (view: ShownView, form: FormState) =>
    surface(kind, { type: 'view', view_id: view.id }, form);

  const modals = createModals({
    surface: viewSurface('modal'),
    cover: (is) => frame.cover(is),
    async submit(viewId, form) {
      try {
        return await waitFor(client.submit({ view_id: viewId, values: form.values() }));
      } catch (error) {
        return { ok: false, error: codeOf(error) };
      } finally {
        await refreshViews();
      }
    },
    close: (viewId, all) =>
      attempt(async () => {
        await client.close(viewId, all);
        await refreshViews();
      }),
  });

  const runShortcut = (callbackId: string, message?: ShownMessage): Promise<void> =>
    attempt(async () => {
      const channel = message?.channel ?? (where.kind === 'channel' ? where.id : undefined);
      const result = await client.shortcut(callbackId, channel, message?.ts);
      if (!result.ok) say(actionFailed(result.error ?? 'unknown'));
    });
  const conversation = createConversation({
    client,
    state: () => state,
    directory,
    surface,
    shortcut: (callbackId, message) => void runShortcut(callbackId, message),
    attempt,
    waitFor,
    onThread: (open) => frame.widen(open),
    onMessages: (messages) => guide.sawMessages(messages),
  });
  const home = createHome(viewSurface('home'));
  const guide = createGuide({
    write(text) {
      frame.showTab('chat');
      const here = where;
      const isChannel = here.kind === 'channel' && here.id !== appChannel(state)?.id;
      const room = state.channels[0];
      if (!isChannel && room) go({ kind: 'channel', id: room.id });
      conversation.composer.write(text);
    },
    openScanner() {
      frame.showTab('scanner');
      scanner.focus();
    },
    openHome: () => go({ kind: 'home' }),
  });
  const scanner = createScanner(createScannerClient(), {
    onState: (found) => guide.sawScanner(found),
    onScan: (barcode) => guide.scanned(barcode),
  });
  const sidebar = createSidebar({
    go: (next) => {
      frame.showTab('chat');
      go(next);
    },
    become: (person) => {
      const next = new URL(location.href);
      next.searchParams.set('as', person.id);
      location.assign(next);
    },
    createChannel: () =>
      void attempt(async () => {
        const wanted = await askForChannel();
        if (!wanted) return;
        const newChannel = await client.createChannel(wanted.name, wanted.isPrivate);
        await refreshState();
        go({ kind: 'channel', id: newChannel.id });
      }),
  });
  const frame = drawFrame({
    sidebar,
    conversation,
    home,
    modals,
    guide,
    scanner,
    skip: () => (where.kind === 'home' ? home.node : conversation.composer).focus(),
  });
  document.body.replaceChildren(frame.node);

  const showPlace = (): void => {
    sidebar.show(state, where, unreadChannels);
    frame.showPlace(where.kind);
    guide.installed(state.app.installed_at, state.app.done, state.me);
    drawHead(frame.head, state, where, {
      go,
      addApp: (channel) =>
        void attempt(async () => {
          await client.invite(channel, state.app.bot_user_id);
          await refreshState();
        }),
    });
    if (where.kind === 'home') return;
    const { id } = where;
    const channel = state.channels.find((one) => one.id === id);
    const name = channel?.is_im ? imName(state, channel) : `#${channel?.name ?? id}`;
    conversation.show(state, `Message ${name}, or type /`, lockOf(state, channel, name));
  };

  const go = (next: PagePlace): void => {
    where = next;
    conversation.turnTo(next.kind === 'channel' ? next.id : undefined);
    const here = new URL(location.href);
    here.searchParams.set('as', client.as);
    here.searchParams.set('channel', next.kind === 'home' ? 'home' : next.id);
    history.replaceState(null, '', here);
    if (next.kind === 'channel') unreadChannels.delete(next.id);
    showPlace();
    if (next.kind === 'channel') {
      void attempt(conversation.refresh);
      if (next.id === appChannel(state)?.id && state.app.installed_at !== undefined)
        void attempt(() => client.openHome('messages'));
    } else
      void attempt(async () => {
        await client.openHome();
        await refreshHome();
        // Opening Home for the first time creates the app's direct message channel.
        if (!appChannel(state)) await refreshState();
      });
  };

  const refreshState = createRefresher(async () => {
    state = await client.state();
    showPlace();
    await conversation.refresh();
  });
  const refreshViews = createRefresher(async () => {
    const stack = await client.views();
    guide.sawViews(stack);
    modals.show(stack);
  });
  const refreshHome = createRefresher(async () => home.show(await client.home(), state));

  const onEvent = (event: StreamEvent): void => {
    if (event.type === 'notice') {
      // The response of the page's own request reports the failure, in more detail.
      if (asking === 0 && Date.now() > quietUntil) say(event.text ?? '');
      return;
    }
    if (event.type === 'views') {
      void attempt(refreshViews);
      // A modal may have changed one of the scanner's services.
      void scanner.refresh();
    } else if (event.type === 'home') void (where.kind === 'home' && attempt(refreshHome));
    else if (event.type === 'state') void attempt(refreshState);
    else if (event.channel === undefined || (where.kind === 'channel' && where.id === event.channel)) {
      void attempt(conversation.refresh);
    } else if (!unreadChannels.has(event.channel)) {
      unreadChannels.add(event.channel);
      // A first message can create its channel, which the state then lacks.
      if (!state.channels.some((channel) => channel.id === event.channel)) void attempt(refreshState);
      else sidebar.show(state, where, unreadChannels);
    }
  };

  listen(client.as, {
    onEvent,
    onLost: () => frame.setOnline(false),
    onAgain: () => {
      frame.setOnline(true);
      void attempt(async () => {
        await Promise.all([refreshState(), refreshViews(), scanner.refresh()]);
        if (where.kind === 'home') await refreshHome();
      });
    },
  });
  // Services can change from Slack, so the choices are reloaded whenever somebody turns to the scanner.
  scanner.node.addEventListener('pointerenter', () => void scanner.refresh());

  go(where);
  await Promise.all([conversation.refresh(), refreshViews(), scanner.refresh()]);
  // The message box gets the focus, except on a touch screen, where the keyboard would cover half of the page.
  if (document.activeElement === document.body && matchMedia('(pointer: fine)').matches) conversation.composer.focus();
  document.body.setAttribute('data-ready', 'true');
}
