/** The fields of one condition of a rule: what it is about, and what that needs. */
import { utcZone } from '../../../../codereadr/operations/zones.js';
import { type Condition, conditionSchema, isCounting } from '../../../../relay/index.js';
import type { Block, Option } from '../../../block-kit/elements.js';
import { whenGroups, whenOf } from '../../../channel-posts/describe/describe-rule.js';
import { subjects } from '../../../channel-posts/describe/rule-sentence.js';
import { boundsOf, variantOf } from '../../../forms/bounds.js';
import {
  type AnyDraft,
  createForm,
  type DraftOf,
  fieldsOf,
  type Kind,
  type ValuesOf,
  when,
} from '../../../forms/form.js';
import type { Choice } from '../../../forms/inputs.js';
import * as kinds from '../../../forms/kinds.js';
import { idOption } from '../../../operations/form/resources.js';
import { zoneOption } from '../../../operations/form/zones.js';
import { typedLines } from '../inputs/barcode-lines.js';
import { defaultHours, hours, zone } from '../inputs/hours.js';
import { barcodes, inputActions, pattern, records } from '../inputs/kinds.js';

/** What a line of the form is opened on. */
export interface ConditionSource {
  /** None: nothing was chosen yet. */
  readonly condition: Condition | undefined;
  readonly zone: string | undefined;
  /** The name of an id, if known. */
  readonly nameOf: (kind: ScanSource | 'question', id: string) => Option | undefined;
}

export type ScanSource = 'service' | 'user' | 'device';
type Kinds = Condition['kind'];
type Comparison = Extract<Condition, { kind: 'property' }>['how'];
type Subject = Extract<Condition, { kind: 'nth' }>['of'];

const field = fieldsOf<ConditionSource>();
const nth = variantOf(conditionSchema, 'nth').shape;
const burst = variantOf(conditionSchema, 'burst').shape;
const silence = variantOf(conditionSchema, 'silence').shape;
const expires = variantOf(conditionSchema, 'expires').shape;

/** The condition, if it is of this kind. */
function stored<K extends Kinds>({ condition }: ConditionSource, kind: K) {
  return condition?.kind === kind ? (condition as Extract<Condition, { kind: K }>) : undefined;
}

const compared = (source: ConditionSource) => stored(source, 'property') ?? stored(source, 'answer');

const comparisons: readonly Choice<Comparison>[] = [
  ['equals', 'is'],
  ['contains', 'contains'],
  ['above', 'is a number above'],
  ['below', 'is a number below'],
];

/** Answers and properties are compared alike: the choice stays when the trigger changes. */
function comparison(choices: readonly Choice<Comparison>[]): Kind<Comparison | undefined, Comparison> {
  const select = kinds.select(choices);
  const offered = (draft: Comparison | undefined) =>
    draft === undefined || choices.some(([value]) => value === draft) ? draft : 'equals';
  return {
    ...select,
    draw: (frame, draft) => select.draw(frame, offered(draft)),
    entered(state, name, before) {
      const line = name.replace(/(?:answer|property)\.how$/, '');
      const chosen = state.choice(`${line}answer.how`) ?? state.choice(`${line}property.how`);
      return (chosen as Comparison | undefined) ?? before;
    },
  };
}

function comparisonIn(draft: AnyDraft): unknown {
  const chosen = draft[draft.when === 'answer' ? 'answer.how' : 'property.how'];
  return draft.when === 'answer' && chosen === 'present' ? 'equals' : chosen;
}
const comparesText = (draft: AnyDraft) =>
  draft.when === 'answer' || (draft.when === 'property' && comparisonIn(draft) !== 'present');
const comparesNumber = (draft: AnyDraft) => comparisonIn(draft) === 'above' || comparisonIn(draft) === 'below';

function idsField(kind: ScanSource, label: string) {
  return field(records(kind, boundsOf(silence.ids)), {
    label,
    rerenders: true,
    shown: (draft) => draft.when === `from:${kind}` || (draft.when === 'silence' && draft['silence.of'] === kind),
    from(source) {
      const from = stored(source, 'from');
      const quiet = stored(source, 'silence');
      const ids = from?.what === kind ? from.ids : quiet?.of === kind ? quiet.ids : [];
      return ids.map((id) => source.nameOf(kind, id) ?? idOption(kind, id));
    },
  });
}

