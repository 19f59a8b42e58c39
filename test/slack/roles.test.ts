import { describe, expect, it } from 'vitest';
import { listeners } from '../../src/slack/features.js';

/** Searching, looking up, exporting, and answering posts: what a full member may do without access. */
const everyones =
  /^(app_mention$|message\.|export\.|form\.(before|next|more|read|pick)|help\.|home\.|list(\.|$)|loan\.|made\.|mute\.stop$|watch\.stop$|places\.(roll|out)(\.|$)|post\.(ack|details|hand_over|lookup|menu|more|mute|note|resolve)|reports\.scans$|scans\.|status\.open$|lookup\.(again|form|newer|older|open|recent|scans|several|share))/;
const admins = /^(access|erase)(\.|$)/;

const roles = listeners.flatMap((listener) =>
  listener.kind === 'event' || listener.kind === 'command'
    ? []
    : listener.ids.map((id) => ({ id, name: `${listener.kind} ${id}`, role: listener.spec.role })),
);
const namesWhere = (is: (one: (typeof roles)[number]) => boolean) => roles.filter(is).map(({ name }) => name);

describe('who may use a button, a window or a picker', () => {
  it('a member without access can use those of lookups, searches, exports and posts, and no others', () => {
    expect(namesWhere(({ id, role }) => role === 'everyone' && !everyones.test(id))).toEqual([]);
    expect(namesWhere(({ id, role }) => role === 'manager' && !everyones.test(id)).length).toBeGreaterThan(80);
  });

  it('only an admin gives access and erases a workspace’s data', () => {
    expect(namesWhere(({ id, role }) => admins.test(id) !== (role === 'admin'))).toEqual([]);
    expect(namesWhere(({ id }) => admins.test(id)).length).toBeGreaterThan(4);
  });
});
