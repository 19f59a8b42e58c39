/** Installation through the OAuth pages, as a person does it in a browser. */
import { expect } from 'vitest';
import type { TestApp } from './test-app.js';

/** A minimal browser: it stores cookies and does not follow redirects by itself. */
export class Browser {
  private readonly cookies = new Map<string, string>();

  async open(url: string, form?: Record<string, string>) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      headers: cookie ? { cookie } : {},
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return { status: response.status, text: await response.text(), headers: response.headers };
  }
}

const linkIn = (html: string) => /class="go" href="([^"]+)"/.exec(html)![1]!.replace(/&amp;/g, '&');

export async function grant(testApp: TestApp, as: string, decision = 'allow', browser = new Browser()) {
  const page = await browser.open(`${testApp.appUrl}/slack/install`);
  expect(page.status).toBe(200);
  const link = new URL(linkIn(page.text));
  const answer = await browser.open(link.toString(), { ...Object.fromEntries(link.searchParams), as, decision });
  return { browser, back: answer.headers.get('location')!, page };
}

export async function install(testApp: TestApp, as: string) {
  const { browser, back } = await grant(testApp, as);
  const page = await browser.open(back);
  expect(page.status, page.text).toBe(200);
  return page;
}
