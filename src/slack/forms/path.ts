/** The path of a value in settings: `atMost.n`. Pure. */

/** Lists are values: a path leads to a list, not into it. */
export type PathOf<Settings> = Settings extends readonly unknown[] | ((...args: never) => unknown)
  ? never
  : Settings extends object
    ? {
        [Key in keyof Settings & string]-?: Key | `${Key}.${PathOf<NonNullable<Settings[Key]>>}`;
      }[keyof Settings & string]
    : never;

type Fields = Readonly<Record<string, unknown>>;

export function valueAt(settings: unknown, path: string): unknown {
  return path.split('.').reduce((held, key) => (held as Fields | undefined)?.[key], settings);
}

/** A copy with the value at the path. Undefined or '' removes the key, and every object that is then empty. */
export function withValue<Settings extends object>(settings: Settings, path: string, value: unknown): Settings {
  return withValueAt(settings as Fields, path.split('.'), value) as Settings;
}

function withValueAt(settings: Fields, [key = '', ...rest]: readonly string[], value: unknown): Fields {
  const { [key]: held = {}, ...others } = settings;
  const next = rest.length === 0 ? value : withValueAt(held as Fields, rest, value);
  const isNone = next === undefined || next === '' || (rest.length > 0 && Object.keys(next as Fields).length === 0);
  return isNone ? others : { ...settings, [key]: next };
}
