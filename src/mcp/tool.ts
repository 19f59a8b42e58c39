/**
 * A tool: its description for a client, and its answer. Every tool reads; none changes anything. A tool's own words are
 * constant: text from outside is in `data`, and in `text` in quotes, so that it cannot pose as instructions.
 */
import type { z } from 'zod';
import { ScandeskError } from '../errors.js';
import type { Block } from '../slack/block-kit/elements.js';
import type { BaseContext } from '../slack/bolt/routing/context.js';

export type ToolContext = Pick<BaseContext, 'deps' | 'actor' | 'client' | 'reference' | 'topic' | 'person'>;

export interface ToolAnswer<Data> {
  readonly data: Data;
  /** The blocks as the command draws them; `slackbotBlocks` leaves out blocks that Slackbot does not draw. */
  readonly blocks: readonly Block[];
}

export interface Tool<In extends z.ZodObject = z.ZodObject, Out extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** The text by which a model chooses the tool. */
  readonly description: string;
  readonly input: In;
  readonly output: Out;
  /** Answers a call. @throws as the command does */
  answer(context: ToolContext, input: z.output<In>): Promise<ToolAnswer<z.input<Out>>>;
}

/** The error of wrong arguments or too many calls, with a constant message. */
export class ToolInputError extends ScandeskError {
  constructor(readonly problem: string) {
    super('mcp.input', problem);
  }
}

/** Declares a tool, whose answer the compiler checks against its schemas. */
export function tool<In extends z.ZodObject, Out extends z.ZodObject>(declared: Tool<In, Out>): Tool {
  return declared as unknown as Tool;
}