const ignoreCase = kinds.checkbox('Ignore upper and lower case');

const fields = {
  values: field(barcodes, {
    label: 'Barcodes',
    hint: 'One per line, exactly as scanned. Type \\x1d for the GS1 separator.',
    shown: when('when', 'value'),
    from: (source) => typedLines(stored(source, 'value')?.is ?? []) ?? '',
  }),
  'values.folded': field(ignoreCase, {
    label: 'Letter case',
    shown: when('when', 'value'),
    from: (source) => !(stored(source, 'value')?.exact ?? true),
  }),
  pattern: field(
    pattern({ ...boundsOf(variantOf(conditionSchema, 'value_pattern').shape.pattern), placeholder: '^VIP-' }),
    {
      label: 'Pattern',
      hint: 'Matches anywhere in the barcode. To match the whole barcode, start with ^ and end with $. RE2 syntax.',
      rerenders: true,
      shown: when('when', 'value_pattern'),
      from: (source) => stored(source, 'value_pattern')?.pattern ?? '',
    },
  ),
  batches: field(barcodes, {
    label: 'Batches',
    hint: 'One batch or lot number per line, as in the GS1 barcode.',
    shown: when('when', 'batch'),
    from: (source) => typedLines(stored(source, 'batch')?.is ?? []) ?? '',
  }),
  'batches.folded': field(ignoreCase, {
    label: 'Letter case',
    shown: when('when', 'batch'),
    from: (source) => !(stored(source, 'batch')?.exact ?? true),
  }),
  days: field(kinds.integer(boundsOf(expires.days)), {
    label: 'Days left, at most',
    hint: 'With 0, items that expire today. Items that have expired always match.',
    shown: when('when', 'expires'),
    from: (source) => String(stored(source, 'expires')?.days ?? 30),
  }),
  'days.zone': field(zone, {
    label: 'Time zone',
    hint: 'A day begins at midnight in this time zone.',
    shown: when('when', 'expires'),
    from: (source) => zoneOption(stored(source, 'expires')?.zone ?? source.zone ?? utcZone),
  }),
  'ids.service': idsField('service', 'Services'),
  'ids.user': idsField('user', 'Users'),
  'ids.device': idsField('device', 'Devices'),
  question: field(kinds.picker({ action: 'relay.pick.question', placeholder: 'Find a question' }), {
    label: 'Question',
    hint: 'Leave blank for any question.',
    optional: true,
    shown: when('when', 'answer'),
    from(source) {
      const id = stored(source, 'answer')?.questionId;
      return id === undefined ? undefined : (source.nameOf('question', id) ?? idOption('question', id));
    },
  }),
  'answer.how': field(comparison(comparisons), {
    label: 'Answer',
    rerenders: true,
    shown: when('when', 'answer'),
    from: (source) => compared(source)?.how ?? 'equals',
  }),
  property: field(kinds.text({ max: 200, placeholder: 'gps_location', missing: 'Enter the property name.' }), {
    label: 'Property name',
    rerenders: true,
    shown: when('when', 'property'),
    from: (source) => stored(source, 'property')?.name ?? '',
  }),
  'property.how': field(comparison([['present', 'is present'], ...comparisons]), {
    label: 'Property value',
    rerenders: true,
    shown: when('when', 'property'),
    from: (source) => compared(source)?.how ?? 'equals',
  }),
  to: field(kinds.text({ max: 500 }), {
    label: (draft) => (comparesNumber(draft) ? 'Number' : 'Text'),
    hint: (draft) =>
      comparesNumber(draft) ? 'Use a point for decimals: 2.5. A value that is not a number never matches.' : undefined,
    rerenders: true,
    shown: comparesText,
    from: (source) => compared(source)?.to ?? '',
  }),
  'to.folded': field(ignoreCase, {
    label: 'Letter case',
    shown: (draft) => comparesText(draft) && !comparesNumber(draft),
    from: (source) => !(compared(source)?.exact ?? false),
  }),
  nth: field(kinds.integer(boundsOf(nth.n)), {
    label: 'Scan number',
    shown: when('when', 'nth'),
    from: (source) => String(stored(source, 'nth')?.n ?? 100),
  }),
  'nth.of': field(
    kinds.select(
      (['relay', 'value', 'device', 'user', 'service'] as const).map((of): Choice<Subject> => [of, subjects[of]]),
    ),
    {
      label: 'Count scans from',
      rerenders: true,
      // A count for each barcode includes earlier scans.
      hint: (draft) => (draft['nth.of'] === 'value' ? undefined : 'Counting starts when you first save this rule.'),
      shown: when('when', 'nth'),
      from: (source) => stored(source, 'nth')?.of ?? 'relay',
    },
  ),
  'nth.again': field(
    kinds.radio([
      ['again', 'Each time the number is reached'],
      ['once', 'Only once'],
    ]),
    {
      label: 'Post',
      rerenders: true,
      shown: when('when', 'nth'),
      from: (source) => ((stored(source, 'nth')?.again ?? true) ? 'again' : 'once'),
    },
  ),
  burst: field(kinds.integer(boundsOf(burst.n)), {
    label: 'Number of invalid scans',
    shown: when('when', 'burst'),
    from: (source) => String(stored(source, 'burst')?.n ?? 5),
  }),
  'burst.minutes': field(kinds.integer(boundsOf(burst.minutes)), {
    label: 'Time window (minutes)',
    hint: 'Posts once, then not again until the time window has passed.',
    shown: when('when', 'burst'),
    from: (source) => String(stored(source, 'burst')?.minutes ?? 10),
  }),
  'silence.of': field(
    kinds.select<'relay' | 'device' | 'service'>([
      ['relay', 'This relay'],
      ['device', 'Each of these devices'],
      ['service', 'Each of these services'],
    ]),
    {
      label: 'No scans from',
      rerenders: true,
      shown: when('when', 'silence'),
      from: (source) => stored(source, 'silence')?.of ?? 'relay',
    },
  ),
  'silence.minutes': field(kinds.integer(boundsOf(silence.minutes)), {
    label: 'Minutes without scans',
    hint: 'Posts once, then not again until a scan arrives.',
    shown: when('when', 'silence'),
    from: (source) => String(stored(source, 'silence')?.minutes ?? 15),
  }),
  hours: field(hours, {
    label: 'Hours',
    shown: when('when', 'within_hours', 'outside_hours', 'silence'),
    from: (source) =>
      (stored(source, 'outside_hours') ?? stored(source, 'within_hours') ?? stored(source, 'silence'))?.hours ??
      defaultHours(source.zone),
  }),
} as const;

