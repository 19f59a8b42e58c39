import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operationName, operations } from '../../../src/codereadr/operations/index.js';
import { refusalTexts } from '../../../src/sandbox/codereadr/answer/refusal.js';
import { createSections } from '../../../src/sandbox/codereadr/operations/index.js';
import { type Harness, startService } from './harness.js';

let h: Harness;
beforeAll(async () => {
  h = await startService();
});
afterAll(() => h.close());

const sections = createSections({ offsetCounts: 'from-one' });

it('the embedded account responds to exactly the declared operations', () => {
  const answered = Object.entries(sections).flatMap(([section, actions]) =>
    Object.keys(actions).map((action) => `${section}/${action}`),
  );
  expect(answered.sort()).toEqual(operations.map(operationName).sort());
  expect(answered.length).toBe(41);
});

it('the embedded account has a text for every declared error code', () => {
  const declared = new Set(operations.flatMap((operation) => operation.errors));
  expect([...declared].filter((code) => !Object.hasOwn(refusalTexts, code))).toEqual([]);
});

describe.each(operations.map((operation) => [operationName(operation), operation] as const))(
  '%s',
  (name, operation) => {
    if (operation.host === 'generator') {
      it(`${name} is served on the barcode generator’s path`, async () => {
        expect((await h.call(name)).code).toBe('1028');
      });
      return;
    }

    it(`${name} is an operation that the embedded account knows`, async () => {
      expect(['110', '120', '2']).not.toContain((await h.call(name)).code);
    });

    const checked = Object.entries(operation.input).filter(([, variable]) =>
      ['boolean', 'integer', 'enum', 'enumList'].includes(variable.type),
    );
    for (const [variable] of checked) {
      it(`${name} refuses an invalid ${variable}, and names ${variable} in the response`, async () => {
        const answer = await h.call(name, { [variable]: 'no such thing' });
        expect(answer.status).toBe('0');
        expect(answer.text).toContain(variable);
      });
    }

    const required = Object.entries(operation.input).filter(([, variable]) => variable.required);
    if (required.length > 0) {
      it(`${name} without its required parameters is refused with a declared error code or with 50`, async () => {
        const { code } = await h.call(name);
        const usual = [...operation.errors, ...required.flatMap(([, variable]) => variable.errors ?? []), '50'];
        expect(usual).toContain(code);
      });
    }
  },
);
