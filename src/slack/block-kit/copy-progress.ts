/** How far the first copy of an account is, in words. Pure. */
import { countOf } from '../../english.js';
import type { CopyProgress } from '../../mirror/index.js';

/** The progress as text: `40,000 of 500,000 values, 12,000 scans so far`. */
export function copyProgressText({ values, scans }: CopyProgress): string {
  const progressTexts = [
    ...(values === undefined
      ? []
      : [
          values.of === undefined
            ? countOf(values.read, 'value')
            : `${values.read.toLocaleString('en-US')} of ${countOf(values.of, 'value')}`,
        ]),
    ...(scans ? [countOf(scans, 'scan')] : []),
  ];
  if (progressTexts.length === 0) {
    return 'just started';
  }
  const isEndUnknown = scans !== undefined || values?.of === undefined;
  return `${progressTexts.join(', ')}${isEndUnknown ? ' so far' : ''}`;
}
