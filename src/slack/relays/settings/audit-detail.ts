/**
 * The audit detail of a settings change: the changed settings, in short, with rules under their names at the time. It
 * never holds a sender's secret. `audit-log/describe-settings.ts` reads it. Pure.
 */
import type { NameOf } from '../../../codereadr/types.js';
import type { RelaySettings, Rule } from '../../../relay/index.js';
import { ruleTitle } from '../../channel-posts/describe/describe-rule.js';

type Detail = Readonly<Record<string, unknown>>;

export function settingsOnRecord(before: RelaySettings, after: RelaySettings, nameOf: NameOf): Detail {
  const names = Object.keys({ ...before, ...after }) as (keyof RelaySettings)[];
  const changed = names.filter((name) => !isSame(before[name], after[name]));
  return Object.assign(
    {},
    ...changed.map((name) =>
      name === 'rules' ? rulesOnRecord(before.rules, after.rules, nameOf) : { [name]: shortened(name, after) },
    ),
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The rules for the audit log: how many there are, and the titles of changed ones. `moved`: only the order changed. */
function rulesOnRecord(rulesBefore: readonly Rule[], rulesAfter: readonly Rule[], nameOf: NameOf): Detail {
  const titles = (rules: readonly Rule[]) => rules.map((rule) => ruleTitle(rule, nameOf));
  const oldRules = new Map(rulesBefore.map((rule) => [rule.id, rule]));
  const keptIds = new Set(rulesAfter.map(({ id }) => id));
  const keptRules = rulesAfter.flatMap((rule) => {
    const old = oldRules.get(rule.id);
    return old && !isSame(old, rule) ? [{ old, rule }] : [];
  });
  const switched = keptRules.filter(({ old, rule }) => isSame({ ...old, on: rule.on }, rule));
  const touched = {
    added: titles(rulesAfter.filter(({ id }) => !oldRules.has(id))),
    removed: titles(rulesBefore.filter(({ id }) => !keptIds.has(id))),
    switchedOn: titles(switched.flatMap(({ rule }) => (rule.on ? [rule] : []))),
    switchedOff: titles(switched.flatMap(({ rule }) => (rule.on ? [] : [rule]))),
    changed: titles(keptRules.flatMap((one) => (switched.includes(one) ? [] : [one.rule]))),
  };
  const changeLists = Object.entries(touched).filter(([, ruleTitles]) => ruleTitles.length > 0);
  return {
    rules: rulesAfter.length,
    ...(changeLists.length === 0 ? { moved: true } : Object.fromEntries(changeLists)),
  };
}

const longestOnRecord = 300;

/** A setting for the audit log. A long list becomes its length, long responses their codes; other long text is cut. */
function shortened(settingName: keyof RelaySettings, settings: RelaySettings): unknown {
  const { judging, answers } = settings;
  const value = settings[settingName] ?? null;
  if (settingName === 'secretProperty') {
    return value === null ? 'removed' : 'set';
  }
  const text = JSON.stringify(value);
  if (text.length <= longestOnRecord) {
    return value;
  }
  if (settingName === 'judging' && judging.kind === 'list') {
    return { kind: 'list', listed: judging.listed, count: judging.values.length };
  }
  if (settingName === 'answers') {
    return Object.keys(answers);
  }
  return Array.isArray(value) ? value.length : `${text.slice(0, longestOnRecord)}…`;
}
