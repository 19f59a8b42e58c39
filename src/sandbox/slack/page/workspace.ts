/**
 * Owns the page while it runs: who one is, where one is, and asking the workspace again whenever it says that something
 * changed.
 */
import type { Container, ShownMessage, ShownView, StreamEvent } from '../api.js';
import { type Client, createClient, createScannerClient, fetchState, RequestFailed } from './client.js';
import type { Directory, Surface } from './context.js';
import { el } from './dom.js';
import type { FormState } from './form-state.js';
import { createRefresher, listen } from './live.js';
import { plainOf } from './mrkdwn.js';
import { drawChannelHead } from './shell/channel-head.js';
import { createComposer } from './shell/composer.js';
import { askForChannel, confirmDialog } from './shell/confirm.js';
import { drawFrame } from './shell/frame.js';
import { createHint } from './shell/hint.js';
import { createHome } from './shell/home.js';
import { createMessageList } from './shell/messages.js';
import { createModals } from './shell/modals.js';
import { createNotice } from './shell/notice.js';
import { createScanner } from './shell/scanner.js';
import { channelSign, createSidebar, imName, type Where } from './shell/sidebar.js';
import { actionFailed, commandFailed, messageFailed } from './shell/words.js';

const codeOf = (error: unknown): string => (error instanceof RequestFailed ? error.code : 'unknown');
const whyOf = (error: unknown): string =>
  error instanceof RequestFailed ? error.message : 'Something went wrong on this page.';

