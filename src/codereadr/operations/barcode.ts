/** Declaration of the section `barcode`: the generator, which has its own host and answers with a picture. */
import { AccountError } from '../types.js';
import { operation, type Picture } from './operation.js';

export const generate = operation({
  section: 'barcode',
  action: 'generate',
  title: 'Make a barcode',
  effect: 'read',
  host: 'generator',
  input: {
    value: {
      type: 'barcode',
      max: 100,
      required: true,
      label: 'Barcode',
      means: 'What the barcode holds, at most 100 characters.',
      errors: ['1028'],
    },
    barcodetype: {
      type: 'choice',
      options: [
        ['qr', 'QR code'],
        ['pdf417', 'PDF417'],
      ],
      label: 'Kind',
      means: 'Which kind of barcode.',
    },
    filetype: {
      type: 'choice',
      options: [
        ['GIF', 'GIF'],
        ['JPG', 'JPEG'],
        ['PNG', 'PNG'],
      ],
      fallback: 'GIF',
      label: 'File',
      means: 'Which kind of picture.',
    },
    size: { type: 'whole', min: 1, max: 10, means: 'How large: steps of 50 pixels.', group: 'Look' },
    errorcorrection: {
      type: 'choice',
      options: [
        ['L', 'Low'],
        ['M', 'Medium'],
        ['Q', 'High'],
        ['H', 'Highest'],
      ],
      label: 'Error correction',
      means: 'How much damage it survives.',
      group: 'Look',
      advanced: true,
    },
    hideframe: { type: 'flag', label: 'Hide the frame', means: 'Draw no frame.', group: 'Look', advanced: true },
    hidevalue: { type: 'flag', label: 'Hide the value', means: 'Do not print the value.', group: 'Text' },
    valuesize: {
      type: 'whole',
      min: 1,
      max: 10,
      fallback: '4',
      label: 'Value size',
      means: 'How large the value is printed.',
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
      means: 'Where the value is printed.',
      group: 'Text',
      advanced: true,
    },
    text: { type: 'text', means: 'A text to print with it.', group: 'Text' },
    textsize: {
      type: 'whole',
      min: 1,
      max: 30,
      label: 'Text size',
      means: 'How large the text is printed.',
      group: 'Text',
      advanced: true,
    },
    textalignment: {
      type: 'choice',
      options: [
        ['L', 'Left'],
        ['C', 'Centre'],
        ['R', 'Right'],
      ],
      label: 'Text alignment',
      means: 'Where in its line the text stands.',
      group: 'Text',
      advanced: true,
    },
    logo: {
      type: 'file',
      suffixes: ['.gif', '.jpg', '.jpeg', '.png'],
      maxBytes: 2_000_000,
      url: true,
      means: 'A picture to print with it, GIF, JPG or PNG: a file, or its address.',
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
      means: 'Where the logo is printed.',
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
    'The seed speaks of every symbology, the public reference knows qr and pdf417. The logo’s address is fetched by the ' +
    'service, never by us. Branding needs a paid plan.',
});
