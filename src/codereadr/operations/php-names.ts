/** PHP's names for nested values: `with_property[mode]`, `values[0][value]`. Pure. */
import type { Param } from './operation.js';

const bracketed = /^([^[\]]+)\[([^[\]]*)\](?:\[([^[\]]*)\])?$/;

/**
 * Expands PHP's names (`with_property[mode]`) into nested values; a list of records has indexes that hold fields. An
 * ambiguous name, or one that collides with another, stays as typed, so that validation rejects it by name.
 */
export function expand(rawInput: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!Object.keys(rawInput).some((name) => name.includes('['))) {
    return rawInput;
  }
  const plainInput: Record<string, unknown> = {};
  const nested = new Map<string, Map<string, unknown>>();
  for (const [fieldName, value] of Object.entries(rawInput)) {
    const [, base = '', key = '', field] = bracketed.exec(fieldName) ?? [];
    const group = nested.get(base) ?? new Map<string, unknown>();
    const earlier = group.get(key);
    const fields = earlier instanceof Map ? earlier : new Map<string, unknown>();
    const collides = field === undefined ? earlier !== undefined : earlier !== undefined && earlier !== fields;
    if (base === '' || Object.hasOwn(rawInput, base) || collides) {
      plainInput[fieldName] = value;
      continue;
    }
    group.set(key, field === undefined ? value : fields.set(field, value));
    nested.set(base, group);
  }
  return { ...plainInput, ...Object.fromEntries([...nested].map(([base, group]) => [base, collect(group)])) };
}

const isIndex = (key: string) => /^\d*$/.test(key);

function collect(group: ReadonlyMap<string, unknown>): unknown {
  const entries = [...group].map(([key, value]): [string, unknown] => [
    key,
    value instanceof Map ? withoutProto(value) : value,
  ]);
  const isList = [...group].every(([key, value]) => isIndex(key) && value instanceof Map);
  return isList ? byIndex(entries) : withoutProto(entries);
}

/** An object without a prototype, so that `__proto__` is a name like any other. */
function withoutProto(entries: Iterable<readonly [string, unknown]>): Readonly<Record<string, unknown>> {
  const plainObject: Record<string, unknown> = Object.create(null);
  for (const [key, value] of entries) {
    plainObject[key] = value;
  }
  return plainObject;
}

function byIndex(entries: readonly (readonly [string, unknown])[]): readonly unknown[] {
  return [...entries].sort(([a], [b]) => Number(a) - Number(b)).map(([, value]) => value);
}

/** A value in its declared form: `service_id[0]=1` becomes a list, and `with_property[12]=A` a pair. */
export function asDeclared(param: Param, value: unknown): unknown {
  if (param.type === 'pairs' || typeof value !== 'object' || value === null || Array.isArray(value)) {
    return value;
  }
  const entries = Object.entries(value);
  const isList = Object.getPrototypeOf(value) === null && entries.every(([key]) => isIndex(key));
  return isList ? byIndex(entries) : value;
}