export async function startWorkspace(address: URL): Promise<void> {
  let state = await fetchState(address.searchParams.get('as'));
  const client: Client = createClient(state.me.id);
  const unread = new Set<string>();
  let replyTo: ShownMessage | undefined;
  /** Requests of this page under way whose failure it tells of itself, and until when the last one keeps notices away. */
  let asking = 0;
  let quietUntil = 0;
  const asked = async <T>(work: Promise<T>): Promise<T> => {
    asking += 1;
    try {
      return await work;
    } finally {
      asking -= 1;
      quietUntil = Date.now() + 500;
    }
  };

  const first = (): Where => {
    const asked = address.searchParams.get('channel');
    if (asked === 'home') return { kind: 'home' };
    const known = state.channels.find((channel) => channel.id === asked) ?? state.channels[0];
    return known ? { kind: 'channel', id: known.id } : { kind: 'home' };
  };
  let where: Where = first();

  const directory = (): Directory => ({
    me: state.me,
    people: state.people,
    channels: state.channels,
    now: () => Date.now(),
  });

  const notice = createNotice();
  /** Said where the person is looking. */
  const say = (text: string): void => {
    if (!modals.say(text)) notice.say(text);
  };
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      say(whyOf(error));
    }
  };

  const surface = (kind: Surface['kind'], container: Container, form: FormState): Surface => ({
    kind,
    directory: directory(),
    form,
    channel: where.kind === 'channel' ? where.id : undefined,
    async act(blockId, actionId, chosen) {
      if (kind === 'modal') modals.busy(true);
      try {
        const result = await client.act({
          container,
          block_id: blockId,
          action_id: actionId,
          chosen,
          values: form.values(),
        });
        if (!result.ok) say(actionFailed(result.error ?? 'unknown'));
      } catch (error) {
        say(
          error instanceof RequestFailed && error.code !== 'unreachable' ? error.message : actionFailed(codeOf(error)),
        );
      } finally {
        if (kind === 'modal') modals.busy(false);
      }
    },
    ask: (blockId, actionId, typed) => client.options(container, blockId, actionId, typed),
    upload: (file) => client.upload(file),
    confirm: (question) => confirmDialog(question, directory()),
  });
  const viewSurface = (kind: 'modal' | 'home') => (view: ShownView, form: FormState) =>
    surface(kind, { type: 'view', view_id: view.id }, form);

  const modals = createModals({
    surface: viewSurface('modal'),
    async submit(viewId, form) {
      try {
        return await asked(client.submit({ view_id: viewId, values: form.values() }));
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

  const messages = createMessageList({
    surface: (message, form) => surface('message', { type: 'message', channel: message.channel, ts: message.ts }, form),
    reply: (message) => setReply(message),
    shortcut: (callbackId, message) => void runShortcut(callbackId, message),
  });
  const home = createHome(viewSurface('home'));
  const composer = createComposer(notice, { send: (text) => send(text), shortcut: (id) => void runShortcut(id) });
  const hint = createHint((text) => {
    frame.showTab('chat');
    const room = state.channels[0];
    if (where.kind === 'home' && room) go({ kind: 'channel', id: room.id });
    composer.write(text);
  });
  const scanner = createScanner(createScannerClient(), (found) =>
    hint.show(found.api_key, found.services[0]?.samples[0]?.value),
  );
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
        const made = await client.createChannel(wanted.name, wanted.isPrivate);
        await refreshState();
        go({ kind: 'channel', id: made.id });
      }),
  });
  const frame = drawFrame({ sidebar, messages, home, composer, hint, scanner });
  document.body.replaceChildren(frame.node, modals.node);

  const setReply = (message: ShownMessage | undefined): void => {
    replyTo = message;
    const words = message && (plainOf({ type: 'mrkdwn', text: message.text }) || 'this message');
    composer.replyTo(words, () => setReply(undefined));
  };

  const runShortcut = (callbackId: string, message?: ShownMessage): Promise<void> =>
    attempt(async () => {
      const channel = message?.channel ?? (where.kind === 'channel' ? where.id : undefined);
      const result = await client.shortcut(callbackId, channel, message?.ts);
      if (!result.ok) say(actionFailed(result.error ?? 'unknown'));
    });

  const send = async (text: string): Promise<boolean> => {
    if (where.kind !== 'channel') return false;
    const command = /^\s*(\/[a-z]\S*)/i.exec(text)?.[1];
    try {
      const thread = replyTo?.thread_ts ?? replyTo?.ts;
      const result = await asked(client.say(where.id, text, thread));
      if (!result.ok) {
        const code = result.error ?? 'unknown';
        notice.say(command ? commandFailed(command, code) : messageFailed(code));
        return false;
      }
      hint.sent(text);
      setReply(undefined);
      await refreshMessages();
      return true;
    } catch (error) {
      notice.say(`${whyOf(error)} Your text is back in the box.`);
      return false;
    }
  };

  const showPlace = (): void => {
    sidebar.show(state, where, unread);
    frame.showPlace(where.kind);
    if (where.kind === 'home') {
      frame.head.replaceChildren(el('h1', {}, state.app.name), el('span', { class: 'muted' }, 'Home'));
      return;
    }
    const { id } = where;
    const channel = state.channels.find((one) => one.id === id);
    const name = channel ? (channel.is_im ? imName(state, channel) : channel.name) : id;
    const sign = channel ? channelSign(channel) : '';
    drawChannelHead(
      frame.head,
      state,
      id,
      name,
      sign,
      () =>
        void attempt(async () => {
          await client.invite(id, state.app.bot_user_id);
          await refreshState();
        }),
    );
    composer.show(state, channel?.is_im ? name : `#${name}`);
    composer.close(
      channel?.is_archived
        ? `#${name} is archived: nobody posts here any more.`
        : channel?.members.includes(state.me.id)
          ? undefined
          : `You are not in #${name}, so you can read but not write here.`,
    );
  };

  const go = (next: Where): void => {
    where = next;
    setReply(undefined);
    notice.clear();
    const here = new URL(location.href);
    here.searchParams.set('as', client.as);
    here.searchParams.set('channel', next.kind === 'home' ? 'home' : next.id);
    history.replaceState(null, '', here);
    if (next.kind === 'channel') unread.delete(next.id);
    showPlace();
    if (next.kind === 'channel') void attempt(refreshMessages);
    else
      void attempt(async () => {
        await client.openHome();
        await refreshHome();
      });
  };

  const refreshState = createRefresher(async () => {
    state = await client.state();
    showPlace();
    await refreshMessages();
  });
  const refreshMessages = createRefresher(async () => {
    if (where.kind !== 'channel') return;
    const { id } = where;
    const found = await client.messages(id);
    if (where.kind === 'channel' && where.id === id) messages.show(id, found, state, directory());
  });
  const refreshViews = createRefresher(async () => modals.show(await client.views()));
  const refreshHome = createRefresher(async () => home.show(await client.home(), state));

  const onEvent = (event: StreamEvent): void => {
    if (event.type === 'notice') {
      // What this page asked for itself it is told of, with more to say, by the answer.
      if (asking === 0 && Date.now() > quietUntil) say(event.text ?? '');
      return;
    }
    if (event.type === 'views') void attempt(refreshViews);
    else if (event.type === 'home') void (where.kind === 'home' && attempt(refreshHome));
    else if (event.type === 'state') void attempt(refreshState);
    else if (event.channel === undefined || (where.kind === 'channel' && where.id === event.channel)) {
      void attempt(refreshMessages);
    } else if (!unread.has(event.channel)) {
      unread.add(event.channel);
      sidebar.show(state, where, unread);
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
  // What a service does can be changed from Slack: what there is to pick is asked again whenever somebody turns to it.
  scanner.node.addEventListener('pointerenter', () => void scanner.refresh());

  go(where);
  await Promise.all([refreshMessages(), refreshViews(), scanner.refresh()]);
  document.body.setAttribute('data-ready', 'true');
}
