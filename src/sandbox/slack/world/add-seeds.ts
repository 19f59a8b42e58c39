/** The seeding of a workspace file with teams, people and channels. */
import { transaction } from '../../sqlite.js';
import type { Database } from './database.js';
import type { PersonRecord } from './records.js';
import type { TeamSeed } from './seed.js';

/** Adds the teams that the file lacks; of a team that it has, nothing changes. */
export function addSeeds(database: Database, seeds: readonly TeamSeed[], botName: string): void {
  transaction(database, () => {
    seeds.forEach((seed, position) => {
      const knownTeam = database.prepare('SELECT 1 FROM teams WHERE id = ?').get(seed.team.id);
      if (knownTeam) {
        return;
      }
      database
        .prepare('INSERT INTO teams (id, position, profile) VALUES (?, ?, ?)')
        .run(seed.team.id, position, JSON.stringify(seed.team));
      const bot: PersonRecord = {
        ...seed.people[0]!,
        id: seed.team.bot_user,
        name: botName.toLowerCase(),
        real_name: botName,
        is_admin: false,
        is_owner: false,
        is_bot: true,
        color: '#3b3f8f',
        tz: 'America/Los_Angeles',
      };
      for (const person of [...seed.people, bot]) {
        database
          .prepare('INSERT INTO people (id, team, profile) VALUES (?, ?, ?)')
          .run(person.id, seed.team.id, JSON.stringify(person));
      }
      seed.channels.forEach(({ members, ...channel }, index) => {
        database
          .prepare('INSERT INTO channels (id, team, position, profile) VALUES (?, ?, ?, ?)')
          .run(channel.id, channel.team, index, JSON.stringify(channel));
        for (const member of members) {
          database.prepare('INSERT INTO members (channel, person) VALUES (?, ?)').run(channel.id, member);
        }
      });
    });
  });
}
