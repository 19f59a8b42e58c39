/**
 * Page shell for devices: one small document without scripts, light and dark, with headers that keep it out of caches,
 * frames, search engines and referrers.
 */
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type Html, html } from './html.js';

export interface Page {
  readonly title: string;
  readonly body: Html;
}

const style = `
:root { color-scheme: light dark; --ink: #1d1c1d; --soft: #5c5b5d; --line: #dddcde; --paper: #fff; --ground: #f4f4f5;
  --good: #0a6640; --good-ground: #e3f5ec; --bad: #a3162a; --bad-ground: #fde8ea; --wary: #7a4d00; --wary-ground: #fff3d6; }
@media (prefers-color-scheme: dark) { :root { --ink: #f0eff1; --soft: #b3b1b5; --line: #46444a; --paper: #232126;
  --ground: #17161a; --good: #7fe0b2; --good-ground: #10382a; --bad: #ffa1ab; --bad-ground: #471a21; --wary: #ffd27a;
  --wary-ground: #41300c; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 17px/1.45 system-ui, -apple-system, "Segoe UI",
  Roboto, sans-serif; -webkit-text-size-adjust: 100%; }
main { max-width: 34rem; margin: 0 auto; padding: 16px; }
h1 { font-size: 1.3rem; line-height: 1.25; margin: 4px 0; }
h2 { font-size: 1.05rem; margin: 24px 0 8px; }
p { margin: 8px 0; }
.soft { color: var(--soft); font-size: .92rem; }
ul { list-style: none; margin: 12px 0; padding: 0; }
li, .card { background: var(--paper); border: 1px solid var(--line); border-left-width: 5px; border-radius: 8px;
  padding: 10px 12px; margin: 8px 0; overflow-wrap: anywhere; }
.good { border-left-color: var(--good); } .bad { border-left-color: var(--bad); } .wary { border-left-color: var(--wary); }
.plain { border-left-width: 1px; }
.verdict { border-left-width: 1px; font-size: 1.2rem; font-weight: 700; }
.verdict.good { background: var(--good-ground); color: var(--good); border-color: var(--good); }
.verdict.bad { background: var(--bad-ground); color: var(--bad); border-color: var(--bad); }
.verdict.wary { background: var(--wary-ground); color: var(--wary); border-color: var(--wary); }
.sign { font-weight: 700; }
.good .sign { color: var(--good); } .bad .sign { color: var(--bad); } .wary .sign { color: var(--wary); }
.row { display: flex; justify-content: space-between; gap: 12px; align-items: baseline; }
.when { flex: none; color: var(--soft); font-size: .88rem; text-align: right; }
code { font: 600 1.05rem/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre-wrap;
  overflow-wrap: anywhere; }
form { display: flex; flex-wrap: wrap; gap: 8px; margin: 12px 0; }
label { flex: 1 0 100%; font-weight: 600; }
input[type=text] { flex: 1 1 12rem; min-width: 0; font: 1.1rem ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  padding: 12px; min-height: 48px; border: 1px solid var(--soft); border-radius: 8px; background: var(--paper);
  color: var(--ink); }
button { font: 700 1.05rem system-ui, sans-serif; padding: 12px 20px; min-height: 48px; border: 0; border-radius: 8px;
  background: #1264a3; color: #fff; }
a.choice { display: block; color: inherit; text-decoration: none; min-height: 28px; }
a { color: #1264a3; } @media (prefers-color-scheme: dark) { a { color: #6bb6f0; } }
:focus-visible { outline: 3px solid #1264a3; outline-offset: 2px; }
`;

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
} as const;

function pageDocument({ title, body }: Page): string {
  const shell = html`<title>${title}</title>`.html;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${shell}
<style>${style}</style>
</head>
<body>
<main>
${body.html}
</main>
</body>
</html>
`;
}

export function sendPage(
  res: ServerResponse,
  page: Page,
  status = 200,
  extraHeaders: Readonly<Record<string, string>> = {},
): void {
  const document = pageDocument(page);
  res.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(document), ...extraHeaders }).end(document);
}

export function notePage(title: string, text: string): Page {
  return { title, body: html`<h1>${title}</h1><p>${text}</p>` };
}
