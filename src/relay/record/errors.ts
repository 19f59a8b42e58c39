/** Error codes of relays: of scan intake, which also appear in the metrics, and of people's requests. Stable. */
import { ScandeskError } from '../../errors.js';

/**
 * - `relay.body_too_large`: over 64 KB.
 * - `relay.body_slow`: the body did not arrive in time.
 * - `relay.body_cut`: the sender disconnected before the end.
 * - `relay.not_a_form`: another Content-Type, a form in another charset, or parts that are cut or unnamed.
 * - `relay.encoding`: invalid UTF-8, or a part in another charset; guessing would alter a barcode.
 * - `relay.nul`: NUL, which neither the databases nor XML can hold.
 * - `relay.no_barcode`: `tid` is missing or empty.
 * - `relay.no_such_relay`: the person's workspace has no relay of that id.
 * - `relay.post_gone`: the post of a message is no longer stored, or its relay or scan is not.
 * - `relay.network`: the sender's address is in none of the relay's networks.
 * - `relay.proof`: the secret scan property is missing or wrong.
 */
export type RelayErrorCode =
  | 'relay.body_too_large'
  | 'relay.body_slow'
  | 'relay.body_cut'
  | 'relay.not_a_form'
  | 'relay.encoding'
  | 'relay.nul'
  | 'relay.no_barcode'
  | 'relay.no_such_relay'
  | 'relay.post_gone'
  | 'relay.network'
  | 'relay.proof';

export class RelayError extends ScandeskError {
  declare readonly code: RelayErrorCode;

  constructor(code: RelayErrorCode, message: string, options?: { cause?: unknown }) {
    super(code, message, options);
  }
}
