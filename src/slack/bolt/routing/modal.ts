/**
 * Owns a window (Slack's modal) while a listener works on it: opened once with the trigger, then updated in place. It
 * shows that it is loading when the answer is not there at once, since a trigger lives 3 seconds only.
 */
import type { WebClient } from '@slack/web-api';
import type { Clock } from '../../../clock.js';
import { codeOf } from '../../../errors.js';
import type { Log } from '../../../log.js';
import type { ModalView } from '../../block-kit/elements.js';
import { slackPause, slackWord } from '../errors.js';
import { callbackIds } from '../ids.js';
import { loadingView } from '../problem/loading.js';
import type { Changes } from './changes.js';

export interface Modal {
  /** Whether somebody sees it. */
  readonly opened: boolean;
  /** Whether something was shown here on behalf of this request: then trouble is told here, too. */
  readonly changed: boolean;
  /** Whether all it shows is that it is loading. */
  readonly loading: boolean;
  /** Opens the view, or puts it in the place of what is shown. False when the person has closed the window meanwhile. */
  show(view: ModalView): Promise<boolean>;
  /** Shows how a change ended. False wherever it cannot be seen, whatever the reason: it is told in another way then. */
  showOutcome(view: ModalView): Promise<boolean>;
  /** Makes a view and shows it; shows `title` and that it is loading while that takes more than a moment. */
  fill(title: string, make: () => Promise<ModalView>, how?: { readonly isOutcome: boolean }): Promise<boolean>;
}

/** Whose window it is. `changes`: of the request that is answered in it; none where nobody waits for what it shows. */
export interface WindowHost {
  readonly client: WebClient;
  readonly deps: { readonly clock: Clock; readonly log: Log };
  readonly changes?: Changes;
}

/** So long a window waits for its content before it opens empty: short enough for the trigger, long enough not to flicker. */
const patienceMs = 400;

/** Slack may ask for more patience than a person has in front of a window. */
const longestPauseMs = 2_000;

/** An update that overtakes the acknowledgement it follows would be overwritten by it. */
const settleMs = 300;

/** A window that opens with the trigger of a command, a click or a shortcut; `onTop` of the one that was clicked in. */
export function windowToOpen(host: WindowHost, triggerId: string, onTop = false): Modal {
  return makeWindow(host, async (view, id) => {
    if (id) {
      await update(host, id, view);
      return id;
    }
    const opening = { trigger_id: triggerId, view };
    const { views } = host.client;
    const { view: opened } = onTop ? await views.push(opening) : await views.open(opening);
    return opened?.id;
  });
}

/** A window that is open already. `acknowledgedAt`: when Slack was told to change it, if it was. */
export function windowOpened(host: WindowHost, viewId: string, acknowledgedAt?: number): Modal {
  const { clock } = host.deps;
  return makeWindow(
    host,
    async (view) => {
      if (acknowledgedAt !== undefined) {
        await clock.sleep(Math.max(0, settleMs - (clock.now() - acknowledgedAt)));
      }
      await update(host, viewId, view);
      return viewId;
    },
    viewId,
  );
}

/** The same update twice does no harm: one that Slack answered with trouble of its own is tried once more. */
async function update({ client, deps }: WindowHost, viewId: string, view: ModalView): Promise<void> {
  try {
    await client.views.update({ view_id: viewId, view });
  } catch (error) {
    const pause = slackPause(error);
    if (pause === undefined || pause > longestPauseMs) {
      throw error;
    }
    deps.log.info({ code: codeOf(error), slack: slackWord(error) }, 'a window is drawn once more');
    await deps.clock.sleep(pause);
    await client.views.update({ view_id: viewId, view });
  }
}

type Put = (view: ModalView, id: string | undefined) => Promise<string | undefined>;

function makeWindow({ deps, changes }: WindowHost, put: Put, openedAs?: string): Modal {
  let id = openedAs;
  let changed = false;
  let loading = false;
  const window: Modal = {
    get opened() {
      return id !== undefined;
    },
    get changed() {
      return changed;
    },
    get loading() {
      return loading;
    },
    async show(view) {
      try {
        id = await put(view, id);
        changed = true;
        loading = view.callback_id === callbackIds.loading;
        changes?.said(true);
        return true;
      } catch (error) {
        changes?.said(false);
        if (id !== undefined && slackWord(error) === 'not_found') {
          return false;
        }
        throw error;
      }
    },
    showOutcome: (view) =>
      window.show(view).catch((error: unknown) => {
        deps.log.warn({ err: error, code: codeOf(error) }, 'how a change ended could not be shown in its window');
        return false;
      }),
    async fill(title, make, how) {
      const making = make();
      const stop = new AbortController();
      const late = deps.clock.sleep(patienceMs, stop.signal).then(
        () => 'late' as const,
        () => 'stopped' as const,
      );
      const first = await Promise.race([making.then(() => 'made' as const), late]).finally(() => stop.abort());
      if (first === 'late') {
        const waiting = window.show(loadingView(title));
        // What is being changed meanwhile is changed: its outcome is waited for.
        await (how?.isOutcome ? waiting.catch(() => false) : waiting);
      }
      const view = await making;
      return how?.isOutcome ? window.showOutcome(view) : window.show(view);
    },
  };
  return window;
}
