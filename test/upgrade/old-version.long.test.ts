import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ShownView } from '../../src/sandbox/slack/api.js';
import { closeAll } from '../slack/relays/relay-stage.js';
import { type Person, startTestApp, type TestApp } from '../slack/test-app.js';
import { choicesOf, elementsOf, messageKind, viewKind } from './crawl.js';
import {
  clockSince,
  leftBehind,
  type OldProcess,
  oldViews,
  restoreDatabase,
  startOldProcess,
  writeOldWorkspace,
} from './old-version.js';

const views = oldViews();

/** Each of these tests goes through all recorded messages or views. */
const timeout = 600_000;

/** Whether an action may delete what others are about: such actions come last. */
const ending = (text: string) => /connect|remove|delete|clear|rotate|end_secret|replace/.test(text);
const endingsLast = <T>(all: readonly T[], text: (one: T) => string): readonly T[] => [
  ...all.filter((one) => !ending(text(one))),
  ...all.filter((one) => ending(text(one))),
];

const kinds = <T>(all: readonly T[], kind: (one: T) => string): T[] => [
  ...new Map(all.map((one) => [kind(one), one])).values(),
];

describe('messages and views of the former version in Slack', () => {
  const folder = mkdtempSync(join(tmpdir(), 'scandesk-upgrade-'));
  const lines: string[] = [];
  let calledSoFar = 0;
  let testApp: TestApp;
  let ada: Person;
  let old: OldProcess;

  beforeAll(async () => {
    const databaseFile = join(folder, 'scandesk.db');
    const workspaceFile = join(folder, 'workspace.db');
    await restoreDatabase('sqlite', `file:${databaseFile}`);
    await writeOldWorkspace(workspaceFile);
    testApp = await startTestApp({
      ...{ databaseUrl: `file:${databaseFile}`, workspaceFile, lines, appClock: clockSince(leftBehind('sqlite').at) },
      settings: { POST_INTERVAL_MS: '0' },
      limits: { minute: 100_000, day: 10_000_000 },
    });
    ada = testApp.person('U0ADA');
    old = await startOldProcess(testApp);
  });
  afterAll(async () => {
    await old?.close();
    await testApp?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The log lines since then about a request that could not be read, or that failed. */
  const misunderstood = (since: number): string[] =>
    lines.slice(since).filter((line) => /"slack\.state"|"level":50|ZodError/.test(line));

  /** Does the work and waits until the app calls Slack or a refusal comes; `wrong`: log lines of failures. */
  async function answered(
    work: () => Promise<unknown>,
    patienceMs = 10_000,
  ): Promise<{ result: unknown; seen: boolean; wrong: string[] }> {
    const from = lines.length;
    const last = (await testApp.calls(calledSoFar)).at(-1);
    calledSoFar = last?.n ?? calledSoFar;
    const result = await work();
    const until = Date.now() + patienceMs;
    for (;;) {
      const calls = await testApp.calls(calledSoFar);
      const { ok, errors } = (result ?? {}) as { readonly ok?: boolean; readonly errors?: unknown };
      if (calls.length > 0 || ok === false || errors !== undefined || Date.now() > until) {
        return { result, seen: calls.length > 0, wrong: misunderstood(from) };
      }
      await new Promise((done) => setTimeout(done, 20));
    }
  }

  it('the test of the upgrade has over 100 views of the former version', () => {
    expect(views.length).toBeGreaterThan(100);
  });

  it('each button in each of the former version’s messages is answered by this version', { timeout }, async () => {
    const channels = (await ada.channels()).map(({ id }) => id);
    const messages = (await Promise.all(channels.map((id) => ada.messages(id)))).flat();
    const withButtons = kinds(
      messages.filter(({ blocks }) => elementsOf(blocks).length > 0),
      messageKind,
    );
    expect(withButtons.length).toBeGreaterThan(10);
    const silent: unknown[] = [];
    for (const message of withButtons) {
      for (const element of endingsLast(elementsOf(message.blocks), ({ action }) => action)) {
        for (const chosen of await choicesOf(ada, testApp, {}, element)) {
          await closeAll(ada);
          const { result, seen, wrong } = await answered(() => ada.clickMessage(message, element.action, chosen));
          // A message that an earlier click replaced has that button no more.
          const gone = (result as { error?: string }).error === 'no_such_element';
          if ((!seen && !gone) || wrong.length > 0) {
            silent.push({ action: element.action, chosen, message: messageKind(message), result, wrong });
          }
        }
      }
    }
    expect(silent).toEqual([]);
  });

  it('every button and choice of the former version’s views is answered by this version', { timeout }, async () => {
    const silent: unknown[] = [];
    const done = new Set<string>();
    for (const view of endingsLast(kinds(views, viewKind), ({ callback_id: id }) => id)) {
      for (const element of elementsOf(view.view.blocks).filter(({ input }) => !input)) {
        const key = `${view.callback_id} ${element.action} ${element.type}`;
        if (done.has(key)) {
          continue;
        }
        done.add(key);
        await closeAll(ada);
        await old.open(ada, view);
        const open = view.view.type === 'home' ? await ada.home() : await ada.window();
        const [chosen] = await choicesOf(ada, testApp, { view: open ?? undefined }, element);
        if (chosen === undefined && element.type !== 'button') {
          continue;
        }
        const block = elementsOf(open!.view.blocks).find(
          ({ action, block }) => action === element.action && block === element.block,
        )!.block;
        const { seen, wrong, result } = await answered(() => ada.click(open!, element.action, chosen, block));
        if (wrong.length > 0 || (!seen && element.type === 'button')) {
          silent.push({ callback: view.callback_id, action: element.action, chosen, result, wrong });
        }
      }
    }
    expect(silent).toEqual([]);
  });

  it('each of the former version’s forms can be submitted to this version', { timeout }, async () => {
    const wrongly: unknown[] = [];
    const forms = endingsLast(
      kinds(
        views.filter(({ view }) => view.submit),
        viewKind,
      ),
      ({ callback_id: id }) => id,
    );
    expect(forms.length).toBeGreaterThan(50);
    for (const form of forms) {
      await closeAll(ada);
      await old.open(ada, form);
      const open = (await ada.window()) as ShownView;
      // Some forms are only closed. An error that comes later is found with the next form.
      const { result, wrong } = await answered(async () => ada.submit(open, filledIn(open)), 1_000);
      if (wrong.length > 0 || (result as { ok?: boolean }).ok === undefined) {
        wrongly.push({ form: viewKind(form), result, wrong });
      }
    }
    expect(wrongly).toEqual([]);
  });
});

/** A value for each empty input. */
function filledIn(view: ShownView): Record<string, Record<string, Record<string, unknown>>> {
  const filled: Record<string, Record<string, Record<string, unknown>>> = {};
  for (const { block, action, type, element } of elementsOf(view.view.blocks)) {
    const holds = Object.values((view.state?.[block]?.[action] as object | undefined) ?? {}).some(
      (value) => value !== null && value !== type && !(Array.isArray(value) && value.length === 0),
    );
    if (holds) {
      continue;
    }
    const [first] = (element.options as unknown[] | undefined) ?? [];
    const value: Record<string, unknown> | undefined =
      type === 'plain_text_input'
        ? { value: 'A-1' }
        : type === 'number_input'
          ? { value: '1' }
          : type === 'email_text_input'
            ? { value: 'a@example.com' }
            : type === 'url_text_input'
              ? { value: 'https://example.com/' }
              : (type === 'static_select' || type === 'radio_buttons') && first
                ? { selected_option: first }
                : (type === 'multi_static_select' || type === 'checkboxes') && first
                  ? { selected_options: [first] }
                  : type === 'conversations_select'
                    ? { selected_conversation: 'C0FRONTGATE' }
                    : type === 'multi_users_select'
                      ? { selected_users: ['U0MIA'] }
                      : undefined;
    if (value) {
      filled[block] = { ...filled[block], [action]: { type, ...value } };
    }
  }
  return filled;
}
