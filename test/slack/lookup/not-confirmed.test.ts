/** Answers that the account does not confirm, from its copy alone: on cards, in lists, shared and recent. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../../src/clock.js';
import type { ShownMessage } from '../../../src/sandbox/slack/api.js';
import { read } from '../block-kit/reading.js';
import { askAccount, connect } from '../connected.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

const minuteMs = 60_000;
const text = ({ blocks }: { readonly blocks?: unknown }) => read(blocks);
const down = { next: [{ as: 'reset', times: 100_000 }] };

describe('while the account does not answer', () => {
  let offset = 0;
  const clock: Clock = { ...systemClock, now: () => Date.now() + offset };
  let testApp: TestApp;
  let ada: Person;
  let mia: Person;

  const scan = async (value: string) => {
    const state = (await (await fetch(`${testApp.accountUrl}/scanner/state`)).json()) as Record<
      'services' | 'users' | 'devices',
      readonly { readonly id: string }[]
    >;
    await fetch(`${testApp.accountUrl}/scanner/scan`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ service_id: '1201', user_id: state.users[0]?.id, device_id: state.devices[0]?.id, value },
      }),
    });
  };
  const isCopied = async () => {
    const store = await testApp.openStore();
    try {
      const rows = await store.db.selectFrom('mirrored_databases').select('fetched_at').execute();
      const mirror = await store.db.selectFrom('mirrors').select('filled').executeTakeFirst();
      return rows.length > 0 && rows.every(({ fetched_at: at }) => at !== null) && mirror?.filled === 1;
    } finally {
      await store.close();
    }
  };
  /** The answer to a command: on a busy machine, a notice that the account is slow may come first. */
  const lookUp = (command: string) =>
    mia.firstAnswer(command, undefined, (message) => !/^(One moment…|Searching )/.test(message.text));
  const share = async (card: ShownMessage, actionId = 'lookup.share') => {
    const before = new Set((await ada.messages()).map(({ ts }) => ts));
    await mia.clickMessage(card, actionId);
    return await eventually(
      async () => (await ada.messages()).find((each) => !before.has(each.ts) && text(each).includes('Shared by')),
      'the shared card',
    );
  };
  const recent = async () => {
    await mia.say('/barcode');
    const form = await mia.seesWindow('Look up barcodes');
    const shown = read(form.view.blocks);
    await mia.close(form);
    return shown;
  };

  beforeAll(async () => {
    testApp = await startTestApp({ clock, settings: { MIRROR_SHARE: '90', ACCOUNT_CALLS_PER_MINUTE: '6000' } });
    ada = testApp.person('U0ADA');
    mia = testApp.person('U0MIA');
    for (const id of ['1201', '1202']) {
      await askAccount(testApp, 'services', 'update', { service_id: id, duplicate_value: '1' });
    }
    await askAccount(testApp, 'databases', 'addvalue', {
      database_id: '1021',
      value: 'MEMBER',
      response: 'Annual pass',
    });
    await scan('MEMBER');
    await connect(ada);
    await eventually(isCopied, 'a copy of the account', 60_000);
    // A younger copy is sure that it does not hold a barcode.
    offset += 70_000;
    // From here on the names are known, too.
    expect(text(await lookUp('/barcode MEMBER'))).toMatch(/✅ Valid, scanned before<!date[^>]*Valid as of/);
    expect(text(await lookUp('/barcode NOWHERE'))).toContain('UnknownNot in');
  }, 90_000);
  afterEach(async () => {
    await testApp.accountFaults({ next: [], api_key_refused: false });
  });
  afterAll(() => testApp?.stop());

  /** Expects “Not checked” and its cause on the card, shared, among recent lookups and among several barcodes. */
  const notChecked = async (value: string, faults: unknown, cause: RegExp, member = 'valid') => {
    await testApp.accountFaults(faults);
    const card = await lookUp(`/barcode ${value}`);
    expect(text(card)).toMatch(/⚠️ Not checked: .*could not be searched⚠️ /);
    expect(text(card)).toContain(' could not be searched: the ');
    expect(text(card)).toMatch(cause);
    expect(text(card)).toMatch(/Their copy as of .*doesn’t hold this barcode\./);
    expect(text(card)).not.toContain('Unknown');
    const shared = text(await share(card));
    expect(shared).toContain('⚠️ Not checked: ');
    expect(shared).toMatch(cause);
    const row = await recent();
    expect(row.slice(row.indexOf(value))).toMatch(/^[A-Z]+-\d+Not checked<!date[^>]*>\n/);
    // A recent lookup tells the cause alone.
    expect(row.slice(row.indexOf(value))).toMatch(new RegExp(cause.source.split('\\. ')[0] ?? ''));
    expect(row).not.toMatch(cause);
    const several = await lookUp(`/barcode MEMBER, ${value}, OTHER-${value}`);
    expect(text(several)).toMatch(new RegExp(`^3 barcodes: 1 ${member}, 2 not checked`));
    expect(text(several).match(/⚠️ Not checked/g)).toHaveLength(2);
    expect(text(several)).not.toContain('Unknown');
    expect(text(several)).toMatch(member === 'valid' ? cause : /No API calls left today/);
    expect(text(await share(several, 'lookup.several.share'))).toContain('2 not checked');
  };

  const refused =
    /he scanning account refused the connected API key\. Ask a workspace admin to enter a new one with \/scandesk connect\./;
  /** On a busy machine the account is slow before it is known to be down. */
  const unreachable =
    /he scanning account (can’t be reached right now|took too long to respond)\. Try again in a minute\./;

  it('a barcode missing in the account’s copy is not checked if the key is refused or the account down', async () => {
    await notChecked('GUEST-1', { api_key_refused: true }, refused);
    await testApp.accountFaults({ next: [], api_key_refused: false });
    await notChecked('GUEST-2', down, unreachable);
  });

  it('a barcode is shown as valid when the account goes down, and 20 minutes later as not confirmed', async () => {
    await testApp.accountFaults(down);
    expect(text(await lookUp('/barcode MEMBER'))).toMatch(/✅ Valid, scanned before<!date[^>]*Valid as of/);
    offset += 20 * minuteMs;
    const card = await lookUp('/barcode MEMBER');
    expect(text(card)).toMatch(/⚠️ Valid, not confirmed<!date\^\d+\^Valid as of \{/);
    expect(card.text).toMatch(/: ⚠️ Valid <!date\^\d+\^as of [^>]+>, not confirmed$/);
    expect(text(card)).toMatch(unreachable);
    expect(text(card)).not.toContain('✅');
    const shared = await share(card);
    expect(text(shared)).toMatch(/⚠️ Valid, not confirmed<!date\^\d+\^Valid as of \{/);
    expect(text(shared)).not.toContain('✅');
    expect(await recent()).toMatch(/MEMBERValid, not confirmed<!date[^\n]+as of [^\n]+\n/);
    const several = await lookUp('/barcode MEMBER, 0099');
    expect(text(several)).toMatch(/^2 barcodes: 1 to check, /);
    expect(text(several)).toMatch(/⚠️ Valid <!date\^\d+\^as of \{[^>]+>, not confirmed/);
    expect(several.text).toMatch(/^2 barcodes: .*, as of /);
    expect(text(several)).not.toContain('✅');
  });

  it('a refused key hides nothing that the copy knows: a scanned barcode is valid, as of then, and not confirmed', async () => {
    await testApp.accountFaults({ api_key_refused: true });
    offset += 20 * minuteMs;
    const old = await lookUp('/barcode MEMBER');
    expect(text(old)).toMatch(/⚠️ Valid, not confirmed<!date\^\d+\^Valid as of \{/);
    expect(text(old).match(refused)).toHaveLength(1);
    expect(text(old)).toMatch(/Last scan.*Gate/);
    expect(text(await lookUp('/barcode MEMBER, 0099'))).toMatch(/^2 barcodes: 1 to check, /);
  });

  // The last one: the client knows from then on that the day has no calls left.
  it('a barcode missing in the account’s copy is not checked when no API calls are left', async () => {
    await notChecked(
      'GUEST-3',
      { next: [{ as: 'refused', code: '113', times: 100_000 }] },
      /he account has no API calls left today\. The limit resets /,
      'to check',
    );
  });
});
