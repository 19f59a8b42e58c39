/** The reader of a barcode's lookup for a person: for one barcode alone, or for one of several. */
import { AccountError } from '../../codereadr/types.js';
import { failureOf, isAbsent, notAnswered } from '../../lookup/index.js';
import type { BaseContext } from '../bolt/routing/context.js';
import type { BarcodeResult, ReadBarcode } from './resolve-barcodes.js';
import type { PendingLookup, ReadOptions } from './workspace-lookups.js';

export interface LookupContext extends Pick<BaseContext, 'deps' | 'actor' | 'client' | 'reference' | 'topic'> {
  /** The thread where the answer may be shared: see `shareButton`. */
  readonly thread?: string | undefined;
  /** The symbologies of barcodes read from a picture, by barcode: the prefix that marks a GS1 barcode. */
  readonly symbologies?: ReadonlyMap<string, string> | undefined;
}

/** Begins to read a barcode. @throws SlackError `slack.not_connected`; a failed answer rejects with an AccountError. */
export function readBarcode(
  { deps, actor, symbologies }: Pick<LookupContext, 'deps' | 'actor' | 'symbologies'>,
  value: string,
  options: Pick<ReadOptions, 'live' | 'several' | 'maxWaitMs'>,
): Promise<PendingLookup> {
  return deps.lookups.read(actor.owner, value, { ...options, symbology: symbologies?.get(value), who: actor.userId });
}

/**
 * Reader of one of several barcodes: a failure of the account is the barcode's result. `alone`: the only barcode that
 * the account confirms and that may wait for the next minute's calls.
 */
export function readOneOfSeveral(
  context: LookupContext,
  { live = false, alone }: { readonly live?: boolean; readonly alone?: string | undefined } = {},
): ReadBarcode {
  return async (value) => {
    const options = value === alone ? { live } : { live, several: true, maxWaitMs: 0 };
    const { answer } = await readBarcode(context, value, options);
    try {
      const lookup = await answer;
      return { kind: 'answered', value, lookup };
    } catch (error) {
      if (error instanceof AccountError) {
        return { kind: 'failed', value, error };
      }
      throw error;
    }
  };
}

/**
 * Asks the account about the first barcode that no copy holds, on behalf of all such barcodes: where the account does
 * not answer, none of them was checked.
 */
export async function withOneConfirmed(
  context: LookupContext,
  results: readonly BarcodeResult[],
): Promise<readonly BarcodeResult[]> {
  const firstAbsent = results.find(isAbsentInCopy);
  if (!firstAbsent) {
    return results;
  }
  const confirmedResult = await readOneOfSeveral(context, { alone: firstAbsent.value })(firstAbsent.value);
  const failure =
    confirmedResult.kind === 'failed'
      ? failureOf(confirmedResult.error)
      : confirmedResult.lookup.findings.flatMap((finding) => (finding.kind === 'failed' ? finding.failure : []))[0];
  return results.map((result) => {
    if (result === firstAbsent) {
      return confirmedResult;
    }
    return failure && result.kind === 'answered' ? { ...result, lookup: notAnswered(result.lookup, failure) } : result;
  });
}

function isAbsentInCopy(result: BarcodeResult): boolean {
  return (
    result.kind === 'answered' &&
    isAbsent(result.lookup) &&
    result.lookup.findings.some(({ kind, source }) => kind === 'unknown' && source === 'copy')
  );
}
