/**
 * Slack's events when a workspace removes Scandesk or revokes its bot token: keys and tokens are erased at once.
 * Ignored: events older than the installation, and revoked user tokens.
 */
import { z } from 'zod';
import type { Owner } from '../../ownership.js';
import { installationIdOf } from '../bolt/people/workspace.js';
import type { EventContext } from '../bolt/routing/context.js';
import { event } from '../bolt/routing/listeners.js';

/** The waits before each attempt to erase: Slack does not repeat the event, so a busy database must not be the end. */
const attemptsAfterMs = [0, 200, 1_000, 5_000, 30_000];

const hour = 3_600_000;

const revokedTeams = z.object({ team_ids: z.array(z.string().regex(/^T\w+$/)) });

const revokedTokens = z.object({ tokens: z.object({ bot: z.array(z.string()).optional() }) });

export const appUninstalled = event('app_uninstalled', (context) => eraseRemoved(context, 'app_uninstalled'));

export const tokensRevoked = event('tokens_revoked', async (context) => {
  const { tokens } = revokedTokens.parse(context.event);
  if (tokens.bot && tokens.bot.length > 0) {
    await eraseRemoved(context, 'tokens_revoked');
  }
});

/** An organization removes Scandesk from some workspaces: their data is erased, its installation stays. */
export const teamAccessRevoked = event('team_access_revoked', async (context) => {
  const { team_ids: teams } = revokedTeams.parse(context.event);
  const { deps, enterpriseId: installation, happenedAt } = context;
  if (!installation) {
    logNoInstallation(context, 'team_access_revoked');
    return;
  }
  await eraseOnce(context, 'team_access_revoked', async () => {
    let wasErased = false;
    for (const team of teams) {
      const owner = { installation, team };
      if (!(await isOlder(context, owner)) && (await deps.store.eraseTeam(owner, happenedAt))) {
        wasErased = true;
      }
    }
    return wasErased;
  });
});

async function eraseRemoved(context: EventContext, reason: string): Promise<void> {
  const { deps, happenedAt } = context;
  const installation = installationIdOf(context);
  if (!installation) {
    logNoInstallation(context, reason);
    return;
  }
  await eraseOnce(context, reason, async () => {
    // With a bot token there is no installation to compare with: the API key's `connectedAt` serves instead.
    const isOld = deps.config.SLACK_BOT_TOKEN && (await isOlder(context, { installation, team: installation }));
    return isOld ? false : await deps.store.eraseInstallation(installation, happenedAt);
  });
}

function logNoInstallation({ deps, reference }: EventContext, why: string): void {
  deps.log.error({ reference, why }, 'a removal event names no installation');
}

/** Erases data once. `eraseData` returns whether anything was erased, and may be called again after a failure. */
async function eraseOnce(context: EventContext, reason: string, eraseData: () => Promise<boolean>): Promise<void> {
  const { deps, reference, eventId } = context;
  const seenEvents = deps.store.keyv<number>('slack-event', { ttlMs: 24 * hour });
  for (const [attempt, afterMs] of attemptsAfterMs.entries()) {
    try {
      await deps.clock.sleep(afterMs);
      if (await seenEvents.has(eventId)) {
        return;
      }
      const wasErased = await eraseData();
      await seenEvents.set(eventId, deps.clock.now());
      deps.log.info(
        { reference, why: reason, gone: wasErased },
        wasErased ? 'a workspace left; its keys are erased' : 'an old event was ignored',
      );
      return;
    } catch (error) {
      deps.log.error({ err: error, reference, why: reason, attempt }, 'keys could not be erased yet');
    }
  }
  deps.log.fatal({ reference, why: reason }, 'keys of a workspace that left could not be erased');
}

/** Whether the event is older than the connected account, which it then does not affect. */
async function isOlder({ deps, happenedAt }: EventContext, owner: Owner): Promise<boolean> {
  const connection = await deps.store.workspaces.connection(owner);
  return connection !== undefined && happenedAt < Math.floor(connection.connectedAt / 1000) * 1000;
}
