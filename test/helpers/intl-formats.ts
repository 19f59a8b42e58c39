/**
 * A counter of Intl date formats created while a function runs: each takes 30 KB of native memory that the garbage
 * collector does not see and frees late.
 */
const spoken = ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'] as const;

export async function dateFormatsMade(work: () => unknown): Promise<number> {
  let made = 0;
  const counted = <Made extends object>(maker: Made): Made =>
    new Proxy(maker, {
      construct: (target, parameters) => {
        made += 1;
        return Reflect.construct(target as () => object, parameters);
      },
      apply: (target, self, parameters) => {
        made += 1;
        return Reflect.apply(target as () => unknown, self, parameters);
      },
    });
  const { DateTimeFormat } = Intl;
  const methods = spoken.map((name) => [name, Date.prototype[name]] as const);
  Intl.DateTimeFormat = counted(DateTimeFormat);
  for (const [name, method] of methods) {
    Date.prototype[name] = counted(method);
  }
  try {
    await work();
  } finally {
    Intl.DateTimeFormat = DateTimeFormat;
    for (const [name, method] of methods) {
      Date.prototype[name] = method;
    }
  }
  return made;
}
