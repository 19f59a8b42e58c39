import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ShownMessage } from '../../../src/sandbox/slack/api.js';
import type { Store } from '../../../src/workspaces/types.js';
import { read } from '../block-kit/reading.js';
import { type Person, startTestApp, type TestApp } from '../test-app.js';

const text = (message: ShownMessage) => read(message.blocks);
const dayMs = 86_400_000;

describe('the duration of a watch or a mute', () => {
  let testApp: TestApp;
  let store: Store;
  let ada: Person;

  beforeAll(async () => {
    testApp = await startTestApp();
    ada = testApp.person('U0ADA');
    // The store is opened after the app has started: in one process, each start would wait for the other.
    store = await testApp.openStore();
  });
  afterAll(async () => {
    await store?.close();
    await testApp?.stop();
  });

  const watches = () => store.db.selectFrom('watches').select(['value', 'until', 'made_at']).execute();

  it('a watch or a mute with an invalid duration is refused, unless the whole text is in quotes', async () => {
    const said = await ada.command('/scandesk watch HLF-000004 for 2x');
    expect(said.ephemeral_for).toBe('U0ADA');
    expect(text(said)).toBe(
      '“for 2x” is not a valid duration. Enter a duration such as 30m, 2h or 2d. If this is part of the barcode, put the barcode in quotes.',
    );
    expect(text(await ada.command('/scandesk mute HLF-000004 for 2x'))).toContain('“for 2x” is not a valid duration.');
    for (const ending of ['for banana', 'for -3d']) {
      for (const verb of ['watch', 'mute']) {
        const refusal = text(await ada.command(`/scandesk ${verb} HLF-000004 ${ending}`));
        expect(refusal).toMatch(
          new RegExp(`^“${ending}” is not a valid duration\\..* put the barcode in quotes\\.$`, 'u'),
        );
      }
    }
    expect(await watches()).toEqual([]);
    await ada.command('/scandesk watch "HLF-000004 for 2x"');
    expect((await watches()).map(({ value }) => value)).toEqual(['HLF-000004 for 2x']);
    await store.db.deleteFrom('watches').execute();
  });

  it('a watch or a mute whose text ends in “for” is refused with the request for a duration', async () => {
    for (const verb of ['watch', 'mute']) {
      expect(text(await ada.command(`/scandesk ${verb} HLF-000004 for `))).toBe(
        'No duration follows “for”. Enter a duration such as 30m, 2h or 2d. If this is part of the barcode, put the barcode in quotes.',
      );
    }
    expect(await watches()).toEqual([]);
  });

  it('a watch over the maximum duration is shortened to the maximum, and its answer says so', async () => {
    const said = await ada.command('/scandesk watch HLF-000004 for 99999d');
    expect(text(said)).toContain('Watching HLF-000004');
    expect(text(said)).toContain('. A watch lasts at most 90 days.');
    const [row] = await watches();
    expect(row!.until - row!.made_at).toBe(90 * dayMs);
    await store.db.deleteFrom('watches').execute();
  });

  it('a watch in a private channel without Scandesk is refused, with the command to type there', async () => {
    const said = text(await ada.command('/scandesk watch HLF-000004', 'C0MANAGERS'));
    expect(said).toContain('Type /invite @Scandesk here, then run /scandesk watch VALUE again.');
    expect(said).not.toContain('form');
    expect(await watches()).toEqual([]);
  });
});
