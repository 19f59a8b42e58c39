/**
 * A tool: what a client is told of it, and its answer. Every tool reads; none changes anything. A tool's prose is constant:
 * text from outside stands in `data`, and in `text` in quotes, so that it cannot pose as instructions.
 */
import type { z } from 'zod';
import { ScandeskError } from '../errors.js';
import type { Block } from '../slack/block-kit/elements.js';
import type { BaseContext } from '../slack/bolt/routing/context.js';

export type ToolContext = Pick<BaseContext, 'deps' | 'actor' | 'client' | 'reference' | 'topic' | 'person'>;

export interface ToolAnswer<Data> {
  readonly data: Data;
  /** For a reader of the text alone. */
  readonly text: string;
  /** As the command draws them; what Slackbot does not draw is left out by `slackbotBlocks`. */
  readonly blocks: readonly Block[];
}

export interface Tool<In extends z.ZodObject = z.ZodObject, Out extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** A model chooses the tool by this text. */
  readonly description: string;
  readonly input: In;
  readonly output: Out;
  /** @throws as the command does */
  answer(context: ToolContext, input: z.output<In>): Promise<ToolAnswer<z.input<Out>>>;
}

/** A tool's arguments are wrong, as constant words say. */
export class ToolInputError extends ScandeskError {
  constructor(readonly problem: string) {
    super('mcp.input', problem);
  }
}

/** Checks the answer against the schemas. */
export function tool<In extends z.ZodObject, Out extends z.ZodObject>(declared: Tool<In, Out>): Tool {
  return declared as unknown as Tool;
}
