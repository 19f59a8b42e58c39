/**
 * Checks that follow from an operation's declaration alone: booleans, integers, enums. All other checks are the
 * handler's. The generator is exempt: it accepts more symbologies than are declared.
 */
import { findOperation } from '../../../codereadr/operations/index.js';
import type { Param } from '../../../codereadr/operations/operation.js';
import { Refusal, type RefusalCode, refusalTexts } from '../answer/refusal.js';
import type { Variables } from './variables.js';

/** Checks a call's variables. @throws Refusal 50, or the declaration's code for an enum */
export function checkDeclared(section: string, action: string, variables: Variables): void {
  const operation = findOperation(section, action);
  if (!operation || operation.host === 'generator') return;
  for (const [paramName, variable] of Object.entries(operation.input)) {
    if (variables.has(paramName)) check(paramName, variable, variables);
  }
}

function check(name: string, variable: Param, variables: Variables): void {
  switch (variable.type) {
    case 'boolean':
      variables.flag(name);
      return;
    case 'integer':
      variables.whole(name, { min: variable.min ?? 0, max: variable.max ?? 999_999_999_999_999 });
      return;
    case 'enum':
      variables.choice(
        name,
        variable.options.map(([value]) => value),
        codeOf(variable),
      );
      return;
    case 'enumList': {
      const known = new Set(variable.options.map(([value]) => value));
      const wrong = variables.names(name)?.find((value) => !known.has(value.trim()));
      if (wrong !== undefined) throw new Refusal('50', `${name} does not know one of its values.`);
      return;
    }
    default:
      return;
  }
}

function codeOf(variable: Param): RefusalCode {
  const code = variable.errors?.[0];
  return code !== undefined && Object.hasOwn(refusalTexts, code) ? (code as RefusalCode) : '50';
}
