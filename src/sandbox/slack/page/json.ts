/** Accessors for JSON of unknown shape from an app: each returns a default instead of throwing. */

export type Json = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function record(of: Json | undefined, key: string): Json | undefined {
  const value = of?.[key];
  return isRecord(value) ? value : undefined;
}

export function str(of: Json | undefined, key: string): string | undefined {
  const value = of?.[key];
  return typeof value === 'string' ? value : undefined;
}

export function num(of: Json | undefined, key: string): number | undefined {
  const value = of?.[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function flag(of: Json | undefined, key: string): boolean {
  return of?.[key] === true;
}

export function records(of: Json | undefined, key: string): readonly Json[] {
  const value = of?.[key];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function strings(of: Json | undefined, key: string): readonly string[] {
  const value = of?.[key];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}
