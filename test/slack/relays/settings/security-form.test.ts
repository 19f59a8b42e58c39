import { describe, expect, it } from 'vitest';
import type { VariableName } from '../../../../src/relay/index.js';
import { security } from '../../../../src/slack/relays/settings/security.js';
import { submittedErrors } from './form-on.js';

/** The errors of the security form with these names of a template entered. */
const errorsOf = (names: Partial<Record<VariableName, string>>) =>
  submittedErrors(
    security,
    Object.fromEntries(
      Object.entries({ tid: '', ...names }).map(([name, value]) => [
        `security.name.${name}`,
        { field: { type: 'plain_text_input', value } },
      ]),
    ),
  );

describe('the variable names in the security form', () => {
  it('the security form refuses variable names with brackets, and says how to correct them', () => {
    expect(errorsOf({ tid: 'scan[code]' })).toEqual({
      'security.name.tid': 'Names can’t contain brackets. Rename this field in the template.',
    });
    expect(errorsOf({ answers: 'replies[12]', questions: 'asked]' })).toEqual({
      'security.name.answers': 'Enter only the part before the brackets.',
      'security.name.questions': 'Enter only the part before the brackets.',
    });
  });
});
