import { describe, expect, it } from 'vitest';
import { type RelaySettings, relaySettingsSchema, type VariableName } from '../../../../src/relay/index.js';
import { formStateIn } from '../../../../src/slack/forms/view-state.js';
import { readSecurity } from '../../../../src/slack/relays/settings/security/form.js';

type State = Parameters<typeof formStateIn>[0]['state'];

/** Reads the security form with these names of a template entered. */
function read(names: Partial<Record<VariableName, string>>) {
  const values = Object.fromEntries(
    Object.entries({ tid: '', ...names }).map(([name, value]) => [
      `security.name.${name}`,
      { field: { type: 'plain_text_input', value } },
    ]),
  );
  return readSecurity(formStateIn({ state: { values } as unknown as State }), false);
}

describe('the variable names in the security form', () => {
  it('the security form refuses variable names with brackets, and says how to correct them', () => {
    expect(read({ tid: 'scan[code]' })).toEqual({
      errors: {
        'security.name.tid': 'Names can’t contain brackets. Rename this field in the template.',
      },
    });
    expect(read({ answers: 'replies[12]', questions: 'asked]' })).toEqual({
      errors: {
        'security.name.answers': 'Enter only the part before the brackets.',
        'security.name.questions': 'Enter only the part before the brackets.',
      },
    });
  });

  it('the security form keeps variable names as entered, with their case', () => {
    const change = read({ tid: 'Code', answers: 'replies' });
    const before: RelaySettings = relaySettingsSchema.parse({});
    expect('change' in change && change.change(before).names).toEqual({ tid: 'Code', answers: 'replies' });
  });
});