const choice = (label: string, groups: typeof whenGroups) =>
  field(kinds.groupedSelect(groups), {
    label,
    rerenders: true,
    from: ({ condition }) => condition && whenOf(condition),
  });

/** What may stand beside another condition: neither every scan, nor what counts scans or waits for them. */
const besideGroups = whenGroups
  .map(
    ([heading, choices]) =>
      [heading, choices.filter(([value]) => value !== 'every' && !isCounting(kindOf(value)))] as const,
  )
  .filter(([, choices]) => choices.length > 0);

function kindOf(choice: string): Kinds {
  return choice.split(':')[0] as Kinds;
}

const forms = new Map<string, ConditionForm>();

/**
 * The form of one line. The first line has the blocks that the form had when a rule had one condition; the others are
 * numbered.
 */
export function conditionForm(line: number, label: string): ConditionForm {
  const name = `${line} ${label}`;
  const known = forms.get(name) ?? makeForm(line, label);
  forms.set(name, known);
  return known;
}

function makeForm(line: number, label: string) {
  const when = choice(label, line === 0 ? whenGroups : besideGroups);
  return createForm(line === 0 ? 'rule' : `rule.${line}`, inputActions, { when, ...fields });
}

export type ConditionForm = ReturnType<typeof makeForm>;
export type ConditionDraft = DraftOf<ConditionForm['fields']>;
export type ConditionValues = ValuesOf<ConditionForm['fields']>;

/** In the order in which they are shown. */
const inOrder = [
  ...(['when', 'values', 'values.folded', 'pattern', 'batches', 'batches.folded', 'days', 'days.zone'] as const),
  ...(['nth', 'nth.of', 'nth.again', 'burst', 'burst.minutes', 'question', 'answer.how'] as const),
  ...(['property', 'property.how', 'to', 'to.folded', 'silence.of'] as const),
  ...(['ids.service', 'ids.user', 'ids.device', 'silence.minutes', 'hours'] as const),
];

export function drawCondition(form: ConditionForm, draft: ConditionDraft): Block[] {
  return form.draw(draft, ...inOrder);
}
