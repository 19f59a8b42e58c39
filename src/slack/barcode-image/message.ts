/** The message that shows a barcode image: the value to the letter, the image, its buttons. Pure. */
import { actions, type Block, button, context, type Message, message } from '../block-kit/elements.js';
import { barcodeElement, barcodePlain, fallback, richText } from '../block-kit/text.js';

export interface BarcodeImage {
  readonly value: string;
  /** Slack file id. */
  readonly file: string;
}

export interface ImageOptions {
  /** The image's id in the store, which the buttons carry; absent in a copy shared with others. */
  readonly buttonValue?: string;
  /** Slack user id of the person who shares it. */
  readonly sharedBy?: string;
  readonly wasShared?: boolean;
}

export function drawImage({ value, file }: BarcodeImage, { buttonValue, sharedBy, wasShared }: ImageOptions): Message {
  const blocks: Block[] = [
    richText(['Barcode ', barcodeElement(value)]),
    { type: 'image', slack_file: { id: file }, alt_text: barcodePlain(value, 2000).text },
    ...(sharedBy === undefined ? [] : [context(`Created by <@${sharedBy}>`)]),
    ...(wasShared ? [context('You shared this here.')] : []),
    ...(buttonValue === undefined
      ? []
      : [
          actions([
            ...(wasShared ? [] : [button('Share here', 'made.share', { value: buttonValue })]),
            button('Edit appearance', 'made.change', { value: buttonValue }),
          ]),
        ]),
  ];
  return message(`Barcode ${fallback(value)}`, blocks);
}

/** The message shown while creating the image takes long. */
export function creatingMessage(value: string): Message {
  return message(`Creating a barcode for ${fallback(value)}.`, [
    richText(['Creating a barcode for ', barcodeElement(value), '. It will appear here in a moment.']),
  ]);
}
