/** The condition for `where` that each of these columns has its value; an undefined value is no condition. */
import type { ExpressionBuilder, ExpressionWrapper, FilterObject, SqlBool } from 'kysely';
import type { Schema } from './schema.js';

type Condition<Table extends keyof Schema> = (
  eb: ExpressionBuilder<Schema, Table>,
) => ExpressionWrapper<Schema, Table, SqlBool>;

export function equal<Table extends keyof Schema>(
  values: NoInfer<Readonly<FilterObject<Schema, Table>>>,
): Condition<Table> {
  return (eb) => eb.and(values);
}
