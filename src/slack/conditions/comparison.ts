/** The input for how to compare. Each kind of condition has its own, and reads those of all: a choice outlasts the trigger. */
import type { Kind } from '../forms/form.js';
import type { Choice } from '../forms/inputs.js';
import * as kinds from '../forms/kinds.js';
import type { FormState } from '../forms/view-state.js';

const names = ['answer', 'property', 'response'];

export function comparison(offered: readonly Choice[]): Kind<string | undefined, string> {
  const asOffered = (how: string) => (offered.some(([value]) => value === how) ? how : 'equals');
  const chosen = (state: FormState, name: string) => {
    const line = name.replace(/\w+\.how$/, '');
    const how = names.map((one) => state.choice(`${line}${one}.how`)).find((choice) => choice !== undefined);
    return how === undefined ? undefined : asOffered(how);
  };
  return {
    ...kinds.select(offered),
    entered: (state, name, before) => chosen(state, name) ?? before,
    read: chosen,
  };
}
