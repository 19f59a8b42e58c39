/**
 * A modal while a listener works on it: it is opened once with the trigger, then updated in place. It opens as loading
 * when its content is slow, since a trigger lives 3 seconds.
 */
import type { WebClient } from '@slack/web-api';
import type { Clock } from '../../../clock.js';
import { codeOf } from '../../../errors.js';
import type { Log } from '../../../log.js';
import { withTimeout } from '../../../timeout.js';
import type { ModalView } from '../../block-kit/elements.js';
import { slackErrorCode, slackPause } from '../errors.js';
import { loadingView } from '../problem/loading.js';
import type { Changes } from './respond.js';

export interface Modal {
  /** Whether the modal was opened; the person may have closed it since. */
  readonly opened: boolean;
  /** Whether this request has shown something in the modal; then its errors are shown there too. */
  readonly changed: boolean;
  /** Whether the modal shows nothing but that it is loading. */
  readonly loading: boolean;
  /** Opens the modal with the view, or replaces its content. False when the person has closed the modal. */
  show(view: ModalView): Promise<boolean>;
  /** Shows the outcome of a change. False if the person cannot see it, for any reason: the caller then posts it. */
  showOutcome(view: ModalView): Promise<boolean>;
  /** Makes a view and shows it; shows `title` as loading while making it takes longer than `loadingAfterMs`. */
  fill(title: string, make: () => Promise<ModalView>, options?: { readonly isOutcome: boolean }): Promise<boolean>;
}

/** `changes`: of the request answered in this modal; absent where no request waits for its content. */
export interface ModalHost {
  readonly client: WebClient;
  readonly deps: { readonly clock: Clock; readonly log: Log };
  readonly changes?: Changes;
}

/** How long to wait for content before opening as loading: the trigger must live, the modal should not flicker. */
const loadingAfterMs = 400;

/** The longest pause before another try: Slack may ask for more than a person waits in front of a modal. */
const longestPauseMs = 2_000;

/** How long after an acknowledgement to update its modal: the acknowledgement would overwrite an earlier update. */
const settleMs = 300;

/** A modal opened by the trigger of a command, a click or a shortcut. `isPushed`: on top of the clicked modal. */
export function modalToOpen(host: ModalHost, triggerId: string, isPushed = false): Modal {
  return createModal(host, async (view, id) => {
    if (id) {
      await update(host, id, view);
      return id;
    }
    const opening = { trigger_id: triggerId, view };
    const { views } = host.client;
    const { view: opened } = isPushed ? await views.push(opening) : await views.open(opening);
    return opened?.id;
  });
}

/** A modal that is already open. `acknowledgedAt`: when an acknowledgement changed the modal, if one did. */
export function openedModal(host: ModalHost, viewId: string, acknowledgedAt?: number): Modal {
  const { clock } = host.deps;
  return createModal(
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

/** Updates a view; retries once after a rate limit, an outage or a broken connection, as repeating is harmless. */
async function update({ client, deps }: ModalHost, viewId: string, view: ModalView): Promise<void> {
  try {
    await client.views.update({ view_id: viewId, view });
  } catch (error) {
    const pause = slackPause(error);
    if (pause === undefined || pause > longestPauseMs) {
      throw error;
    }
    deps.log.info(
      { code: codeOf(error), slack: slackErrorCode(error) },
      'views.update is retried after an outage of Slack',
    );
    await deps.clock.sleep(pause);
    await client.views.update({ view_id: viewId, view });
  }
}

type PutView = (view: ModalView, id: string | undefined) => Promise<string | undefined>;

function createModal({ deps, changes }: ModalHost, putView: PutView, openViewId?: string): Modal {
  let id = openViewId;
  let isChanged = false;
  let isLoading = false;
  const modal: Modal = {
    get opened() {
      return id !== undefined;
    },
    get changed() {
      return isChanged;
    },
    get loading() {
      return isLoading;
    },
    async show(view) {
      try {
        id = await putView(view, id);
        isChanged = true;
        isLoading = view.callback_id === 'loading';
        changes?.recordDelivery(true);
        return true;
      } catch (error) {
        changes?.recordDelivery(false);
        if (id !== undefined && slackErrorCode(error) === 'not_found') {
          return false;
        }
        throw error;
      }
    },
    showOutcome: (view) =>
      modal.show(view).catch((error: unknown) => {
        deps.log.warn({ err: error, code: codeOf(error) }, 'the outcome of a change could not be shown in its modal');
        return false;
      }),
    async fill(title, make, fillOptions) {
      const making = make();
      const isLate = await withTimeout(deps.clock, loadingAfterMs, () => making.then(() => false), true);
      if (isLate) {
        const waiting = modal.show(loadingView(title));
        // The change goes on even if the loading view fails: its outcome is still shown.
        await (fillOptions?.isOutcome ? waiting.catch(() => false) : waiting);
      }
      const view = await making;
      return fillOptions?.isOutcome ? modal.showOutcome(view) : modal.show(view);
    },
  };
  return modal;
}
