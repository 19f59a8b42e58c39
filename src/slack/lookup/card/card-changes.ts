/** The edit controls of a lookup card: the menu for people with access, the last edit and its *Undo* button. Pure. */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { Lookup } from '../../../lookup/index.js';
import { signs } from '../../block-kit/describe-result.js';
import { type Block, type Button, button, confirm, type Option, option } from '../../block-kit/elements.js';
import { shortName } from '../../block-kit/short-text.js';
import { barcodePlain, bold, type LinePart, momentAfter, person, richText } from '../../block-kit/text.js';
import { encode, longest } from '../../bolt/metadata.js';
import type { CardChange } from '../record-store.js';

/** The account saves barcodes of up to so many characters (docs/account-api.md#a-call). */
const longestSaved = 100;

/** A choice in the card's menu, or a button. `card`: the stored card's id. `database`: the one to change, if named. */
export const changeData = z.object({
  card: z.string(),
  to: z.enum(['edit', 'valid', 'invalid', 'add', 'walk_up']),
  database: z.string().optional(),
});

export type ChangeChoice = z.output<typeof changeData>;

const optionValue = (choice: ChangeChoice) => encode(changeData, choice, longest.option);

/** The most databases with menu choices of their own; where more hold the barcode, *Edit response* asks which one. */
const mostMarks = 3;

const longestInMenu = 40;

type KnownFinding = Extract<Lookup['findings'][number], { kind: 'known' }>;

export function knownIn({ findings }: Pick<Lookup, 'findings'>): readonly KnownFinding[] {
  return findings.filter((finding) => finding.kind === 'known');
}

/** The menu or buttons for changes, if any. `card`: the stored card's id. `walkUp`: adding the barcode lets it in. */
export function changeElements(lookup: Lookup, card: string, walkUp = false): (types.Overflow | Button)[] {
  if (isTooLong(lookup)) {
    return [];
  }
  const knownDatabases = knownIn(lookup);
  const addable = lookup.notAsked?.length !== 0 || lookup.findings.some(({ kind }) => kind === 'unknown');
  if (knownDatabases.length === 0) {
    return [
      ...(walkUp ? [button('Add and let in', 'lookup.walk_up', { value: optionValue({ card, to: 'walk_up' }) })] : []),
      ...(addable ? [button('Add to database', 'lookup.add', { value: optionValue({ card, to: 'add' }) })] : []),
    ];
  }
  const options: Option[] = [
    option('Edit response', optionValue({ card, to: 'edit' })),
    ...(canMark(knownDatabases) ? knownDatabases.map(markOption(card, knownDatabases.length === 1)) : []),
    ...(addable ? [option('Add to another database', optionValue({ card, to: 'add' }))] : []),
  ];
  return [{ type: 'overflow', action_id: 'lookup.change', options }];
}

/** Whether each database gets a choice: few hold the barcode, and their ids, of any length, fit Slack's limit. */
function canMark(known: readonly KnownFinding[]): boolean {
  const ids = new Set(known.map(({ database }) => database.id));
  const fit = [...ids].every((id) => JSON.stringify(id).length <= 60);
  return known.length <= mostMarks && ids.size === known.length && fit;
}

function markOption(card: string, isOnly: boolean): (finding: KnownFinding) => Option {
  return ({ valid, database }) => {
    const label = valid ? 'Mark not valid' : 'Mark valid';
    return option(
      isOnly ? label : `${label} in ${shortName(database.name, longestInMenu)}`,
      optionValue({ card, to: valid ? 'invalid' : 'valid', database: database.id }),
    );
  };
}

/** The line for people with access where the card cannot be edited: the barcode is too long. */
export function tooLongLine(lookup: Lookup): string | undefined {
  return isTooLong(lookup)
    ? `The account can save barcodes of up to ${longestSaved} characters, so you can’t change or add this one here.`
    : undefined;
}

function isTooLong({ value, findings }: Lookup): boolean {
  const values = [value, ...findings.flatMap((finding) => (finding.kind === 'known' ? finding.value : []))];
  return values.some((each) => [...each].length > longestSaved);
}

export function changeBlock(change: CardChange): Block {
  return richText(changeLine(change));
}

function changeLine(change: CardChange): LinePart[] {
  const { what, by, at, unconfirmed } = change;
  const database = bold(shortName(change.database.name));
  const doubt = unconfirmed ? [bold(' · Changed, not confirmed: the barcode couldn’t be read again.')] : [];
  const momentParts = [momentAfter(', ', at), ...doubt];
  switch (what) {
    case 'changed':
      return ['✏️ ', person(by), ` ${changedText(change)} in `, database, ...momentParts];
    case 'added':
      return ['➕ ', person(by), ' added this barcode to ', database, ...momentParts];
    case 'undone':
      return ['↩️ ', person(by), ' undid a change in ', database, ...momentParts];
    case 'stands':
      return [
        bold(`${signs.unsure} Nothing was changed. `),
        'Someone else changed this barcode in ',
        database,
        ' in the meantime. The card now shows the current value.',
      ];
  }
}

function changedText({ before, after }: CardChange): string {
  const marked = after?.valid ? 'marked it valid' : 'marked it not valid';
  if (before?.valid === after?.valid) {
    return 'changed the response';
  }
  return before?.response === after?.response ? marked : `changed the response and ${marked}`;
}

export function canBeUndone(change: CardChange | undefined): change is CardChange & { what: 'changed' | 'added' } {
  return change?.what === 'changed' || change?.what === 'added';
}

/** The button that undoes a change. Undoing an addition deletes the value, so the button asks for confirmation. */
export function undoButton(change: CardChange | undefined, value: string): Button[] {
  if (!canBeUndone(change)) {
    return [];
  }
  const name = shortName(change.database.name);
  const sure = confirm(
    'Delete this value?',
    `This deletes ${barcodePlain(change.value, 150).text} and its response from ${name}.`,
    'Delete',
  );
  return [button('Undo', 'lookup.undo', { value, ...(change.what === 'added' ? { confirm: sure } : {}) })];
}
