/** The encodings in which a call can be submitted (contract: submitting), each written from the same tree. */

/** A call's variables as a tree. */
export type Tree = { readonly [name: string]: string | Tree | readonly Tree[] };

function toPairs(tree: Tree, prefix = ''): [string, string][] {
  return Object.entries(tree).flatMap(([name, value]): [string, string][] => {
    const path = prefix ? `${prefix}[${name}]` : name;
    if (typeof value === 'string') return [[path, value]];
    if (Array.isArray(value)) return value.flatMap((item, index) => toPairs(item as Tree, `${path}[${index}]`));
    return toPairs(value as Tree, path);
  });
}

const referenced = (text: string) => text.replace(/[&<>"'\x00-\x1f]/g, (character) => `&#${character.charCodeAt(0)};`);

function toXml(tree: Tree): string {
  return Object.entries(tree)
    .map(([name, value]) => {
      if (typeof value === 'string') return `<${name}>${referenced(value)}</${name}>`;
      const items = Array.isArray(value) ? (value as readonly Tree[]) : [value as Tree];
      return items.map((item) => `<${name}>${toXml(item)}</${name}>`).join('');
    })
    .join('');
}

const toDocument = (tree: Tree) => `<?xml version="1.0" encoding="UTF-8"?>\n<xml>${toXml(tree)}</xml>`;

/** The functions that send a call's variables to the API, by the name of the encoding. */
export const ways: Readonly<Record<string, (api: string, tree: Tree) => Promise<Response>>> = {
  'a POST form': (api, tree) => fetch(api, { method: 'POST', body: new URLSearchParams(toPairs(tree)) }),
  'an XML file': (api, tree) =>
    fetch(api, { method: 'POST', body: toDocument(tree), headers: { 'Content-Type': 'application/xml' } }),
  'an XML string': (api, tree) => fetch(api, { method: 'POST', body: new URLSearchParams({ xml: toDocument(tree) }) }),
  'a GET query': (api, tree) => fetch(`${api}?${new URLSearchParams(toPairs(tree))}`),
  'a GET with XML': (api, tree) => fetch(`${api}?${new URLSearchParams({ xml: toDocument(tree) })}`),
  'a multipart form': (api, tree) => {
    const form = new FormData();
    for (const [name, value] of toPairs(tree)) form.append(name, value);
    return fetch(api, { method: 'POST', body: form });
  },
};
