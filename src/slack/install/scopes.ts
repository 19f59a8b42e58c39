/** The bot scopes, each with its reason. A test compares them with the manifest. */
export const scopesWithReasons = {
  commands: '/barcode and /scandesk',
  'chat:write': 'posts scans in channels, answers people',
  'channels:read': 'knows the public channel a relay posts into',
  'channels:join': 'joins the public channel a relay posts into',
  'channels:history': 'looks whether a post in doubt arrived, after a crash',
  'groups:read': 'knows the private channel a relay posts into',
  'groups:history': 'looks whether a post in doubt arrived, after a crash',
  'users:read': 'knows admins from members and guests',
  'files:read': 'takes the files people give in its forms to the account: CSV files, logos',
  'files:write': 'shows the barcodes it draws',
  'usergroups:read': 'lets admins name a user group as managers',
} as const;

export const botScopes = Object.keys(scopesWithReasons) as readonly (keyof typeof scopesWithReasons)[];

/** The scopes a call needed and the app lacks, by Slack's answer: those Scandesk asks for, else those Slack names. */
export function missingScopes({ needed, provided }: { needed?: unknown; provided?: unknown }): readonly string[] {
  const listed = (scopes: unknown) =>
    typeof scopes === 'string' ? scopes.split(',').filter((scope) => /^[a-z][a-z:._-]{0,60}$/.test(scope)) : [];
  const has = new Set(listed(provided));
  const missing = listed(needed).filter((scope) => !has.has(scope));
  const ours = missing.filter((scope) => botScopes.some((one) => one === scope));
  return ours.length > 0 ? ours : missing.slice(0, 4);
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
