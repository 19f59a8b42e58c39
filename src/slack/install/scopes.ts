/** The bot scopes, each with its reason. A test compares them with the manifest. */
export const scopesWithReasons = {
  commands: '/barcode, /scans and /scandesk',
  'chat:write': 'Post scans in channels and answer people',
  'channels:read': 'Check the public channel that a relay posts in',
  'channels:join': 'Join the public channel that a relay posts in',
  'channels:history': 'Check whether an unconfirmed post arrived',
  'groups:read': 'Check the private channel that a relay posts in',
  'groups:history': 'Check whether an unconfirmed post arrived',
  'users:read': 'Tell admins, members and guests apart',
  'files:read': 'Read pictures for barcodes, and files given in its forms',
  'files:write': 'Show the barcodes it creates',
  'usergroups:read': 'Let admins give user groups access',
  'app_mentions:read': 'Answer when somebody mentions Scandesk',
  'im:history': 'Answer direct messages',
} as const;

/** Scandesk works without these; an admin may leave them out. */
export const optionalScopes: readonly (keyof typeof scopesWithReasons)[] = ['app_mentions:read', 'im:history'];

export const botScopes = Object.keys(scopesWithReasons) as readonly (keyof typeof scopesWithReasons)[];

/** The scopes a call needed and the app lacks, by Slack's answer: those Scandesk asks for, else those Slack names. */
export function missingScopes({ needed, provided }: { needed?: unknown; provided?: unknown }): readonly string[] {
  const listed = (scopes: unknown) =>
    typeof scopes === 'string' ? scopes.split(',').filter((scope) => /^[a-z][a-z:._-]{0,60}$/.test(scope)) : [];
  const has = new Set(listed(provided));
  const missing = listed(needed).filter((scope) => !has.has(scope));
  const ours = missing.filter((scope) => botScopes.some((one) => one === scope));
  // Slack names each scope that would do: one that is asked for anyway comes before an optional one.
  const required = ours.filter((scope) => !optionalScopes.some((one) => one === scope));
  return [required, ours, missing.slice(0, 4)].find((scopes) => scopes.length > 0) ?? [];
}

const codeOfMissing = 'slack.missing_scope';

/** `slack.missing_scope:channels:history,groups:history` */
export function missingScopeCode(scopes: readonly string[]): string {
  return scopes.length === 0 ? codeOfMissing : `${codeOfMissing}:${scopes.join(',')}`;
}

/** The scopes in such a code; undefined for any other code. */
export function scopesInCode(code: string): readonly string[] | undefined {
  if (code === codeOfMissing) {
    return [];
  }
  return code.startsWith(`${codeOfMissing}:`) ? code.slice(codeOfMissing.length + 1).split(',') : undefined;
}
