/** Every operation's form, in every state it can be in, within Slack's limits and readable. */
import { describe, expect, test } from 'vitest';
import { systemRandom } from '../../../src/clock.js';
import { currentReaderOf } from '../../../src/codereadr/current-values.js';
import { operationName, operations, services } from '../../../src/codereadr/operations/index.js';
import type { Operation, Param } from '../../../src/codereadr/operations/operation.js';
import { checkView } from '../../../src/sandbox/slack/blocks/check.js';
import type { ModalView } from '../../../src/slack/block-kit/elements.js';
import { chooseView, formView } from '../../../src/slack/operations/form/form-view.js';
import { operationForm } from '../../../src/slack/operations/form/operation-form.js';
import type { Menus } from '../../../src/slack/operations/form/param-kinds.js';
import { listedKinds, resourceOption } from '../../../src/slack/operations/form/resources.js';
import { type FormMetadata, startingMetadata } from '../../../src/slack/operations/metadata.js';
import { read } from '../block-kit/reading.js';

/** The most inputs that a person reads in one form. */
const readable = 25;

function menus(count: number): Menus {
  const things = Array.from({ length: count }, (_, at) => ({
    id: String(1000 + at),
    name: at % 2 === 0 ? `Thing ${at} `.repeat(20) : '',
    more: 'a & b <c>'.repeat(20),
  }));
  return Object.fromEntries(listedKinds.map((kind) => [kind, things.map(resourceOption)]));
}

function groupsOf(operation: Operation): readonly string[] {
  return [...new Set(Object.values(operation.input).map(({ group }) => group ?? ''))];
}

/** A long value for each type of parameter. */
function example(param: Param): unknown {
  switch (param.type) {
    case 'text':
      return 'é'.repeat(Math.min(param.max ?? 3000, 3000));
    case 'barcode':
      return '\u001d'.repeat(Math.min(param.max ?? 700, 700));
    case 'boolean':
      return param.default !== '1';
    case 'integer':
      return param.max ?? param.min ?? 7;
    case 'enum':
      return param.options.at(-1)![0];
    case 'enumList':
      return param.options.map(([value]) => value);
    case 'id':
      return '9999';
    case 'ids':
      return Array.from({ length: 60 }, (_, at) => String(990 + at));
    case 'date':
      return '2031-12-31';
    case 'time':
      return '23:59:00';
    case 'zone':
      return 'America/Argentina/ComodRivadavia';
    case 'url':
      return `https://example.com/${'a'.repeat(2900)}`;
    case 'email':
      return `${'a'.repeat(64)}@example.com`;
    case 'json':
      return `{"a":"${'x'.repeat(2900)}"}`;
    case 'names':
      return 'a,'.repeat(1400);
    case 'pairs':
      return { gate: 'x'.repeat(2900) };
    case 'records':
      return [{ value: 'a,"b"', response: 'x'.repeat(2800), validity: true }];
    case 'file':
      return undefined;
  }
}

function everything(operation: Operation, metadata: FormMetadata) {
  const values = Object.fromEntries(Object.entries(operation.input).map(([name, param]) => [name, example(param)]));
  const { form, params } = operationForm(operation, metadata);
  const shown = params.filter(({ kind, name }) => kind.fromRaw(values[name]) !== undefined);
  return { draft: form.draft({ values }), names: shown.map(({ name }) => name) };
}

function expectTaken(view: ModalView, what: string): void {
  const checked = checkView(view, systemRandom);
  expect(checked.ok ? [] : checked.faults, what).toEqual([]);
  expect(JSON.stringify(view).length, what).toBeLessThan(250_000);
}

function inputs(view: ModalView): number {
  return view.blocks.filter((block) => block.type === 'input').length;
}

const problemsOf = (operation: Operation) =>
  Object.keys(operation.input).map((param) => ({ param, path: param, message: 'x & <y> '.repeat(200) }));

test('no form begins or ends with a divider, and no two dividers follow each other', () => {
  for (const operation of operations) {
    const metadata = startingMetadata(operation, {});
    const kinds = formView({ operation, metadata, menus: {} }).blocks.map(({ type }) => type);
    const parted = kinds.filter((kind, at) => kind === 'divider' && (at === 0 || kinds[at + 1] === undefined));
    expect([operationName(operation), parted]).toEqual([operationName(operation), []]);
    expect(kinds.some((kind, at) => kind === 'divider' && kinds[at + 1] === 'divider')).toBe(false);
  }
});

