/**
 * The variables that a rule sends when it starts a workflow: flat texts with placeholders, under the names of the
 * variables that the workflow's trigger declares. Pure.
 */
import { z } from 'zod';

export const workflowPlaceholders = [
  ...(['barcode', 'result', 'service', 'gate', 'person', 'moment', 'answers'] as const),
  /** A key that is equal for the same scan: the workflow can tell a repeat by it. */
  'scan_key',
] as const;
export type WorkflowPlaceholder = (typeof workflowPlaceholders)[number];
export type WorkflowValues = Readonly<Record<WorkflowPlaceholder, string>>;

const variableSchema = z.object({ name: z.string().regex(/^[a-z_]\w{0,49}$/i), text: z.string().max(500) });
export type WorkflowVariable = z.output<typeof variableSchema>;

export const workflowVariablesSchema = z.array(variableSchema).min(1).max(20);

export const workflowSchema = z.object({
  /** The id of the trigger, which names the queue of its starts. The trigger's URL is a secret, stored elsewhere. */
  trigger: z.string().min(1),
  variables: workflowVariablesSchema,
});

const placeholder = /\{(\w+)\}/g;

/** The placeholders in the text that do not exist. */
export function unknownPlaceholders(text: string): readonly string[] {
  return [...text.matchAll(placeholder)].flatMap(([, name = '']) => (isPlaceholder(name) ? [] : [name]));
}

export function filledVariables(variables: readonly WorkflowVariable[], values: WorkflowValues) {
  const fillText = (text: string) =>
    text.replace(placeholder, (whole, name: string) => (isPlaceholder(name) ? values[name] : whole));
  return Object.fromEntries(variables.map(({ name, text }) => [name, fillText(text)] as const));
}

function isPlaceholder(name: string): name is WorkflowPlaceholder {
  return (workflowPlaceholders as readonly string[]).includes(name);
}
