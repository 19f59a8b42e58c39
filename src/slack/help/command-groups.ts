/** All commands by subject, each once, in the order of the help. What another command does as well is left out. */
export const commandGroups: readonly { readonly title: string; readonly commands: readonly string[] }[] = [
  { title: 'Barcodes and scans', commands: ['/barcode', '/barcode make', '/scans'] },
  {
    title: 'Posts, alerts and reports',
    commands: ['/scandesk relay', '/scandesk posts', '/scandesk reports', '/scandesk watch', '/scandesk mute'],
  },
  { title: 'Who is inside, who has what', commands: ['/scandesk inside', '/scandesk out'] },
  {
    title: 'The account',
    commands: [
      ...['/scandesk connect', '/scandesk status', '/scandesk limits', '/scandesk services', '/scandesk users'],
      ...['/scandesk devices', '/scandesk databases', '/scandesk questions', '/scandesk uploads', '/scandesk call'],
    ],
  },
  {
    title: 'Scandesk',
    commands: [
      ...['/scandesk access', '/scandesk audit', '/scandesk forget', '/scandesk erase', '/scandesk disconnect'],
      '/scandesk help',
    ],
  },
];
