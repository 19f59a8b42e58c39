/** The bounds that a form shares with the schema of its settings: a number's, or the length of a text or a list. */
import { z } from 'zod';

export interface Bounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** The bounds in a schema, also of an optional value or one with a default; of a list, only the most. */
export function boundsOf(schema: z.ZodType): Bounds {
  if (schema instanceof z.ZodNumber) {
    return { min: schema.minValue ?? undefined, max: schema.maxValue ?? undefined };
  }
  if (schema instanceof z.ZodString) {
    return { min: schema.minLength ?? undefined, max: schema.maxLength ?? undefined };
  }
  if (schema instanceof z.ZodArray) {
    const { checks = [] } = schema._zod.def;
    return {
      max: checks.map(({ _zod: { def } }) => (def as { readonly maximum?: number }).maximum).find(Number.isInteger),
    };
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return boundsOf(schema.unwrap() as z.ZodType);
  }
  return {};
}

interface Variant {
  readonly shape: { readonly kind: { readonly value: string } };
}

/** The variant of a union that `kind` discriminates. */
export function variantOf<U extends { readonly options: readonly Variant[] }, const K extends string>(
  { options }: U,
  kind: K,
): Extract<U['options'][number], { readonly shape: { readonly kind: { readonly value: K } } }> {
  return options.find(({ shape }) => shape.kind.value === kind) as never;
}
