/**
 * The key of ownership: an installation (an enterprise or a team) plus a team id. Every record and every sealed secret
 * is filed under both.
 */

export interface Owner {
  /** The installation: the enterprise id (`E…`) of an org-wide install, else the team id (`T…`). */
  readonly installation: string;
  /** The workspace where it was used or created: always a team id (`T…`). */
  readonly team: string;
}

/** One string per owner, safe as part of a key: neither id may contain a colon. */
export function ownerKey(owner: Owner): string {
  return `${owner.installation}:${owner.team}`;
}
