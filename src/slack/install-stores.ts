/**
 * Owns what Slack's OAuth library keeps: installations (sealed, in our store) and the state of an install under way
 * (ten minutes, usable once). Refuses a state it did not give out.
 */
import {
  type Installation,
  type InstallationStore,
  type InstallURLOptions,
  InvalidStateError,
  type StateStore,
} from '@slack/oauth';
import { z } from 'zod';
import type { Clock, Random } from '../clock.js';
import type { Store } from '../store/types.js';
import { SlackRoomError } from './errors.js';
import { installationIdOf } from './owner.js';

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

/** What we rely on of an installation that was stored as JSON. The rest is the library's own and is kept as it came. */
const stored = z.looseObject({
  team: z.looseObject({ id: z.string(), name: z.string().optional() }).optional(),
  enterprise: z.looseObject({ id: z.string(), name: z.string().optional() }).optional(),
  user: z.looseObject({ id: z.string() }),
  bot: z.looseObject({ token: z.string(), id: z.string(), userId: z.string() }).optional(),
});

const stateLivesMs = 600_000;

export function createOAuthStores(deps: {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Store;
}): OAuthStores {
  const { clock, random, store } = deps;
  const states = store.keyv<InstallURLOptions>('oauth-state', { ttlMs: stateLivesMs });

  async function find(source: Source): Promise<AnyInstallation | undefined> {
    const id = installationIdOf(source);
    const found = id === undefined ? undefined : await store.installations.find(id);
    return found && (stored.parse(found.installation) as unknown as AnyInstallation);
  }

  return {
    installations: {
      async storeInstallation(installation) {
        const id = installation.isEnterpriseInstall ? installation.enterprise?.id : installation.team?.id;
        if (!id) {
          throw new SlackRoomError('slack.not_installed', 'Slack named neither a workspace nor an organisation');
        }
        await store.installations.save(id, installation, clock.now());
      },
      async fetchInstallation(query) {
        const found = await find(query);
        if (!found) {
          throw new SlackRoomError('slack.not_installed', 'no installation for this workspace');
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
        const state = random.bytes(24).toString('base64url');
        await states.set(state, options);
        return state;
      },
      async verifyStateParam(_now, state) {
        const options = await states.get(state);
        await states.delete(state);
        if (!options) {
          throw new InvalidStateError('this install was not started here, was used already, or is too old');
        }
        return options;
      },
    },
  };
}
