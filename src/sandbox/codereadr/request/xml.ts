/**
 * The XML form of a call: root `xml`, a child element per variable, a repeated element for an array. Documents over
 * 1,000,000 bytes (102) and malformed ones (103) are refused.
 */
import { Refusal } from '../answer/refusal.js';
import { readDocument, type XmlElement } from '../xml/read.js';
import type { Fields, RawValue } from './variables.js';

export const maxXmlBytes = 1_000_000;

/** Reads a call's XML document. @throws Refusal 102 or 103 */
export function readXml(document: string): Fields {
  if (Buffer.byteLength(document) > maxXmlBytes) {
    throw new Refusal('102');
  }
  const root = readDocument(document);
  if (root?.name !== 'xml') {
    throw new Refusal('103');
  }
  return fieldsOf(root);
}

function fieldsOf(element: XmlElement): Fields {
  const fields = Object.create(null) as Record<string, RawValue>;
  for (const child of element.children) {
    const value = child.children.length > 0 ? fieldsOf(child) : child.text;
    const earlierField = fields[child.name];
    if (earlierField === undefined) {
      fields[child.name] = value;
    } else if (Array.isArray(earlierField)) {
      (earlierField as RawValue[]).push(value);
    } else {
      fields[child.name] = [earlierField, value];
    }
  }
  return fields;
}
