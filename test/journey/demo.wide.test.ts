import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ScannerState, ScanResult } from '../../src/sandbox/codereadr/api.js';
import { expectNoSecrets } from '../helpers/canaries.js';
import { type Demo, startDemo } from '../helpers/demo.js';
import { callsOf, createPerson, type Person } from '../helpers/person.js';

/** A postback service of the sample data, and two of its barcodes. */
const service = { id: '1206', name: 'VIP lounge' };
const known = 'HLF-000004';
const scanned = 'HLF-000003';

async function scannerState(base: string): Promise<ScannerState> {
  return (await fetch(new URL('/account/scanner/state', base))).json() as Promise<ScannerState>;
}

async function enterUrl(base: string, url: string): Promise<void> {
  const { api_key } = await scannerState(base);
  const answer = await fetch(new URL('/account/api/', base), {
    method: 'POST',
    body: new URLSearchParams({
      section: 'services',
      action: 'update',
      api_key,
      service_id: service.id,
      postback_url: url,
    }),
  });
  expect(await answer.text()).toContain('<status>1</status>');
}

async function scan(base: string, value: string): Promise<ScanResult> {
  const answer = await fetch(new URL('/account/scanner/scan', base), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ service_id: service.id, device_id: '571', user_id: '702', value }),
  });
  return answer.json() as Promise<ScanResult>;
}

/** Everything readable in blocks, a line a piece; what stands in one line of rich text stays in one, as a person reads it. */
function textOf(blocks: unknown): string {
  if (Array.isArray(blocks)) {
    return blocks.map(textOf).join('\n');
  }
  if (typeof blocks !== 'object' || blocks === null) {
    return '';
  }
  const { type, text, elements, ...rest } = blocks as Record<string, unknown>;
  const own = typeof text === 'string' ? text : textOf(text);
  const inside = Array.isArray(elements) ? elements.map(textOf).join(type === 'rich_text_section' ? '' : '\n') : '';
  return [own, inside, ...Object.values(rest).map(textOf)].filter(Boolean).join('\n');
}

const callback = (id: string) => (view: { callback_id: string }) => view.callback_id === id;