describe.each(operations.map((operation) => [operationName(operation), operation] as const))('%s', (_, operation) => {
  const plain = startingMetadata(operation, {});
  const current = currentReaderOf(operation);
  const told = Object.fromEntries(Object.keys(operation.input).map((name) => [name, 'abcdefgh']));
  const someTold = startingMetadata(operation, { told: { service_name: 'abcdefgh' }, locked: {} });
  const allMetadata = current ? [plain, someTold, startingMetadata(operation, { told })] : [plain];

  test('the form of an operation is accepted by Slack and has at most 25 inputs, with few or many options', () => {
    for (const metadata of allMetadata) {
      for (const count of [0, 1, 99, 100, 500]) {
        const view = formView({ operation, metadata, menus: menus(count) });
        expectTaken(view, `${count}`);
        expect(inputs(view)).toBeLessThanOrEqual(readable);
      }
      expectTaken(formView({ operation, metadata, menus: {} }), 'searched');
    }
  });

  test('the form of an operation has at most 25 inputs with any group unfolded, and reaches every parameter', () => {
    for (const metadata of allMetadata) {
      const reached = new Set<string>();
      for (const group of groupsOf(operation)) {
        const view = formView({ operation, metadata: { ...metadata, open: group }, menus: {} });
        expectTaken(view, group);
        expect(inputs(view), group).toBeLessThanOrEqual(readable);
        for (const block of view.blocks) {
          if (block.type === 'input' && block.block_id?.startsWith('v.')) reached.add(block.block_id.slice(2));
        }
      }
      expect([...reached].sort()).toEqual(Object.keys(operation.input).sort());
    }
  });

  test('the form of an operation stays within Slack’s limits with full fields and errors everywhere', () => {
    for (const metadata of allMetadata) {
      const { draft } = everything(operation, metadata);
      for (const open of [undefined, ...groupsOf(operation)]) {
        const spec = { operation, metadata: { ...metadata, ...(open === undefined ? {} : { open }) }, draft };
        expectTaken(formView({ ...spec, menus: menus(60) }), 'filled in');
        expectTaken(formView({ ...spec, menus: {} }), 'searched');
        expectTaken(
          formView({ ...spec, menus: {}, problems: problemsOf(operation), formProblem: 'wrong '.repeat(1000) }),
          'wrong',
        );
      }
    }
  });

  test('the form of an operation hides no field that has a value', () => {
    for (const metadata of allMetadata) {
      const { draft, names } = everything(operation, metadata);
      const view = formView({ operation, metadata, draft, menus: {} });
      const shown = view.blocks.flatMap((block) => (block.type === 'input' ? [block.block_id] : []));
      for (const name of names) {
        expect(shown).toContain(`v.${name}`);
      }
    }
  });

  test('every hint at an input in an operation’s form has a text', () => {
    for (const group of groupsOf(operation)) {
      const view = formView({ operation, metadata: { ...plain, open: group }, menus: {} });
      for (const block of view.blocks) {
        if (block.type === 'input' && 'hint' in block) {
          expect(block.hint?.text.length, block.block_id).toBeGreaterThan(5);
        }
      }
    }
  });

  if (operation.effect === 'delete') {
    test('the form of a deleting operation never offers the value “all”', () => {
      const view = formView({ operation, metadata: plain, menus: menus(5) });
      expect(JSON.stringify(view)).not.toContain('"value":"all"');
      expect(read(view.blocks)).not.toMatch(/\ball (services|users|questions)\b/i);
    });
  }

  if (current) {
    test('the form of a change asks first for its record', () => {
      const view = chooseView({ operation, metadata: plain, menus: menus(3) }, current.keys);
      expectTaken(view, 'choose');
      const asked = view.blocks.flatMap((block) => (block.type === 'input' ? [block.block_id?.slice(2)] : []));
      expect(asked).toEqual(current.keys);
    });

    test('the form of a change can keep or set each switch and empty each text that the account leaves out', () => {
      const view = (open: string) => formView({ operation, metadata: { ...someTold, open }, menus: {} });
      for (const { name, param, clearable } of operationForm(operation, someTold).params) {
        const blocks = view(param.group ?? '').blocks;
        const input = blocks.find((block) => block.type === 'input' && block.block_id === `v.${name}`);
        if (param.type === 'boolean') {
          expect(JSON.stringify(input)).toMatch(/!keep.*"1".*"0"/);
        }
        if (clearable && name !== 'service_name') {
          const clear = blocks.find((block) => block.block_id === `c.${param.group ?? ''}`);
          expect(JSON.stringify(clear), name).toContain(`"value":"${name}"`);
        }
      }
    });
  }
});

test('the title of every deleting operation, with a question mark, fits a window', () => {
  for (const { title, effect } of operations) {
    if (effect === 'delete') expect(`${title}?`.length).toBeLessThanOrEqual(24);
  }
});

test('the form of a service that posts to a URL has no flags for receiver-only and real-time postback', () => {
  const metadata = startingMetadata(services.update, {
    told: {},
    fixed: { validation_method: 'postback' },
    open: 'Postback',
  });
  const shown = JSON.stringify(formView({ operation: services.update, metadata, menus: {} }));
  expect(shown).toContain('v.postback_url');
  expect(shown).not.toContain('postback_receiver_only');
  expect(shown).not.toContain('postback_real_time_scans');
});

test('the form of a service says that symbologies are reset unless they are chosen', () => {
  const metadata = startingMetadata(services.update, { told: {} });
  const view = formView({ operation: services.update, metadata, menus: {} });
  expect(read(view.blocks)).toContain('resets the symbologies unless you choose them');
  expect(JSON.stringify(view)).toContain('"block_id":"v.symbologies"');
});
