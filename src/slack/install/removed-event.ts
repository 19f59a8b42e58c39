/**
 * Owns leaving: when a workspace removes Scandesk or revokes its bot token, or its organisation takes Scandesk away from it,
 * keys and tokens go at once. An event older than the installation is about an earlier one, and a user's token is nobody's key.
 */
import { z } from 'zod';
import type { Owner } from '../../ownership.js';
import { installationIdOf } from '../bolt/people/owner.js';
import type { EventContext } from '../bolt/routing/context.js';

/** Slack has its acknowledgement already and will not ask again, so that a busy database must not be the end of it. */
const attemptsAfterMs = [0, 200, 1_000, 5_000, 30_000];

const hour = 3_600_000;

const revokedTeams = z.object({ team_ids: z.array(z.string().regex(/^T\w+$/)) });

const revokedTokens = z.object({ tokens: z.object({ bot: z.array(z.string()).optional() }) });

export function appUninstalled(context: EventContext): Promise<void> {
  return forget(context, 'app_uninstalled');
}

export async function tokensRevoked(context: EventContext): Promise<void> {
  const { tokens } = revokedTokens.parse(context.event);
  if (tokens.bot && tokens.bot.length > 0) {
    await forget(context, 'tokens_revoked');
  }
}

/** An organisation takes Scandesk away from some of its workspaces: what is theirs goes, the organisation's installation stays. */
export async function teamAccessRevoked(context: EventContext): Promise<void> {
  const { team_ids: teams } = revokedTeams.parse(context.event);
  const { deps, enterpriseId: installation, happenedAt } = context;
  if (!installation) {
    tellUnnamed(context, 'team_access_revoked');
    return;
  }
  await erasing(context, 'team_access_revoked', async () => {
    let gone = false;
    for (const team of teams) {
      const owner = { installation, team };
      if (!(await isOlder(context, owner)) && (await deps.store.eraseTeam(owner, happenedAt))) {
        gone = true;
      }
    }
    return gone;
  });
}

async function forget(context: EventContext, why: string): Promise<void> {
  const { deps, happenedAt } = context;
  const installation = installationIdOf(context);
  if (!installation) {
    tellUnnamed(context, why);
    return;
  }
  await erasing(context, why, async () => {
    // With one bot token there is no installation to compare with; a key that was connected later says the same.
    const isOld = deps.config.SLACK_BOT_TOKEN && (await isOlder(context, { installation, team: installation }));
    return isOld ? false : await deps.store.eraseInstallation(installation, happenedAt);
  });
}

function tellUnnamed({ deps, reference }: EventContext, why: string): void {
  deps.log.error({ reference, why }, 'Slack named no installation to forget');
}

/** `work` answers whether anything was erased. It may be called again after it failed. */
async function erasing(context: EventContext, why: string, work: () => Promise<boolean>): Promise<void> {
  const { deps, reference, eventId } = context;
  const seen = deps.store.keyv<number>('slack-event', { ttlMs: 24 * hour });
  for (const [attempt, afterMs] of attemptsAfterMs.entries()) {
    try {
      await deps.clock.sleep(afterMs);
      if (await seen.has(eventId)) {
        return;
      }
      const gone = await work();
      await seen.set(eventId, deps.clock.now());
      deps.log.info(
        { reference, why, gone },
        gone ? 'a workspace left; its keys are erased' : 'an old event was ignored',
      );
      return;
    } catch (error) {
      deps.log.error({ err: error, reference, why, attempt }, 'keys could not be erased yet');
    }
  }
  deps.log.fatal({ reference, why }, 'keys of a workspace that left could not be erased');
}

/** What was connected after it happened is not what it is about. */
async function isOlder({ deps, happenedAt }: EventContext, owner: Owner): Promise<boolean> {
  const connection = await deps.store.workspaces.connection(owner);
  return connection !== undefined && happenedAt < Math.floor(connection.connectedAt / 1000) * 1000;
}
