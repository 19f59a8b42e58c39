/**
 * An operation's form: its parameters as fields of the form engine. Block ids begin with `v.` for a value, `f.` for a
 * text as a file, `u.` for the URL of a file, `c.` for the checkboxes of fields to clear. Advanced fields show for the
 * group unfolded last, and where they hold a value other than the default.
 */
import { currentReaderOf } from '../../../codereadr/current-values.js';
import type { Operation, Param } from '../../../codereadr/operations/operation.js';
import type { Option } from '../../block-kit/elements.js';
import { settled } from '../../block-kit/text.js';
import { type AnyDraft, createForm, type Field, type Form, fieldsOf } from '../../forms/form.js';
import { longestText } from '../../forms/inputs.js';
import * as kinds from '../../forms/kinds.js';
import type { FormFile } from '../../forms/view-state.js';
import type { FormMetadata } from '../metadata.js';
import type { Values } from '../types.js';
import { type AnyParamKind, attachment, type FormMode, type Menus, paramKind } from './param-kinds.js';
import { isListed, labelIn } from './resources.js';

/** The content with which a form is opened. */
export interface InitialContent {
  /** The entered values, by parameter, as raw input. */
  readonly values?: Values;
  /** Files given before, by parameter. */
  readonly files?: Readonly<Record<string, FormFile>> | undefined;
}

export interface ParamField {
  readonly name: string;
  readonly param: Param;
  readonly label: string;
  readonly kind: AnyParamKind;
  /** Whether a change can empty the value, or reset it to its default. */
  readonly clearable: boolean;
  /** Whether the value is a text that may be too long for an input, and can be given as a file. */
  readonly byFile: boolean;
}

export interface Group {
  /** The group's heading; empty for fields outside of groups. */
  readonly heading: string;
  readonly params: readonly ParamField[];
}

type AnyFields = Readonly<Record<string, Field<InitialContent, unknown, unknown>>>;

export interface OperationForm {
  readonly mode: FormMode;
  readonly params: readonly ParamField[];
  readonly groups: readonly Group[];
  readonly form: Form<AnyFields, InitialContent>;
  /** Whether a group has inputs that are not shown. */
  isFolded(group: Group, draft: AnyDraft): boolean;
}

type FormShape = Pick<FormMetadata, 'told' | 'locked' | 'fixed' | 'open' | 'now' | 'usual'>;

export function modeOf(operation: Operation, { told }: Pick<FormMetadata, 'told'>): FormMode {
  const asks = operation.effect === 'read' && operation.host !== 'generator';
  return asks ? 'ask' : told ? 'change' : 'new';
}

const field = fieldsOf<InitialContent>();

/** Types for which the account takes an empty value as "clear". */
const clearableTypes: ReadonlySet<Param['type']> = new Set(['text', 'url', 'email', 'json', 'date', 'time']);

/** Types whose input shows the placeholder “Unchanged” in a change. */
const placeholderTypes: ReadonlySet<Param['type']> = new Set([
  'text',
  'url',
  'email',
  'names',
  'json',
  'pairs',
  'records',
  'integer',
]);

export function operationForm(operation: Operation, metadata: FormShape, menus: Menus = {}): OperationForm {
  const mode = modeOf(operation, metadata);
  const params = Object.entries(operation.input)
    .filter(([name]) => metadata.locked?.[name] === undefined && !isRuledOut(operation, name, metadata.fixed))
    .map(([paramName, param]): ParamField => {
      const hasCurrent = metadata.told?.[paramName] !== undefined;
      const isUnknown = mode === 'change' && !hasCurrent && !param.required && placeholderTypes.has(param.type);
      const placeholder = isUnknown ? 'Unchanged' : undefined;
      return {
        name: paramName,
        param,
        label: labelIn(operation, paramName),
        kind: paramKind(param, { mode, hasCurrent, effect: operation.effect, placeholder, menus }),
        clearable:
          mode === 'change' &&
          !param.required &&
          !param.secret &&
          (clearableTypes.has(param.type) || param.resetWhenOmitted === true),
        // A JSON object's pairs are few; a configuration or a page can be long.
        byFile: param.type === 'json' ? !param.object : param.type === 'text' && param.multiline === true,
      };
    });
  const groups = [...new Set(params.map(headingOf))].map((heading) => ({
    heading,
    params: params.filter((each) => headingOf(each) === heading),
  }));
  const fields: AnyFields = Object.fromEntries([
    ...params.flatMap((each) => fieldsFor(each, metadata)),
    ...groups.flatMap((group) => clearField(group, metadata)),
  ]);
  const form = createForm((block) => block, { field: 'form.field', rerender: 'form.field' }, fields);

  function isFolded(group: Group, draft: AnyDraft): boolean {
    return group.params.some(
      ({ name, byFile }) => !form.isShown(draft, `v.${name}`) || (byFile && !form.isShown(draft, `f.${name}`)),
    );
  }

  function clearField(group: Group, { open, told }: FormShape): [string, Field<InitialContent, unknown, unknown>][] {
    const { heading } = group;
    // A value shown in its input is emptied there; a value the account does not return needs a checkbox.
    const choices = group.params.flatMap(({ name, label, param, clearable }): [string, string][] =>
      clearable && told?.[name] === undefined
        ? [[name, param.resetWhenOmitted ? `${label} (reset to default)` : label]]
        : [],
    );
    if (choices.length === 0) {
      return [];
    }
    const spec = {
      label: heading === '' ? 'Fields to clear' : `Fields to clear: ${heading}`,
      hint: 'Fields that you neither fill in nor choose here stay unchanged.',
      optional: true,
      // Emptying is rare: where a group has folded inputs, the checkboxes show together with them.
      shown: (draft: AnyDraft) =>
        open === heading || (draft[`c.${heading}`] as readonly string[]).length > 0 || !isFolded(group, draft),
    };
    return [[`c.${heading}`, field(kinds.multiSelect(choices, { placeholder: 'None' }), spec)]];
  }

  return { mode, params, groups, form, isFolded };
}

