/** What a picture reader answers. Texts are exact; nothing of a picture is stored. */

export interface PictureBarcode {
  readonly text: string;
  /** The format's name for people: `QR Code`, `EAN-13`. */
  readonly format: string;
  /** The reader's prefix (`]C1`, `]d2`), which marks GS1 barcodes. It is not part of the text. */
  readonly symbology: string;
}

/** Whether a barcode is GS1: GS1-128, DataBar, and GS1 in Data Matrix, QR Code and DotCode. */
export function isGs1({ symbology }: Pick<PictureBarcode, 'symbology'>): boolean {
  return /^\](?:C1|e[0-3]|d2|Q3|J1)$/.test(symbology);
}

/**
 * - `format`: no picture, or a picture of a kind that is not read.
 * - `heic`: an iPhone's own format; Slack makes thumbnails of it.
 * - `too_large`: more bytes or pixels than allowed.
 * - `broken`: the picture could not be decoded.
 * - `failed`: reading took too long, or the worker died.
 * - `busy`: too many others are waiting, or the process stops.
 */
export type PictureRefusal = 'format' | 'heic' | 'too_large' | 'broken' | 'failed' | 'busy';

export type PictureResult =
  | { readonly kind: 'read'; readonly barcodes: readonly PictureBarcode[] }
  | { readonly kind: 'refused'; readonly why: PictureRefusal };

/** The largest file that is read; larger ones are not even downloaded. */
export const mostPictureBytes = 20_000_000;
