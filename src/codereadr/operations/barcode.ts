/** Declaration of the section `barcode`: the generator, which has its own host and answers with a picture. */
import { AccountError } from '../types.js';
import { operation, type Picture } from './operation.js';

export const generate = operation({
  section: 'barcode',
  action: 'generate',
  title: 'Create a barcode',
  effect: 'read',
  host: 'generator',
  input: {
    value: {
      type: 'barcode',
      max: 100,
      required: true,
      label: 'Barcode',
      means: 'The text to encode. At most 100 characters.',
      errors: ['1028'],
    },
    barcodetype: {
      type: 'choice',
      options: [
        ['qr', 'QR code'],
        ['pdf417', 'PDF417'],
      ],
      label: 'Symbology',
      means: 'The type of barcode.',
    },
    filetype: {
      type: 'choice',
      options: [
        ['GIF', 'GIF'],
        ['JPG', 'JPEG'],
        ['PNG', 'PNG'],
      ],
      fallback: 'GIF',
      label: 'File format',
      means: 'The format of the image.',
    },
    size: {
      type: 'whole',
      min: 1,
      max: 10,
      means: 'Image size, from 1 to 10, in steps of 50 pixels.',
      group: 'Appearance',
    },
    errorcorrection: {
      type: 'choice',
      options: [
        ['L', 'Low'],
        ['M', 'Medium'],
        ['Q', 'High'],
        ['H', 'Highest'],
      ],
      label: 'Error correction',
      means: 'How much damage the barcode can take and still scan.',
      group: 'Appearance',
      advanced: true,
    },
    hideframe: {
      type: 'flag',
      label: 'Hide the frame',
      means: 'Leave out the frame around the barcode.',
      group: 'Appearance',
      advanced: true,
    },
    hidevalue: {
      type: 'flag',
      label: 'Hide the value',
      means: 'Don’t print the value with the barcode.',
      group: 'Text',
    },
    valuesize: {
      type: 'whole',
      min: 1,
      max: 10,
      fallback: '4',
      label: 'Value size',
      means: 'The size of the printed value, from 1 to 10.',
      group: 'Text',
      advanced: true,
    },
    valueposition: {
      type: 'choice',
      options: [
        ['top', 'Above'],
        ['bottom', 'Below'],
      ],
      label: 'Value position',
      means: 'Where to print the value.',
      group: 'Text',
      advanced: true,
    },
    text: { type: 'text', means: 'Text to print with the barcode.', group: 'Text' },
    textsize: {
      type: 'whole',
      min: 1,
      max: 30,
      label: 'Text size',
      means: 'The size of the printed text, from 1 to 30.',
      group: 'Text',
      advanced: true,
    },
    textalignment: {
      type: 'choice',
      options: [
        ['L', 'Left'],
        ['C', 'Center'],
        ['R', 'Right'],
      ],
      label: 'Text alignment',
      means: 'How to align the printed text.',
      group: 'Text',
      advanced: true,
    },
    logo: {
      type: 'file',
      suffixes: ['.gif', '.jpg', '.jpeg', '.png'],
      maxBytes: 2_000_000,
      url: true,
      means: 'An image to print with the barcode: a GIF, JPG, or PNG file, or its URL.',
      group: 'Logo',
      advanced: true,
      errors: ['104', '105'],
    },
    logoposition: {
      type: 'choice',
      options: [
        ['top', 'Above'],
        ['bottom', 'Below'],
        ['left', 'Left'],
        ['right', 'Right'],
      ],
      label: 'Logo position',
      means: 'Where to print the logo.',
      group: 'Logo',
      advanced: true,
    },
  },
  output: (): Picture => {
    throw new AccountError('account.broken', 'the generator answered without a picture');
  },
  picture: (picture) => picture,
  errors: ['104', '105', '1028'],
  notes:
    'The seed mentions every symbology; the public reference lists qr and pdf417. The logo’s address is fetched by the ' +
    'service, never by us. Branding needs a paid plan.',
});
