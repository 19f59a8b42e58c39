/**
 * App installation: a token is issued by OAuth and dies when the app is uninstalled or the token revoked, of which
 * events tell the app.
 */
import type { Core } from './core.js';
import type { TeamRecord } from './world/records.js';

export interface Installing {
  /** Issues a bot token with these scopes. The token is returned once; only its hash is stored. */
  install(team: TeamRecord, scopes: readonly string[]): string;
  /** Sends `app_uninstalled` and `tokens_revoked` at once. Resolves when Slack has sent both or gives up. */
  uninstall(team: TeamRecord, by: string): Promise<void>;
  /** `bot`: the token stops working. `user`: only the event is sent, since no user token is ever issued here. */
  revoke(team: TeamRecord, tokens: 'bot' | 'user', by: string): Promise<void>;
}

export function createInstalling(core: Core): Installing {
  const notify = (team: TeamRecord): void => {
    core.streams.tellAll({ type: 'state' }, (id) => core.world.person(id)?.team === team.id);
  };
  const sendTokensRevoked = (team: TeamRecord, tokens: 'bot' | 'user', by: string) =>
    core.outbound.event(team, {
      type: 'tokens_revoked',
      tokens: tokens === 'bot' ? { oauth: [], bot: [team.bot_user] } : { oauth: [by], bot: [] },
      event_ts: core.world.stamp(),
    });

  return {
    install(team, scopes) {
      const token = `xoxb-${team.id.toLowerCase()}-${core.random.bytes(18).toString('hex')}`;
      core.world.install(token, team.id, scopes);
      notify(team);
      return token;
    },
    async uninstall(team) {
      core.world.setInstallState(team.id, 'uninstalled');
      core.views.clearTeam(team.id);
      for (const channel of core.world.channels(team.id)) {
        core.world.removeMember(channel.id, team.bot_user);
      }
      notify(team);
      await Promise.all([
        core.outbound.event(team, { type: 'app_uninstalled', event_ts: core.world.stamp() }),
        sendTokensRevoked(team, 'bot', team.bot_user),
      ]);
    },
    async revoke(team, tokens, by) {
      if (tokens === 'bot') {
        core.world.setInstallState(team.id, 'revoked');
        notify(team);
      }
      await sendTokensRevoked(team, tokens, by);
    },
  };
}
