/** Alternatives in a phrase: at most three of them, each cut. Pure. */
import type { ReferenceKind } from '../../../codereadr/operations/operation.js';
import type { NameOf } from '../../../codereadr/types.js';
import { settled, visible } from '../../../codereadr/xml/hidden-characters.js';
import { cut, eitherOf, plural } from '../../../english.js';

export function either(texts: readonly string[]): string {
  const shownTexts = texts.slice(0, 3).map((text) => cut(text, 60));
  return eitherOf(shownTexts, texts.length - shownTexts.length);
}

/** `Gate A phone or unnamed device b77e0d1c`; where nothing has a name, `unnamed devices a3f1c09e or b77e0d1c`. */
export function sources(kind: ReferenceKind, ids: readonly string[], nameOf: NameOf): string {
  const names = ids.map((id) => nameOf(kind, id));
  return names.some((name) => name !== undefined)
    ? either(ids.map((id, at) => settled(names[at] ?? `unnamed ${kind} ${visible(id)}`)))
    : `unnamed ${plural(ids.length, kind)} ${either(ids.map(visible))}`;
}
