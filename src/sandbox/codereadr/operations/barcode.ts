/** The section `barcode`, which answers on the generator's own path with a picture. */
import { Refusal } from '../answer/refusal.js';
import { compose, type Parts } from '../drawing/compose.js';
import { encodePicture } from '../drawing/picture.js';
import { drawSymbol, drawText, SymbolError, symbologyOf } from '../drawing/symbol.js';
import type { Variables } from '../request/variables.js';
import { readLogo } from './logo.js';
import type { Handler, Section } from './operation.js';
import { longestValue } from './value.js';

/** The most characters of a text. The limit is the sandbox's own, so that the result stays a picture. */
const longestText = 200;

const generate: Handler = async (call) => {
  const { variables } = call;
  const value = variables.text('value') ?? '';
  if (value === '') throw new Refusal('1028');
  if ([...value].length > longestValue) throw new Refusal('1028', `(longer than ${longestValue} characters)`);
  const symbology = symbologyOf(variables.filter('barcodetype') ?? 'qr');
  if (symbology === undefined) throw new Refusal('50', 'barcodetype is not one that can be drawn.');
  const pixelSize = variables.whole('size', { min: 1, max: 10 }) ?? 4;
  const errorCorrection = variables.choice('errorcorrection', ['L', 'M', 'Q', 'H'] as const) ?? 'L';
  const filetype = variables.choice('filetype', ['GIF', 'JPG', 'PNG'] as const) ?? 'GIF';
  const labels = readLabels(variables);
  const position = variables.choice('logoposition', ['top', 'bottom', 'left', 'right'] as const) ?? 'top';
  const picture = await readLogo(call);
  try {
    const symbol = await drawSymbol({ symbology, value, pixels: pixelSize * 50, errorCorrection });
    const parts: Parts = {
      symbol,
      frame: !isOn(variables, 'hideframe'),
      ...(isOn(variables, 'hidevalue')
        ? {}
        : { value: { line: await drawText(value, 4 + labels.valueSize * 2), position: labels.valuePosition } }),
      ...(labels.text === undefined
        ? {}
        : { text: { line: await drawText(labels.text, labels.textSize), alignment: labels.alignment } }),
      ...(picture ? { logo: { picture, position } } : {}),
    };
    return await encodePicture(compose(parts), filetype);
  } catch (error) {
    if (error instanceof SymbolError) throw new Refusal('50', `This value cannot be drawn: ${error.message}.`);
    throw error;
  }
};

/** Whether a variable is set "to a non-null value": to anything but an empty text and 0. */
function isOn(variables: Variables, name: string): boolean {
  return !['', '0', undefined].includes(variables.text(name));
}

function readLabels(variables: Variables) {
  const text = variables.filter('text');
  if (text !== undefined && [...text].length > longestText) {
    throw new Refusal('50', `text is longer than ${longestText} characters.`);
  }
  return {
    valueSize: variables.whole('valuesize', { min: 1, max: 10 }) ?? 4,
    valuePosition: variables.choice('valueposition', ['top', 'bottom'] as const) ?? 'bottom',
    text,
    textSize: variables.whole('textsize', { min: 1, max: 30 }) ?? 12,
    alignment: variables.choice('textalignment', ['L', 'C', 'R'] as const) ?? 'L',
  };
}

export const barcode: Section = { generate };
