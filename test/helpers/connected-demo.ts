/** A demo of the test's own, with the sample account connected and the app in the general channel. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Demo, startDemo } from './demo.js';
import { createPerson } from './person.js';

export async function connectedDemo(): Promise<Demo> {
  const folder = mkdtempSync(join(tmpdir(), 'scandesk-demo-'));
  const demo = await startDemo(folder);
  onTestFinished(async () => {
    await demo.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const ada = createPerson(demo.url, 'U0ADA');
  await ada.say('C0GENERAL', '/scandesk connect');
  const form = await ada.waitForView((view) => view.callback_id === 'connect');
  const state = await (await fetch(new URL('/account/scanner/state', demo.url))).json();
  const { api_key: value } = state as { api_key: string };
  await ada.submit(form.id, { key: { 'connect.key': { type: 'plain_text_input', value } } });
  await ada.submit((await ada.waitForView((view) => view.callback_id === 'connect.databases')).id, {});
  await ada.say('C0GENERAL', '/invite @scandesk');
  return demo;
}
