/** Slack's ten select types: where each gets its options, and how its choice is sent to the app. */
import type { Channel } from '../../api.js';
import type { Directory } from '../context.js';
import { el } from '../dom.js';
import type { FieldValue } from '../form-state.js';
import { flag, isRecord, type Json, num, record, records, str, strings } from '../json.js';
import { drawText, plainOf } from '../mrkdwn.js';
import { type Choice, type ChoiceGroup, drawCombobox } from './combobox.js';
import { actionId, controlProps, createField, type Place } from './field.js';

type Source = 'static' | 'external' | 'users' | 'conversations' | 'channels';

const pattern = /^(multi_)?(static|external|users|conversations|channels)_select$/;

export function isSelect(type: string): boolean {
  return pattern.test(type);
}

function optionChoice(option: Json, directory: Directory): Choice {
  const description = record(option, 'description');
  return {
    value: str(option, 'value') ?? '',
    words: plainOf(record(option, 'text')),
    draw: () =>
      el(
        'div',
        {},
        drawText(record(option, 'text'), directory),
        description && el('div', { class: 'option-more' }, drawText(description, directory)),
      ),
  };
}

function idChoice(id: string, words: string): Choice {
  return { value: id, words, draw: () => document.createTextNode(words) };
}

function matches(choice: Choice, typedText: string): boolean {
  return choice.words.toLowerCase().includes(typedText.toLowerCase());
}

function matchingGroups(groups: readonly ChoiceGroup[], typedText: string): ChoiceGroup[] {
  return groups.map((group) => ({ ...group, choices: group.choices.filter((choice) => matches(choice, typedText)) }));
}

/** The choices in groups, from `options` or `option_groups`, whichever the element has. */
function grouped(optionsHolder: Json, directory: Directory, seen: Map<string, Json>): ChoiceGroup[] {
  const read = (holder: Json): Choice[] =>
    records(holder, 'options').map((option) => {
      seen.set(str(option, 'value') ?? '', option);
      return optionChoice(option, directory);
    });
  const groups = records(optionsHolder, 'option_groups');
  if (groups.length === 0) return [{ choices: read(optionsHolder) }];
  return groups.map((group) => ({ label: plainOf(record(group, 'label')), choices: read(group) }));
}

function conversationKind(channel: Channel): string {
  return channel.is_im ? 'im' : channel.is_private ? 'private' : 'public';
}

function people(directory: Directory): Choice[] {
  return directory.people.map((person) => idChoice(person.id, person.real_name || person.name));
}

function channels(element: Json, source: Source, directory: Directory): Choice[] {
  const filter = record(element, 'filter');
  const include = strings(filter, 'include');
  return directory.channels
    .filter((channel) => (source === 'channels' ? conversationKind(channel) === 'public' : true))
    .filter((channel) => include.length === 0 || include.includes(conversationKind(channel)))
    .filter((channel) => !(flag(filter, 'exclude_external_shared_channels') && channel.is_ext_shared))
    .map((channel) => idChoice(channel.id, channel.is_im ? channel.name : `#${channel.name}`));
}

interface Shape {
  readonly key: string;
  initial(element: Json, place: Place): unknown;
}

/** The state field of this type's value, and its initial value. */
function shape(source: Source, many: boolean): Shape {
  if (source === 'static' || source === 'external') {
    return many
      ? { key: 'selected_options', initial: (element) => records(element, 'initial_options') }
      : { key: 'selected_option', initial: (element) => record(element, 'initial_option') ?? null };
  }
  const singular = source.slice(0, -1);
  const here = (element: Json, place: Place): string | undefined =>
    flag(element, 'default_to_current_conversation') ? place.surface.channel : undefined;
  return many
    ? {
        key: `selected_${singular}s`,
        initial: (element, place) => {
          const initialIds = strings(element, `initial_${singular}s`);
          return initialIds.length > 0 ? initialIds : [here(element, place)].filter((id) => id !== undefined);
        },
      }
    : {
        key: `selected_${singular}`,
        initial: (element, place) => str(element, `initial_${singular}`) ?? here(element, place) ?? null,
      };
}

export function drawSelect(element: Json, place: Place): HTMLElement {
  const type = str(element, 'type') ?? '';
  const [, multi, from] = pattern.exec(type) ?? [];
  const many = multi !== undefined;
  const source = from as Source;
  const { directory } = place.surface;
  const { key, initial } = shape(source, many);
  const field = createField(place, element, { type, [key]: initial(element, place) });
  const holdsOptions = source === 'static' || source === 'external';
  const seen = new Map<string, Json>();
  const least = num(element, 'min_query_length') ?? 3;

  const local: ChoiceGroup[] =
    source === 'static'
      ? grouped(element, directory, seen)
      : source === 'users'
        ? [{ choices: people(directory) }]
        : source === 'external'
          ? []
          : [{ choices: channels(element, source, directory) }];

  const now = field.value[key];
  const currentValues: readonly unknown[] = Array.isArray(now) ? now : now === null || now === undefined ? [] : [now];
  const chosenChoices = currentValues.flatMap((one): Choice[] => {
    if (isRecord(one)) {
      if (!seen.has(str(one, 'value') ?? '')) seen.set(str(one, 'value') ?? '', one);
      return [optionChoice(one, directory)];
    }
    if (typeof one !== 'string') return [];
    return [local[0]?.choices.find((choice) => choice.value === one) ?? idChoice(one, one)];
  });

  const fieldValueOf = (choices: readonly Choice[]): FieldValue => {
    const codes = choices.map((choice) => (holdsOptions ? (seen.get(choice.value) ?? null) : choice.value));
    return { type, [key]: many ? codes : (codes[0] ?? null) };
  };

  return drawCombobox({
    many,
    most: num(element, 'max_selected_items'),
    placeholder: plainOf(record(element, 'placeholder')) || 'Choose…',
    clearable: place.input?.optional === true,
    props: controlProps(place, element),
    initial: chosenChoices,
    async find(typedText) {
      if (source !== 'external') return matchingGroups(local, typedText);
      if ([...typedText].length < least)
        return `Type ${least === 1 ? 'a character' : `${least} characters`} to search.`;
      try {
        const answer = await place.surface.ask(place.blockId, actionId(element), typedText);
        return grouped(answer as Json, directory, seen);
      } catch {
        return 'The app returned no options in time. Type again to retry.';
      }
    },
    changed: (choices) => field.change(fieldValueOf(choices)),
  });
}