function headingOf({ param }: ParamField): string {
  return param.group ?? '';
}

/** Whether the create operation's conditions exclude a parameter for an item of this kind. */
function isRuledOut(operation: Operation, name: string, fixed: FormMetadata['fixed']): boolean {
  const { onlyWhen } = currentReaderOf(operation)?.createdBy?.input[name] ?? {};
  const decided = onlyWhen && fixed?.[onlyWhen.param];
  return decided !== undefined && !onlyWhen!.is.includes(decided);
}

function fieldsFor(
  paramField: ParamField,
  { open, now, usual }: FormShape,
): [string, Field<InitialContent, unknown, unknown>][] {
  const { name, param, label, kind, byFile } = paramField;
  const [value, file, url] = [`v.${name}`, `f.${name}`, `u.${name}`];
  const hasUrl = param.type === 'file' && param.url === true;
  const isOpen = open === headingOf(paramField);
  const isShown = (draft: AnyDraft) => {
    const raw = kind.toRaw(draft[value]);
    const isUsual = raw === undefined || raw === usual?.[name];
    return !param.advanced || isOpen || !isUsual || Boolean(draft[file]) || Boolean(draft[url]);
  };
  const currentText = now?.[name] === undefined ? '' : ` ${now[name]}`;
  const fields: [string, Field<InitialContent, unknown, unknown>][] = [
    [
      value,
      field(kind, {
        label,
        hint: (draft) =>
          `${param.description}${extraHint(paramField)}${currentText}${param.type === 'file' ? attached(draft[value]) : ''}`,
        // A field may be empty where its value can be given another way.
        optional: (draft) =>
          param.required !== true || byFile || hasUrl || (param.type === 'file' && draft[value] !== undefined),
        from: ({ values, files }) =>
          (param.type === 'file' ? files?.[name] : kind.fromRaw(values?.[name])) ?? kind.blank,
        shown: isShown,
      }),
    ],
  ];
  if (byFile) {
    fields.push([
      file,
      field(attachment(), {
        label: `${label} (file)`,
        hint: (draft) =>
          `Use a file for text longer than ${longestText.toLocaleString('en-US')} characters.${attached(draft[file])}`,
        optional: true,
        from: ({ files }) => files?.[name],
        shown: (draft) => isOpen || param.required === true || Boolean(draft[file]),
      }),
    ]);
  }
  if (hasUrl) {
    fields.push([
      url,
      field(kinds.text({ type: 'url_text_input' }), {
        label: `${label} (URL)`,
        hint: 'Enter a URL instead of uploading a file. The account downloads it from there.',
        optional: true,
        from: ({ values }) => (typeof values?.[name] === 'string' ? values[name] : ''),
        shown: isShown,
      }),
    ]);
  }
  return fields;
}

function attached(file: unknown): string {
  return file ? ` ${settled((file as FormFile).name)} is already attached. Choose a file only to replace it.` : '';
}

function extraHint({ param, byFile }: ParamField): string {
  if (param.required && byFile) {
    return ' Type it here or upload a file.';
  }
  if (param.secret) {
    return ' Sent only to the account. Slack shows it as you type.';
  }
  switch (param.type) {
    case 'barcode':
      return ' Type \\x1d for the GS1 separator.';
    case 'records':
      return ' Put text that contains a comma in double quotes, and double any quotes inside it.';
    case 'pairs':
      return ' Enter one name=value per line.';
    case 'id':
      return isListed(param.of) ? '' : ' Enter its ID.';
    case 'ids':
      return isListed(param.of) ? '' : ' Enter IDs separated by commas.';
    default:
      return '';
  }
}

/** The files among a form's contents, by parameter. */
export function filesIn({ params }: OperationForm, draft: AnyDraft): Readonly<Record<string, FormFile>> {
  return Object.fromEntries(
    params.flatMap(({ name, param }) => {
      const file = draft[param.type === 'file' ? `v.${name}` : `f.${name}`] as FormFile | undefined;
      return file ? [[name, file]] : [];
    }),
  );
}

/** The options chosen in a picker, with their labels. */
export function pickedIn({ param, name }: Pick<ParamField, 'param' | 'name'>, draft: AnyDraft): readonly Option[] {
  const isPicker = (param.type === 'id' || param.type === 'ids') && isListed(param.of);
  return isPicker ? [(draft[`v.${name}`] ?? []) as Option | readonly Option[]].flat() : [];
}
