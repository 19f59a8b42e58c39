/**
 * Owns XML on the wire: text to elements and back. Every value stays the string it was.
 */

/** One element: its attributes, its own text (children's text left out) and its children in order. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  readonly children: readonly Element[];
}
