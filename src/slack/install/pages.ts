/** The pages a person sees while installing Scandesk: plain HTML without scripts; outside text is escaped. */
const style = `
  body { font: 16px/1.5 system-ui, sans-serif; color: #1d1c1d; background: #f8f8f8; margin: 0; display: grid; place-items: center; min-height: 100vh }
  main { background: #fff; border: 1px solid #ddd; border-radius: 12px; padding: 2.5rem; max-width: 30rem; margin: 1rem }
  h1 { font-size: 1.5rem; margin: 0 0 .75rem } p, ul { margin: 0 0 1rem } ul { padding-left: 1.2rem }
  a.go { display: inline-block; background: #4a154b; color: #fff; text-decoration: none; padding: .7rem 1.2rem; border-radius: 8px; font-weight: 600 }
  a.go:focus-visible { outline: 3px solid #1264a3; outline-offset: 2px }
  code { background: #f1f1f1; padding: .1rem .3rem; border-radius: 4px } small { color: #616061 }
`;

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html(title)} · Scandesk</title><style>${style}</style></head>
<body><main><h1>${html(title)}</h1>${body}</main></body></html>`;
}

export function html(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}

export function installPage(
  installation: { readonly kind: 'many'; readonly url: string } | { readonly kind: 'single' },
): string {
  if (installation.kind === 'single') {
    return page(
      'Scandesk is already installed',
      '<p>This Scandesk is set up for one Slack workspace. Type <code>/scandesk connect</code> there.</p>',
    );
  }
  return page(
    'Add Scandesk to Slack',
    `<p>Look up barcodes and get scans in Slack as they happen.</p>
<ul><li><code>/barcode 4006381333931</code> shows whether a barcode is valid and who scanned it last.</li>
<li>Relays post the scans you choose in your channels.</li></ul>
<p><a class="go" href="${html(installation.url)}">Add to Slack</a></p>
<p><small>Scandesk asks for permission to post messages, to read channel and member names, and to read the channels it posts in, so that no scan is posted twice.</small></p>`,
  );
}

export function successPage(workspace: string | undefined): string {
  return page(
    'Scandesk is installed',
    `<p>${workspace ? `<strong>${html(workspace)}</strong> can use it now.` : 'Your workspace can use it now.'}</p>
<p>One step left: in Slack, type <code>/scandesk connect</code> and enter your scanning account’s API key. You can close this page.</p>`,
  );
}

/** `code`: of Slack's OAuth library (`slack_oauth_invalid_state`). */
export function failurePage(code: string): string {
  const tryAgainLink = '<p><a class="go" href="/slack/install">Try again</a></p>';
  if (code === 'slack_oauth_installer_authorization_error') {
    return page(
      'Scandesk was not installed',
      `<p>You didn’t allow it in Slack, so nothing changed.</p>${tryAgainLink}`,
    );
  }
  if (code.includes('state')) {
    return page(
      'Start the installation again',
      `<p>This page has expired, was opened twice, or was opened in a different browser. Nothing was installed.</p>${tryAgainLink}`,
    );
  }
  return page(
    'Scandesk was not installed',
    `<p>Something went wrong, and nothing changed. Try again. If it keeps happening, contact your Scandesk administrator.</p>${tryAgainLink}`,
  );
}
