/**
 * Storage for Slack's OAuth library: sealed installations, and the state of an install (10 minutes, usable once). The
 * state is sealed data in the URL: opening the install page writes no row; the return from Slack writes one.
 */
import { createHash } from 'node:crypto';
import {
  type Installation,
  type InstallationStore,
  type InstallURLOptions,
  InvalidStateError,
  type StateStore,
} from '@slack/oauth';
import { z } from 'zod';
import type { Clock } from '../../clock.js';
import type { SealContext, Store } from '../../workspaces/types.js';
import { SlackError } from '../bolt/errors.js';
import { installationIdOf } from '../bolt/people/workspace.js';

type AnyInstallation = Installation<'v1' | 'v2', boolean>;

interface Source {
  readonly isEnterpriseInstall: boolean;
  readonly enterpriseId?: string | undefined;
  readonly teamId?: string | undefined;
}

export interface OAuthStores {
  readonly installations: InstallationStore;
  readonly states: StateStore;
}

/** The fields that Scandesk reads of a stored installation; all others are the library's, and are stored unchanged. */
const storedSchema = z.looseObject({
  team: z.looseObject({ id: z.string(), name: z.string().optional() }).optional(),
  enterprise: z.looseObject({ id: z.string(), name: z.string().optional() }).optional(),
  user: z.looseObject({ id: z.string() }),
  bot: z.looseObject({ token: z.string(), id: z.string(), userId: z.string() }).optional(),
});

const stateLivesMs = 600_000;
const stateSeal: SealContext = { purpose: 'oauth-state', installation: '', record: '' };

/** What a state holds. `options`: those of the library's install page. */
const stateShape = z.object({ madeAt: z.number(), options: z.looseObject({}) });

export function createOAuthStores(deps: {
  readonly clock: Clock;
  readonly store: Pick<Store, 'installations' | 'keyv' | 'sealer'>;
}): OAuthStores {
  const { clock, store } = deps;
  const usedStates = store.keyv<true>('oauth-state-used', { ttlMs: stateLivesMs });

  function openState(state: string): z.output<typeof stateShape> {
    try {
      return stateShape.parse(JSON.parse(store.sealer.open(state, stateSeal)));
    } catch (error) {
      throw refusedState(error);
    }
  }

  async function find(source: Source): Promise<AnyInstallation | undefined> {
    const id = installationIdOf(source);
    const found = id === undefined ? undefined : await store.installations.find(id);
    return found && (storedSchema.parse(found.installation) as unknown as AnyInstallation);
  }

  return {
    installations: {
      async storeInstallation(installation) {
        const id = installation.isEnterpriseInstall ? installation.enterprise?.id : installation.team?.id;
        if (!id) {
          throw new SlackError('slack.not_installed', 'Slack named neither a workspace nor an organization');
        }
        await store.installations.save(id, installation, clock.now());
      },
      async fetchInstallation(query) {
        const found = await find(query);
        if (!found) {
          throw new SlackError('slack.not_installed', 'no installation for this workspace');
        }
        return found as Installation<'v1' | 'v2', false>;
      },
      async deleteInstallation(query) {
        const id = installationIdOf(query);
        if (id) await store.installations.delete(id);
      },
    },
    states: {
      async generateStateParam(options) {
        return store.sealer.seal(JSON.stringify({ madeAt: clock.now(), options }), stateSeal);
      },
      async verifyStateParam(_now, state) {
        const { madeAt, options } = openState(state);
        const age = clock.now() - madeAt;
        const mark = createHash('sha256').update(state).digest('base64url');
        if (age >= stateLivesMs || (await usedStates.has(mark))) {
          throw refusedState();
        }
        await usedStates.set(mark, true);
        return options as unknown as InstallURLOptions;
      },
    },
  };
}

/** The error for a refused state. The library's error class takes no cause. */
function refusedState(cause?: unknown): InvalidStateError {
  return Object.assign(new InvalidStateError('this install was not started here, was used already, or is too old'), {
    cause,
  });
}
