/** Accessors for JSON of unknown shape from an app: each returns a default instead of throwing. */

export type Json = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function record(object: Json | undefined, key: string): Json | undefined {
  const value = object?.[key];
  return isRecord(value) ? value : undefined;
}

export function str(object: Json | undefined, key: string): string | undefined {
  const value = object?.[key];
  return typeof value === 'string' ? value : undefined;
}

export function num(object: Json | undefined, key: string): number | undefined {
  const value = object?.[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function flag(object: Json | undefined, key: string): boolean {
  return object?.[key] === true;
}

export function records(object: Json | undefined, key: string): readonly Json[] {
  const value = object?.[key];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function strings(object: Json | undefined, key: string): readonly string[] {
  const value = object?.[key];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}
