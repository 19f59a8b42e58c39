/**
 * Owns a window (Slack's modal) while a listener works on it: opened once with the trigger, then updated in place. It
 * shows that it is loading when the answer is not there at once, since a trigger lives 3 seconds only.
 */
import type { WebClient } from '@slack/web-api';
import type { Clock } from '../clock.js';
import type { ModalView } from './blocks/kit.js';
import { loadingView } from './blocks/loading.js';
import { slackWord } from './errors.js';
import { callbackIds } from './ids.js';

export interface Window {
  /** Whether somebody sees it. */
  readonly opened: boolean;
  /** Whether something was shown here on behalf of this request: then trouble is told here, too. */
  readonly changed: boolean;
  /** Whether all it shows is that it is loading. */
  readonly loading: boolean;
  /** Opens the view, or puts it in the place of what is shown. False when the person has closed the window meanwhile. */
  show(view: ModalView): Promise<boolean>;
  /** Makes a view and shows it; shows `title` and that it is loading while that takes more than a moment. */
  fill(title: string, make: () => Promise<ModalView>): Promise<boolean>;
}

/** So long a window waits for its content before it opens empty: short enough for the trigger, long enough not to flicker. */
const patienceMs = 400;

/** An update that overtakes the acknowledgement it follows would be overwritten by it. */
const settleMs = 300;

/** A window that opens with the trigger of a command, a click or a shortcut; `onTop` of the one that was clicked in. */
export function windowToOpen(client: WebClient, clock: Clock, triggerId: string, onTop = false): Window {
  return makeWindow(clock, async (view, id) => {
    if (id) {
      await client.views.update({ view_id: id, view });
      return id;
    }
    const opening = { trigger_id: triggerId, view };
    const { view: opened } = onTop ? await client.views.push(opening) : await client.views.open(opening);
    return opened?.id;
  });
}

/** A window that is open already. `acknowledgedAt`: when Slack was told to change it, if it was. */
export function windowOpened(client: WebClient, clock: Clock, viewId: string, acknowledgedAt?: number): Window {
  return makeWindow(
    clock,
    async (view) => {
      if (acknowledgedAt !== undefined) {
        await clock.sleep(Math.max(0, settleMs - (clock.now() - acknowledgedAt)));
      }
      await client.views.update({ view_id: viewId, view });
      return viewId;
    },
    viewId,
  );
}

type Put = (view: ModalView, id: string | undefined) => Promise<string | undefined>;

function makeWindow(clock: Clock, put: Put, openedAs?: string): Window {
  let id = openedAs;
  let changed = false;
  let loading = false;
  const window: Window = {
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
        return true;
      } catch (error) {
        if (id !== undefined && slackWord(error) === 'not_found') {
          return false;
        }
        throw error;
      }
    },
    async fill(title, make) {
      const making = make();
      const stop = new AbortController();
      const late = clock.sleep(patienceMs, stop.signal).then(
        () => 'late' as const,
        () => 'stopped' as const,
      );
      const first = await Promise.race([making.then(() => 'made' as const), late]).finally(() => stop.abort());
      if (first === 'late') {
        await window.show(loadingView(title));
      }
      return window.show(await making);
    },
  };
  return window;
}
