/** Declaration of the section `barcode`: the generator, which has its own host and answers with a picture. */
import { AccountError } from '../types.js';
import { operation, type Picture } from './operation.js';

export const generate = operation('barcode', 'generate', {
  title: 'Create a barcode',
  effect: 'read',
  host: 'generator',
  input: {
    value: {
      type: 'barcode',
      max: 100,
      required: true,
      label: 'Barcode',
      description: 'The text to encode. At most 100 characters.',
      errors: ['1028'],
    },
    size: {
      type: 'integer',
      min: 1,
      max: 10,
      description: 'Image size, from 1 to 10, in steps of 50 pixels.',
    },
    barcodetype: {
      type: 'enum',
      options: [
        ['qr', 'QR code'],
        ['pdf417', 'PDF417'],
      ],
      label: 'Symbology',
      description: 'The type of barcode.',
      advanced: true,
    },
    filetype: {
      type: 'enum',
      options: [
        ['GIF', 'GIF'],
        ['JPG', 'JPEG'],
        ['PNG', 'PNG'],
      ],
      default: 'GIF',
      label: 'File format',
      description: 'The format of the image.',
      advanced: true,
    },
    errorcorrection: {
      type: 'enum',
      options: [
        ['L', 'Low'],
        ['M', 'Medium'],
        ['Q', 'High'],
        ['H', 'Highest'],
      ],
      label: 'Error correction',
      description: 'How much damage the barcode can take and still scan.',
      advanced: true,
    },
    hideframe: {
      type: 'boolean',
      label: 'Hide the frame',
      description: 'Leave out the frame around the barcode.',
      advanced: true,
    },
    hidevalue: {
      type: 'boolean',
      label: 'Hide the value',
      description: 'Don’t print the value with the barcode.',
      advanced: true,
    },
    valuesize: {
      type: 'integer',
      min: 1,
      max: 10,
      default: '4',
      label: 'Value size',
      description: 'The size of the printed value, from 1 to 10.',
      advanced: true,
    },
    valueposition: {
      type: 'enum',
      options: [
        ['top', 'Above'],
        ['bottom', 'Below'],
      ],
      label: 'Value position',
      description: 'Where to print the value.',
      advanced: true,
    },
    text: { type: 'text', description: 'Text to print with the barcode.', advanced: true },
    textsize: {
      type: 'integer',
      min: 1,
      max: 30,
      label: 'Text size',
      description: 'The size of the printed text, from 1 to 30.',
      advanced: true,
    },
    textalignment: {
      type: 'enum',
      options: [
        ['L', 'Left'],
        ['C', 'Center'],
        ['R', 'Right'],
      ],
      label: 'Text alignment',
      description: 'How to align the printed text.',
      advanced: true,
    },
    logo: {
      type: 'file',
      suffixes: ['.gif', '.jpg', '.jpeg', '.png'],
      maxBytes: 2_000_000,
      url: true,
      description: 'An image to print with the barcode: a GIF, JPG, or PNG file, or its URL.',
      advanced: true,
      errors: ['104', '105'],
    },
    logoposition: {
      type: 'enum',
      options: [
        ['top', 'Above'],
        ['bottom', 'Below'],
        ['left', 'Left'],
        ['right', 'Right'],
      ],
      label: 'Logo position',
      description: 'Where to print the logo.',
      advanced: true,
    },
  },
  output: (): Picture => {
    throw new AccountError('account.broken', 'the generator answered without a picture');
  },
  picture: (picture) => picture,
  notes:
    'The public reference lists qr and pdf417, which alone are offered. A logo’s URL is fetched by the account, never ' +
    'by us. Branding needs a paid plan.',
});
