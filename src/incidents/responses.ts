/**
 * What people do about an incident: acknowledge it, hand it over, resolve it. Nothing changes about one that is over or
 * resolved but who acknowledged it.
 */
import type { Transaction } from 'kysely';
import type { Schema } from '../database/schema.js';
import type { Owner } from '../ownership.js';

type Trx = Transaction<Schema>;

interface Response {
  readonly who: string;
  readonly at: number;
}

/**
 * The first one counts since its alert was last posted; with a note, its person changes the note. Undefined: the post is no
 * incident, or somebody else was quicker.
 */
export async function acknowledgeIncident(
  trx: Trx,
  owner: Owner,
  postKey: string,
  { who, at, note }: Response & { readonly note?: string | undefined },
): Promise<'first' | 'noted' | undefined> {
  const first = await responding(trx, owner, postKey)
    .set({ acknowledged_by: who, acknowledged_at: at, acknowledged_note: note || null })
    .where((eb) =>
      eb.or([eb('acknowledged_by', 'is', null), eb('acknowledged_at', '<', eb.ref('reposted_at').$notNull())]),
    )
    .returning('post_key')
    .executeTakeFirst();
  if (first) {
    return 'first';
  }
  const noted = await responding(trx, owner, postKey)
    .set((eb) => ({ acknowledged_note: note === undefined ? eb.ref('acknowledged_note') : note || null }))
    .where('acknowledged_by', '=', who)
    .returning('post_key')
    .executeTakeFirst();
  return noted && 'noted';
}

/** False: somebody else was quicker, or it has ended. */
export async function assignIncident(
  trx: Trx,
  owner: Owner,
  postKey: string,
  { to, who, at }: Response & { readonly to: string },
): Promise<boolean> {
  const assigned = await responding(trx, owner, postKey)
    .set({ assigned_to: to, assigned_by: who, assigned_at: at })
    .where('ended_at', 'is', null)
    .where('resolved_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('assigned_to', 'is', null),
        eb('assigned_to', '<>', to),
        eb('assigned_at', '<', eb.ref('reposted_at').$notNull()),
      ]),
    )
    .returning('post_key')
    .executeTakeFirst();
  return assigned !== undefined;
}

export async function resolveIncident(
  trx: Trx,
  owner: Owner,
  postKey: string,
  { who, at, reason }: Response & { readonly reason: string },
): Promise<boolean> {
  const resolved = await responding(trx, owner, postKey)
    .set({ resolved_by: who, resolved_at: at, resolved_reason: reason })
    .where('ended_at', 'is', null)
    .where('resolved_at', 'is', null)
    .returning('post_key')
    .executeTakeFirst();
  return resolved !== undefined;
}

function responding(trx: Trx, { installation, team }: Owner, postKey: string) {
  return trx.updateTable('incidents').where((eb) => eb.and({ post_key: postKey, installation, team }));
}
