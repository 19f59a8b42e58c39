/** docs/account-api.md: its tables are made from the declarations, and what the source cites of it is there. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { codes } from '../src/codereadr/operations/codes.js';
import { operationName, operations } from '../src/codereadr/operations/index.js';
import type { InputCondition, Param } from '../src/codereadr/operations/operation.js';
import { serviceSettings } from '../src/codereadr/operations/service-settings.js';
import { expectTable } from './helpers/written-docs.js';

const root = resolve(import.meta.dirname, '..');
const page = 'docs/account-api.md';
const code = (text: string) => `\`${text}\``;
/** A text in which nothing begins a tag or ends the table's cell. */
const cell = (text: string) => text.replace(/[<|]/g, '\\$&');
const under = ({ param, is }: InputCondition) => `${code(param)} ${is.map(code).join(', ')}`;

/** The parameter and when it must be given; empty for an optional one. */
function needed(name: string, { required, requiredWhen, requiredUnlessEmail: unless }: Param): string[] {
  if (required) {
    return [code(name)];
  }
  if (requiredWhen) {
    return [`${code(name)} (with ${under(requiredWhen)})`];
  }
  return unless ? [`${code(name)} (unless ${code(unless.param)} is an email address)`] : [];
}

test('docs/account-api.md lists every declared operation with its needs, parameters and refusals', () => {
  const rows = operations.map((operation) => {
    const params = Object.entries(operation.input);
    const needs = params.flatMap(([name, param]) => needed(name, param));
    const others = params.filter(([name, param]) => needed(name, param).length === 0).map(([name]) => name);
    const isSetting = (name: string) => operation.section === 'services' && name in serviceSettings;
    return [
      code(operationName(operation)),
      needs.join(', '),
      [...others.filter((name) => !isSetting(name)).map(code), ...(others.some(isSetting) ? ['*settings*'] : [])].join(
        ', ',
      ),
      operation.errors.join(', '),
      cell(operation.notes ?? ''),
    ];
  });
  expectTable(page, 'operations', ['operation', 'needs', 'takes', 'error codes', 'to know'], rows);
});

test('docs/account-api.md has the declared settings of a service', () => {
  const rows = Object.entries(serviceSettings).map(([name, setting]) => {
    const { description, default: usual, onlyWhen, requires }: Param = setting;
    const goesWith = [...(onlyWhen ? [under(onlyWhen)] : []), ...(requires ?? []).map(code)];
    return [code(name), cell(description), usual === undefined ? '' : code(usual), goesWith.join('; ')];
  });
  expectTable(page, 'service-settings', ['setting', 'what it is', 'default', 'goes with'], rows);
});

test('docs/account-api.md lists the known error codes with their meanings', () => {
  const rows = [...codes.values()].map(({ code: number, title, todo }) => [number, title, todo]);
  expectTable(page, 'codes', ['code', 'what happened', 'what to do'], rows);
});

test('every heading of docs/account-api.md that the source cites exists', () => {
  const headings = [...readFileSync(join(root, page), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading.toLowerCase().replaceAll(' ', '-'),
  );
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const cited = files.flatMap((name) =>
    [...readFileSync(join(root, 'src', name), 'utf8').matchAll(/account-api\.md#([\w-]+)/g)].map(
      ([, heading]) => heading!,
    ),
  );
  expect(cited.length).toBeGreaterThan(8);
  expect(cited.filter((heading) => !headings.includes(heading))).toEqual([]);
});
