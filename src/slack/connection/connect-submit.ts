/**
 * The submission of an API key: checked with the account, stored sealed; then the databases of lookups are chosen.
 * A refused key is stored nowhere.
 */
import { retrieveLimits } from '../../codereadr/operations/index.js';
import { AccountError } from '../../codereadr/types.js';
import { mostDatabases } from '../../lookup/index.js';
import { uncheckMembers } from '../../workspaces/members.js';
import type { ModalView } from '../block-kit/elements.js';
import { bold, textMessage } from '../block-kit/text.js';
import { record } from '../bolt/audit.js';
import { savingView } from '../bolt/problem/loading.js';
import { problemOf } from '../bolt/problem/problem.js';
import type { Acknowledged, ViewContext } from '../bolt/routing/context.js';
import { modal } from '../bolt/routing/listeners.js';
import { type Errors, formStateIn } from '../forms/view-state.js';
import { connectionModal } from './connect-command.js';
import { connectForm, connectFormTitle, connectionView, keyForm } from './connect-view.js';
import { databasesModal } from './databases/databases.js';
import { linkedMembers } from './linked-members.js';
import { localStatus } from './status.js';

export const connectSubmitted = modal('connect', {
  role: 'manager',

  fields({ view }): Acknowledged<string> {
    const errors: Errors = {};
    // A key has no outer spaces: copying added them.
    const key = keyForm.read(formStateIn(view), errors).key?.trim() ?? '';
    if (errors.key !== undefined) {
      return { errors };
    }
    if (!/^[\x21-\x7e]+$/.test(key)) {
      return { errors: { key: 'An API key has no spaces or special characters. Copy it again.' } };
    }
    return { show: savingView(connectFormTitle, 'Checking the API key…'), input: key };
  },

  async run(context, key) {
    const { deps, actor, modal } = context;
    const { workspaces } = deps.store;
    const connectionBefore = await workspaces.connection(actor.owner);
    const account = deps.accounts.open(key);
    try {
      await account.client.call(retrieveLimits, {});
    } catch (error) {
      if (!(error instanceof AccountError)) {
        throw error;
      }
      await record(context, {
        what: 'workspace/connect',
        detail: { replaced: !!connectionBefore },
        outcome: error.code,
      });
      deps.log.info({ reference: context.reference, code: error.code }, 'an API key was refused');
      await modal.show(
        connectForm({
          replaces: connectionBefore,
          refused: { error, reference: context.reference },
          channel: actor.channelId,
        }),
      );
      return;
    }
    await uncheckMembers(deps, actor.owner);
    await workspaces.connect(actor.owner, key, { connectedBy: actor.userId, connectedAt: deps.clock.now() });
    await record(context, { what: 'workspace/connect', detail: { replaced: !!connectionBefore } });
    deps.mirror?.wake();
    await account.names.forget('users');
    await linkedMembers(deps, actor.owner);
    await showConnected(context, await nextStep(context, account));
  },
});

/** The form of databases; the connection where there is nothing to choose or the list cannot be loaded. */
async function nextStep(
  context: ViewContext,
  account: ReturnType<ViewContext['deps']['accounts']['open']>,
): Promise<ModalView> {
  const { deps, actor, reference } = context;
  try {
    await account.names.forget('databases');
    const databases = await account.names.databases();
    const { lookupDatabases } = await deps.store.workspaces.settings(actor.owner);
    const existingIds = lookupDatabases?.filter((id) => databases.some((database) => database.id === id));
    if (lookupDatabases && existingIds?.length !== lookupDatabases.length) {
      // Ids that the account does not list are dropped; if no id is left, lookups search every database.
      const remaining = existingIds && existingIds.length > 0 ? existingIds : undefined;
      await deps.store.workspaces.change(actor.owner, { lookupDatabases: remaining });
    }
    if (databases.length > 1 || deps.mirror) {
      return await databasesModal(context, true);
    }
    return connectionModal(context, {
      notice:
        databases.length === 0 ? { problem: 'The account has no databases yet, so lookups show scans only.' } : {},
      fresh: true,
    });
  } catch (error) {
    deps.log.warn({ err: error, reference }, 'the databases could not be listed after connecting');
    const problem = `${problemOf(error).what} Lookups search every database, up to ${mostDatabases}. Choose databases later.`;
    return connectionView(await localStatus(deps, actor.owner), {
      channel: actor.channelId,
      notice: { problem },
      fresh: true,
    });
  }
}

async function showConnected(context: ViewContext, next: ModalView): Promise<void> {
  if (!(await context.modal.showOutcome(next))) {
    await context.postPrivately(textMessage([bold('The scanning account is connected.')]));
  }
  await context.deps.connectionChanged(context);
}
