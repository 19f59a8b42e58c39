/**
 * Changes that an answer proposes: commands that open the form or the confirmation of the change, or the card. Slackbot
 * passes on clicks to tools alone, which only read, so the person types the command. Pure.
 */
import { z } from 'zod';
import type { Lookup } from '../../lookup/index.js';
import { type Block, section } from '../../slack/block-kit/elements.js';
import { code, richText, visible } from '../../slack/block-kit/text.js';

const labels = {
  mark_not_valid: 'Mark it not valid',
  mark_valid: 'Mark it valid',
  delete: 'Delete it',
  open_card: 'Change it from its card',
} as const;

export const proposalShape = z.object({
  change: z.enum(Object.keys(labels) as [keyof typeof labels]),
  database: z.string().optional(),
  command: z.string().describe('To be typed in any channel by the person; it opens a form or a confirmation'),
});
export type Proposal = z.output<typeof proposalShape>;

/** The proposals for a person who may change values. */
export function proposalsFor({ value, findings }: Pick<Lookup, 'value' | 'findings'>): readonly Proposal[] {
  // A barcode with invisible characters has no proposals: nobody can type it in a command.
  if (visible(value) !== value) {
    return [];
  }
  const knownFindings = findings.filter((finding) => finding.kind === 'known');
  return [
    ...knownFindings.flatMap(({ database, value: stored, valid }): Proposal[] => {
      const names = `database_id=${database.id} value=${asTyped(stored)}`;
      return [
        {
          change: valid ? 'mark_not_valid' : 'mark_valid',
          database: database.name,
          command: `/scandesk call databases editvalue ${names} validity=${valid ? 0 : 1} ?`,
        },
        { change: 'delete', database: database.name, command: `/scandesk call databases deletevalue ${names}` },
      ];
    }),
    { change: 'open_card', command: `/barcode ${value.includes('"') ? value : `"${value}"`}` },
  ];
}

/** A value in quotes, as `/scandesk call` parses it. */
function asTyped(value: string): string {
  return `"${value.replaceAll('"', '""')}"`;
}

export function proposalBlocks(proposals: readonly Proposal[]): Block[] {
  return proposals.length === 0
    ? []
    : [
        section('*To change it*, type one of these in any channel. Scandesk asks before anything changes.'),
        richText(
          ...proposals.map(({ change, database, command }) => [
            `${labels[change]}${database === undefined ? '' : ` in ${database}`}: `,
            code(command),
          ]),
        ),
      ];
}
