/** The reader of barcodes from pictures, independent of Slack. */
export { createPictureReader, type PictureReader } from './picture-reader.js';
export { isGs1, mostPictureBytes, type PictureBarcode, type PictureRefusal, type PictureResult } from './types.js';
