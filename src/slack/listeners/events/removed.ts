/**
 * Owns leaving: when a workspace removes Scandesk or revokes its bot token, keys and tokens go at once. An event older
 * than the installation is about an earlier one, and a user's token is nobody's key.
 */
import { z } from 'zod';
import type { EventContext } from '../../context.js';
import { installationIdOf } from '../../owner.js';

/** Slack has its acknowledgement already and will not ask again, so that a busy database must not be the end of it. */
const attemptsAfterMs = [0, 200, 1_000, 5_000, 30_000];

const hour = 3_600_000;

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

async function forget(context: EventContext, why: string): Promise<void> {
  const { deps, reference, eventId, happenedAt } = context;
  const installation = installationIdOf(context);
  if (!installation) {
    deps.log.error({ reference, why }, 'Slack named no installation to forget');
    return;
  }
  const seen = deps.store.keyv<number>('slack-event', { ttlMs: 24 * hour });
  for (const [attempt, afterMs] of attemptsAfterMs.entries()) {
    try {
      await deps.clock.sleep(afterMs);
      if (await seen.has(eventId)) {
        return;
      }
      const gone = (await isOlderConnection(context, installation))
        ? false
        : await deps.store.eraseInstallation(installation, happenedAt);
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

/** With one bot token there is no installation to compare with; a key that was connected later says the same. */
async function isOlderConnection({ deps, happenedAt }: EventContext, installation: string): Promise<boolean> {
  if (!deps.config.SLACK_BOT_TOKEN) {
    return false;
  }
  const connection = await deps.store.workspaces.connection({ installation, team: installation });
  return connection !== undefined && happenedAt < Math.floor(connection.connectedAt / 1000) * 1000;
}
