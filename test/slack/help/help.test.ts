import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RequiredRole } from '../../../src/slack/bolt/people/permissions.js';
import { tables } from '../../../src/slack/features.js';
import { commandGroups } from '../../../src/slack/help/command-groups.js';
import { highlights } from '../../../src/slack/help/highlights.js';
import { unknownCommand } from '../../../src/slack/help/unknown-command.js';
import { read } from '../block-kit/reading.js';
import { eventually, startTestApp, type TestApp } from '../test-app.js';

const rank: Readonly<Record<RequiredRole, number>> = { everyone: 0, manager: 1, admin: 2 };

describe('the first lines', () => {
  test.each(['everyone', 'manager', 'admin'] as const)(
    'the help lines for the role %s are at most nine commands that it may use, the five for everyone first',
    (role) => {
      expect(highlights[role].slice(0, 5)).toEqual(highlights.everyone);
      expect(highlights[role].length).toBeLessThanOrEqual(9);
      for (const { typed } of highlights[role]) {
        if (typed.startsWith('⋮ ')) {
          expect(readFileSync('manifest.yml', 'utf8')).toContain(`- name: ${typed.slice(2)}\n      type: message`);
          continue;
        }
        const [command, word] = typed.split(' ');
        const table = tables().find((each) => each.command === command)!;
        const entry =
          word === undefined || /^(VALUE|TEXT)/.test(word)
            ? table.otherwise
            : table.subcommands.find(({ name }) => name === word);
        expect(entry, typed).toBeDefined();
        expect(rank[entry!.role], typed).toBeLessThanOrEqual(rank[role]);
      }
    },
  );
});

test('an admin’s help lines have each word that Slack hints at while /scandesk is typed', () => {
  const hint =
    /command: \/scandesk\n.*\n.*\n +usage_hint: "(.*)"/.exec(readFileSync('manifest.yml', 'utf8'))?.[1] ?? '';
  const words = hint.split(' | ').filter((word) => word !== 'help');
  expect(words.length).toBeGreaterThan(4);
  expect(words.filter((word) => !highlights.admin.some(({ typed }) => typed.split(' ')[1] === word))).toEqual([]);
});

describe('an unknown subcommand', () => {
  test.each([
    ['relays', ['/scandesk relay']],
    ['Conect', ['/scandesk connect']],
    ['burst', ['/scandesk relay']],
    ['Lists', ['/scandesk inside']],
    ['mutte 0012', ['/scandesk mute 0012']],
    ['ab', []],
    ['calls', ['/scandesk call']],
    ['wach 0012 for 2d', ['/scandesk watch 0012 for 2d']],
    ['servces', ['/scandesk services']],
    ['database', ['/scandesk databases']],
    ['make 0012', ['/barcode make 0012']],
    ['HLF-000001', ['/barcode HLF-000001']],
    ['"00 12"', ['/barcode "00 12"']],
    ['frobnicate', []],
    ['', []],
  ])('an unknown subcommand gets suggestions of what was meant: /scandesk %s → %j', (text, meant) => {
    expect(unknownCommand(tables(), '/scandesk', text).suggestions).toEqual(meant);
  });
});

describe('help in Slack', () => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await startTestApp();
  });
  afterAll(() => testApp.stop());

  test.each([
    ['U0MIA', 'everyone'],
    ['U0ADA', 'admin'],
  ] as const)('the person %s gets the help lines of the role %s', async (id, role) => {
    for (const typed of ['/scandesk', '/scandesk help', '/scandesk HELP', '/barcode help']) {
      const text = read((await testApp.person(id).command(typed)).blocks);
      for (const line of highlights[role]) {
        expect(text, typed).toContain(`${line.typed}  ${line.description}`);
      }
      const commands = highlights[role].filter((line) => line.typed.startsWith('/'));
      expect(text.match(/\/(barcode|scans|scandesk) /g), typed).toHaveLength(commands.length);
    }
  });

  test('Show all replaces the short help by every command, once, by subject', async () => {
    const mia = testApp.person('U0MIA');
    const answer = await mia.command('/scandesk help');
    await mia.clickMessage(answer, 'help.all');
    const text = await eventually(async () => {
      const shown = read((await mia.messages()).find(({ ts }) => ts === answer.ts)?.blocks);
      return shown.includes('For admins and people with access') ? shown : undefined;
    }, 'every command');
    const isDouble = (command: string, name: string) =>
      ['/barcode help', '/scans help', '/scans form', '/scans inside', '/scandesk scans'].includes(
        `${command} ${name}`,
      );
    for (const { command, subcommands } of tables()) {
      for (const { name, usage, description } of subcommands) {
        const times = text.split(`${command} ${usage}  ${description}`).length - 1;
        expect([command, name, times]).toEqual([command, name, isDouble(command, name) ? 0 : 1]);
      }
    }
    for (const { title } of commandGroups) expect(text).toContain(title);
    expect(text).toContain('Add “for 2d” to set how long');
  });

  test('an unknown subcommand is answered with a suggestion, and is repeated letter by letter', async () => {
    const answer = await testApp.person('U0MIA').command('/scandesk wach *0012* <!channel>');
    expect(read(answer.blocks)).toContain('Did you mean /scandesk watch *0012* <!channel>');
    expect(read(answer.blocks)).toContain(highlights.everyone[0]!.typed);
  });

  const key = '9f7A0c52d1e84b6f3a7c5e9d0b1f2a34';

  test.each([
    `/scandesk ${key}`,
    `/barcode ${key}`,
    `/scandesk conect ${key}`,
    `/barcode make ${key}`,
    `/scans ${key}`,
  ])('what looks like an API key in %s is not repeated, and the person is told to replace the key', async (typed) => {
    const answer = await testApp.person('U0MIA').command(typed);
    expect(JSON.stringify(answer)).not.toContain(key);
    expect(read(answer.blocks)).toContain('looks like an API key');
    expect(read(answer.blocks)).toContain('create a new one');
  });

  test('text in quotes that looks like an API key is not refused by /barcode make', async () => {
    const answer = await testApp.person('U0MIA').command(`/barcode make "${key}"`);
    expect(JSON.stringify(answer)).not.toContain('API key,');
  });

  test('a member who is given access gets the help lines of a manager', async () => {
    const ada = testApp.person('U0ADA');
    await ada.say('/scandesk access');
    await ada.submit(await ada.seesWindow('Manage access'), {
      users: { 'access.users': { type: 'multi_users_select', selected_users: ['U0MIA'] } },
    });
    await eventually(async () => {
      const text = read((await testApp.person('U0MIA').command('/scandesk help')).blocks);
      return text.includes(highlights.manager[5]!.typed) && !text.includes('/scandesk access');
    }, 'the lines of a manager');
  });
});