describe('the demo by plain HTTP', () => {
  it('the demo by plain HTTP connects, looks up, shares, creates a relay, posts scans and survives a restart', async ({
    onTestFinished,
  }) => {
    const folder = mkdtempSync(join(tmpdir(), 'scandesk-demo-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    let demo: Demo = await startDemo(folder);
    onTestFinished(async () => {
      await demo.stop();
    });
    const ada: Person = createPerson(demo.url, 'U0ADA');
    const mia = createPerson(demo.url, 'U0MIA');

    // Connects the account with the key the scanner shows.
    expect(await ada.say('C0GENERAL', '/scandesk connect')).toMatchObject({ ok: true });
    const form = await ada.waitForView(callback('connect'));
    const { api_key } = await scannerState(demo.url);
    expect(
      await ada.submit(form.id, { key: { 'connect.key': { type: 'plain_text_input', value: api_key } } }),
    ).toMatchObject({ ok: true });
    const databases = await ada.waitForView(callback('connect.databases'));
    expect(textOf(databases.view)).toContain('Harbour Lights Festival tickets');
    await ada.submit(databases.id, {});

    // Looks a barcode up with one command, for the asker alone.
    await ada.say('C0GENERAL', `/barcode ${known}`);
    const card = await ada.waitForMessage('C0GENERAL', (m) =>
      textOf(m.blocks).includes('Harbour Lights Festival tickets'),
    );
    expect(card.ephemeral_for).toBe('U0ADA');
    expect(textOf(card.blocks)).toContain(known);
    expect((await mia.messages('C0GENERAL')).some((m) => textOf(m.blocks).includes(known))).toBe(false);

    // Shares the card with the channel.
    const answered = await ada.waitForMessage('C0GENERAL', (m) => textOf(m.blocks).includes('Share here'));
    const share = (answered.blocks as { block_id: string; elements?: { action_id?: string }[] }[]).find((block) =>
      block.elements?.some((element) => element.action_id === 'lookup.share'),
    );
    await ada.act({
      container: { type: 'message', channel: 'C0GENERAL', ts: answered.ts },
      block_id: share!.block_id,
      action_id: 'lookup.share',
    });
    const shared = await mia.waitForMessage('C0GENERAL', (m) => textOf(m.blocks).includes(known));
    expect(shared.ephemeral_for).toBeUndefined();

    // Sets a relay up and hands out its URL.
    await ada.say('C0GENERAL', '/scandesk relay');
    const list = await ada.waitForView(callback('relay.list'));
    const block = (list.view.blocks as { block_id: string; elements?: { action_id?: string }[] }[]).find((b) =>
      b.elements?.some((element) => element.action_id === 'relay.new'),
    );
    await ada.act({
      container: { type: 'view', view_id: list.id },
      block_id: block!.block_id,
      action_id: 'relay.new',
    });
    const relayForm = await ada.waitForView(callback('relay.form'));
    const fields = relayForm.view.blocks as { block_id: string; element?: { action_id?: string } }[];
    const serviceField = fields.find(({ element }) => element?.action_id === 'relay.service')!;
    await ada.submit(relayForm.id, {
      [serviceField.block_id]: {
        'relay.service': {
          type: 'static_select',
          selected_option: { text: { type: 'plain_text', text: service.name, emoji: false }, value: service.id },
        },
      },
      'relay.channel': {
        'relay.channel': { type: 'conversations_select', selected_conversation: 'C0FRONTGATE' },
      },
      'relay.notable': {
        'relay.notable': {
          type: 'radio_buttons',
          selected_option: { text: { type: 'plain_text', text: 'Every scan', emoji: false }, value: 'all' },
        },
      },
    });
    const made = await ada.waitForView(callback('relay.url'));
    const relayUrl = /http:\/\/127\.0\.0\.1:\d+\/relay\/[\w-]+\/[\w-]+/.exec(textOf(made.view))?.[0] ?? '';
    expect(relayUrl).not.toBe('');

    // Answers a scan on the device and posts it into the channel.
    await enterUrl(demo.url, relayUrl);
    const result = await scan(demo.url, scanned);
    expect(result.shown.kind).toBe('valid');
    const post = await ada.waitForMessage('C0FRONTGATE', (m) => textOf(m.blocks).includes(scanned));
    expect(textOf(post.blocks)).toContain(service.name);

    // Keeps a leading zero, spaces and signs on the whole way.
    const odd = ' 007 <!channel> *x* `y` :100: &amp; ';
    await scan(demo.url, odd);
    const exact = await ada.waitForMessage('C0FRONTGATE', (m) => textOf(m.blocks).includes(odd));
    expect(exact.text).not.toContain('<!channel>');

    // Stops cleanly, and a second start finds yesterday’s data at the same address.
    const address = demo.url;
    expect(await demo.stop()).toBe(0);
    demo = await startDemo(folder);
    expect(demo.url).toBe(address);
    expect(await ada.messages('C0FRONTGATE')).toHaveLength(2);
    await scan(demo.url, 'after the night');
    await ada.waitForMessage('C0FRONTGATE', (m) => textOf(m.blocks).includes('after the night'));
    expect(await ada.messages('C0FRONTGATE')).toHaveLength(3);

    // Lets no secret be seen: not in the log, not in the database, not in what Slack was told.
    const { botToken, signingSecret, clientSecret } = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'));
    expectNoSecrets({
      secrets: { api_key, botToken, signingSecret, clientSecret },
      log: demo.output(),
      databaseFile: join(folder, 'scandesk.db'),
      calls: await callsOf(demo.url),
    });
  }, 180_000);
});
