/**
 * The key of ownership: an installation (an enterprise or a team) plus a team id. A workspace's records and secrets are
 * filed under both; an installation's tokens under the installation alone.
 */

export interface Owner {
  /** The installation: the enterprise id (`E…`) of an org-wide install, else the team id (`T…`). */
  readonly installation: string;
  /** The workspace in which the app is used: always a team id (`T…`). */
  readonly team: string;
}

/** One string per owner, safe as part of a key: neither id may contain a colon. */
export function ownerKey(owner: Owner): string {
  return `${owner.installation}:${owner.team}`;
}
