/**
 * Undoes a service setup: restores the former postback URL, or deletes the created service. It names the settings that
 * cannot be restored. It keeps a postback URL that was changed since the setup, and a service of another account.
 */
import { services } from '../../../codereadr/operations/index.js';
import { AccountError } from '../../../codereadr/types.js';
import type { ViewNotice } from '../../block-kit/notice.js';
import { shortName } from '../../block-kit/short-text.js';
import { isUnconfirmed, problemLine } from '../../bolt/problem/problem.js';
import type { ActionContext } from '../../bolt/routing/context.js';
import { isOtherAccount } from '../../connection/account.js';
import { performOperation } from '../../operations/index.js';
import { freshService } from './load-form.js';
import type { SetUp } from './record-store.js';
import { relayIn } from './urls.js';

type UndoResult = Pick<ViewNotice, 'done' | 'problem'>;

/** Undoes a setup. An error of the account, or another account's connection, is returned as a problem. */
export async function undoSetup(context: ActionContext, relayId: string, id: string): Promise<UndoResult> {
  const { deps, actor } = context;
  const { serviceSetups } = deps;
  const setUp = (await serviceSetups.list(actor.owner, relayId)).find((each) => each.id === id);
  if (!setUp) {
    return { problem: 'This was already undone.' };
  }
  try {
    const undone = setUp.kind === 'made' ? await remove(context, setUp) : await restore(context, relayId, setUp);
    if (undone.done !== undefined) {
      await serviceSetups.remove(actor.owner, relayId, id);
    }
    return undone;
  } catch (error) {
    if (error instanceof AccountError) {
      const outcome = isUnconfirmed(error) ? 'This may not have been undone.' : 'This could not be undone.';
      return { problem: [`${outcome} `, ...problemLine(error)] };
    }
    if (isOtherAccount(error)) {
      return { problem: ofAnotherAccount(setUp) };
    }
    throw error;
  }
}

async function remove(context: ActionContext, { serviceId, serviceName, connectedAt }: SetUp): Promise<UndoResult> {
  const name = shortName(serviceName);
  if (!(await freshService(context, serviceId, { connectedAt }).catch(undefinedIfMissing))) {
    return { done: `${name} is no longer in the account.` };
  }
  await performOperation(context, services.delete, { service_id: [serviceId] }, { connectedAt });
  return { done: `${name} was deleted. Its scans stay in Scandesk.` };
}

async function restore(context: ActionContext, relayId: string, setUp: SetUp): Promise<UndoResult> {
  const { serviceId, symbologies, before, connectedAt } = setUp;
  const name = shortName(setUp.serviceName);
  const now = await freshService(context, serviceId, { connectedAt }).catch(undefinedIfMissing);
  if (!now) {
    return { done: `${name} is no longer in the account, so there is nothing to undo.` };
  }
  const { postbackUrl } = now;
  if (postbackUrl !== undefined && relayIn(postbackUrl, context.deps.config.PUBLIC_URL) !== relayId) {
    return { done: `The postback URL of ${name} was changed since then, so it was left as it is.` };
  }
  if (setUp.beforeLost !== undefined) {
    return {
      problem: `The previous postback URL of ${name} (${setUp.beforeShown ?? 'unknown'}) can’t be read because its encryption key is gone. Nothing was changed. Enter it on the account’s website.`,
    };
  }
  if (before === undefined && now.validationMethod === 'postback') {
    return {
      problem: `${name} requires a postback URL, and its previous one is unknown. Enter one on the account’s website.`,
    };
  }
  const input = {
    service_id: serviceId,
    postback_url: before ?? '',
    ...(symbologies.length > 0 ? { symbologies: [...symbologies] } : {}),
  };
  await performOperation(context, services.update, input, { connectedAt });
  const outcome = before === undefined ? 'has no postback URL' : `posts to ${setUp.beforeShown ?? 'its previous URL'}`;
  return { done: `${name} ${outcome} again. ${lostSettings(setUp, now.validationMethod)}` };
}

/** The message about a setup in another account, where the service id may belong to any other service. */
function ofAnotherAccount({ kind, serviceName, beforeShown }: SetUp): string {
  const todo =
    kind === 'made'
      ? 'delete it on that account’s website'
      : `on that account’s website, enter its previous postback URL (${beforeShown ?? 'none'})`;
  return `${shortName(serviceName)} was set up while another account or API key was connected, so nothing was changed. To undo it, ${todo}.`;
}

/** The settings that cannot be restored, since the account never returned them. */
function lostSettings({ symbologies }: SetUp, method: string): string {
  const kinds =
    symbologies.length > 0 ? 'barcode types (now those you chose)' : 'barcode types (now the account’s default)';
  const flags = method === 'postback' ? '' : ', and postback options (now as set up here)';
  return `Not restored, because the account never reported them: ${kinds}${flags}. The relay’s webhook URL works until you revoke it.`;
}

/** Undefined for the account's error that it has no service with the id; rethrows any other error. */
function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof AccountError && error.apiCode === '200') {
    return undefined;
  }
  throw error;
}
