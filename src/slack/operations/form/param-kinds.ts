/** The input for each type of parameter: a kind of the form engine, and how its content becomes raw input. Pure. */

import type { Effect, Param } from '../../../codereadr/operations/operation.js';
import { typedForm, withHidden } from '../../../codereadr/xml/hidden-characters.js';
import type { Option } from '../../block-kit/elements.js';
import type { Kind } from '../../forms/form.js';
import { type Choice, longestText } from '../../forms/inputs.js';
import * as kinds from '../../forms/kinds.js';
import type { FormFile } from '../../forms/view-state.js';
import { isOn, parseList, textOf } from './raw-text.js';
import { allOption, allValue, idOption, isListed, type ListedKind, pickId } from './resources.js';
import { zoneOption } from './zones.js';

/**
 * What a form is for: `new` creates or does something, and an empty input leaves the value to the account; `change`
 * changes an item, and an untouched input keeps the value; `ask` reads.
 */
export type FormMode = 'new' | 'change' | 'ask';

export interface ParamKind<Draft> extends Kind<Draft, unknown> {
  /** A known value as the input's content; undefined if this input cannot show it. */
  fromRaw(raw: unknown): Draft | undefined;
  /** The content as raw input for validation; undefined where the input is empty or the account decides. */
  toRaw(draft: Draft): unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: each type of parameter has its own content
export type AnyParamKind = ParamKind<any>;

export interface KindOptions {
  readonly mode: FormMode;
  /** Whether the account returned the current value. */
  readonly hasCurrent: boolean;
  readonly effect: Effect;
  readonly placeholder?: string | undefined;
  /** The options of pickers, where they are few. */
  readonly menus: Menus;
}

export type Menus = Readonly<Partial<Record<ListedKind, readonly Option[]>>>;

/** Option values that stand for no value; the account's own values never start with `!`. */
const noChoice = '!none';
export const keepChoice = '!keep';

const keepOption: Choice = [keepChoice, 'Don’t change'];
const noneOption: Choice = [noChoice, 'Account default'];
const noMatter: Choice = [noChoice, 'Any'];
const onOff: readonly Choice[] = [
  ['1', 'On'],
  ['0', 'Off'],
];

/** The most choices drawn as radio buttons; more become a menu. */
const mostRadios = 4;

/** The most choices in a picker: Scandesk deletes no more items at a time (`maxDeleted`). */
const mostPicked = 100;

/** The most characters of a parameter's input. A separator typed as `\x1d` takes four. */
export function longestOf(param: Param): number {
  const most = 'max' in param && param.max !== undefined ? param.max : longestText;
  return Math.min(param.type === 'barcode' ? most * 4 : param.type === 'text' ? most : longestText, longestText);
}

export function paramKind(param: Param, options: KindOptions): AnyParamKind {
  const kind: AnyParamKind = kindOf(param, options);
  return param.secret ? { ...kind, entered: () => kind.blank } : kind;
}

function kindOf(param: Param, options: KindOptions): AnyParamKind {
  const { mode, hasCurrent, placeholder } = options;
  switch (param.type) {
    case 'text':
      return text(param, { placeholder, multiline: param.multiline === true });
    case 'url':
      return converted(kinds.text({ type: 'url_text_input', placeholder }), String);
    case 'email':
      return converted(kinds.text({ type: 'email_text_input', placeholder }), String);
    case 'names':
      return text(param, { placeholder });
    case 'json':
    case 'pairs':
    case 'records':
      return text(param, { placeholder, multiline: true });
    case 'barcode':
      return typedBarcode(text(param, {}));
    case 'boolean':
      return booleanKind(param, mode, hasCurrent);
    case 'integer':
      return converted(
        kinds.number({
          min: param.min,
          max: param.max,
          placeholder: placeholder ?? (mode === 'new' ? param.default : undefined),
        }),
        String,
      );
    case 'enum':
      return enumKind(param.options, param, mode, hasCurrent);
    case 'enumList':
      return converted(
        kinds.multiSelect(param.options),
        (raw) => param.options.flatMap(([value]) => (parseList(raw).includes(value) ? [value] : [])),
        (draft) => (draft.length > 0 ? draft : undefined),
      );
    case 'date':
      return converted(kinds.date(), String);
    case 'time':
      return converted(kinds.time(), String);
    case 'zone':
      return converted(
        kinds.picker({ action: 'form.pick.zone', placeholder: 'Find a time zone' }),
        (raw) => zoneOption(String(raw)),
        (draft) => draft?.value,
      );
    case 'file':
      return attachment([...param.suffixes, ...(param.converted ?? [])].map((suffix) => suffix.replace(/^\./, '')));
    case 'id':
    case 'ids':
      return resourceKind(param, options);
  }
}

/** A kind of input in which an empty text or list is no value. */
function converted<Draft>(
  kind: Omit<Kind<Draft, unknown>, 'read'>,
  fromRaw: (raw: unknown) => Draft | undefined,
  toRaw: (draft: Draft) => unknown = (draft) => draft || undefined,
): ParamKind<Draft> {
  return {
    ...kind,
    fromRaw(raw) {
      const draft = raw === undefined || raw === null ? undefined : fromRaw(raw);
      return draft === '' || (Array.isArray(draft) && draft.length === 0) ? undefined : draft;
    },
    toRaw,
    read: (state, name) => toRaw(kind.entered(state, name, kind.blank)),
  };
}

function text(param: Param, options: kinds.TextOptions): ParamKind<string> {
  const { multiline = false } = options;
  const columns = param.type === 'records' ? (param.columns ?? []) : [];
  return converted(kinds.text({ ...options, max: longestOf(param) }), (raw) => textOf(raw, multiline, columns));
}

function typedBarcode(kind: ParamKind<string>): ParamKind<string> {
  return converted(
    kind,
    (raw) => typedForm(String(raw)),
    (draft) => withHidden(draft) || undefined,
  );
}

function booleanKind(param: Param, mode: FormMode, hasCurrent: boolean): AnyParamKind {
  const isDefault = param.default === '1';
  if (mode === 'new') {
    return converted({ ...kinds.checkbox('Yes', { value: '1' }), blank: isDefault }, isOn, (draft) =>
      draft === isDefault ? undefined : draft,
    );
  }
  const choices: readonly Choice[] =
    mode === 'ask' ? [noMatter, ['1', 'Yes'], ['0', 'No']] : hasCurrent ? onOff : [keepOption, ...onOff];
  const kind = choice(choices, param, mode === 'ask' ? noChoice : hasCurrent ? undefined : keepChoice);
  return { ...kind, fromRaw: (raw) => (raw === undefined ? undefined : isOn(raw) ? '1' : '0') };
}

function enumKind(options: readonly Choice[], param: Param, mode: FormMode, hasCurrent: boolean): AnyParamKind {
  if (param.required || hasCurrent) {
    return choice(options, param);
  }
  if (mode === 'change') {
    return choice([keepOption, ...options], param, keepChoice);
  }
  return param.default === undefined
    ? choice([mode === 'ask' ? noMatter : noneOption, ...options], param, noChoice)
    : choice(options, param, param.default);
}

/** `firstOption`: the option chosen at first; while it is chosen, no value is sent unless the parameter is required. */
function choice(choices: readonly Choice[], param: Param, firstOption?: string): ParamKind<string | undefined> {
  return converted(
    {
      ...kinds.select(choices),
      blank: firstOption,
      // A choice is drawn as radio buttons, which cannot be cleared, only where one is always chosen.
      draw: (frame, draft) =>
        (choices.length <= mostRadios && choices.some(([value]) => value === draft) ? kinds.radio : kinds.select)(
          choices,
        ).draw(frame, draft),
    },
    (raw) => choices.find(([value]) => value === String(raw))?.[0],
    (draft) => (draft === firstOption && !param.required ? undefined : draft),
  );
}

/** A file input. A file of an earlier attempt stays until another file replaces it. */
export function attachment(suffixes: readonly string[] = []): ParamKind<FormFile | undefined> {
  return converted(
    {
      ...kinds.file(...suffixes),
      entered: (state, name, before: FormFile | undefined) => state.file(name) ?? before,
    },
    () => undefined,
  );
}

function resourceKind(
  param: Extract<Param, { type: 'id' | 'ids' }>,
  { effect, menus }: Pick<KindOptions, 'effect' | 'menus'>,
): AnyParamKind {
  const { of } = param;
  const hasAll = offersAll(param, effect);
  const ids = (raw: unknown) => {
    const listed = raw === allValue && !hasAll ? [] : parseList(raw);
    return param.type === 'id' ? listed.slice(0, 1) : listed;
  };
  if (!isListed(of)) {
    return converted(
      kinds.text({ placeholder: `${of} ID` }),
      (raw) => ids(raw).join(', '),
      (draft) => draft.trim() || undefined,
    );
  }
  const menu = menus[of] && [...(hasAll ? [allOption(of)] : []), ...menus[of]];
  const pickerOptions = { action: pickId(of), placeholder: `Search ${of}s`, menu };
  /** The option of an id. Values that cannot be ids are not shown: the problem above the input says why. */
  const knownOption = (raw: unknown) =>
    ids(raw).flatMap((id) =>
      /^\d{1,20}$/.test(id) ? idOption(of, id) : hasAll && id === allValue ? allOption(of) : [],
    );
  if (param.type === 'id') {
    return converted(
      kinds.picker(pickerOptions),
      (raw) => knownOption(raw)[0],
      (draft) => draft?.value,
    );
  }
  return converted(kinds.multiPicker(pickerOptions, { max: mostPicked }), knownOption, (draft) => {
    const values = draft.map(({ value }) => value);
    return values.includes(allValue) ? allValue : values.length > 0 ? values : undefined;
  });
}

/** Whether the form offers "all": only in a change, as in a read empty means all. A delete never offers it. */
export function offersAll(param: Param | undefined, effect: Effect): boolean {
  return param?.type === 'ids' && param.all === true && effect === 'write';
}
