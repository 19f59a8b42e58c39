/** Error codes of scan intake. They are stable, and also appear in the metrics. */
import { ScandeskError } from '../../errors.js';

/**
 * - `relay.body_too_large`: over 64 KB.
 * - `relay.body_slow`: it did not come in time.
 * - `relay.body_cut`: the sender went away before its end.
 * - `relay.not_a_form`: another Content-Type, or a charset that is not UTF-8.
 * - `relay.encoding`: bytes that are no UTF-8: guessing would alter a barcode.
 * - `relay.nul`: NUL, which no database and no XML holds.
 * - `relay.no_barcode`: `tid` is missing or empty.
 * - `relay.no_such_relay`: asked for by a person whose workspace has none of that id.
 * - `relay.too_many`: a person wants to watch or mute more than a workspace may.
 * - `relay.network`: the sender's address is in none of the relay's networks.
 * - `relay.proof`: the secret scan property is missing or wrong.
 * - `relay.no_account`: a copy of a database cannot be fetched, for no account is connected.
 * - `relay.database_gone`: the account has no such database any more.
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
  | 'relay.too_many'
  | 'relay.network'
  | 'relay.proof'
  | 'relay.no_account'
  | 'relay.database_gone';

export class RelayError extends ScandeskError {
  declare readonly code: RelayErrorCode;

  constructor(code: RelayErrorCode, message: string, options?: { cause?: unknown }) {
    super(code, message, options);
  }
}
