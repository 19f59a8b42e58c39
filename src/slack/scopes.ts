/**
 * Owns the bot scopes Scandesk asks for, each with what it is for. The manifest is held against them.
 */
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
