/** The report of a fault run: figures worth reading but too noisy for assertions. */
import type { Devices } from './devices.js';
import type { Figures } from './promises.js';

export function tell(
  what: string,
  devices: Pick<Devices, 'answered' | 'longestAnswerMs' | 'refusals'>,
  figures: Figures,
  more = '',
): void {
  const refused = [...devices.refusals].map(([why, times]) => `${times} ${why}`).join(', ') || 'none';
  const lines = [
    `${what}: ${devices.answered.length} scans answered, the slowest in ${Math.round(devices.longestAnswerMs)} ms (without an answer: ${refused});`,
    `${figures.posts} posts and ${figures.folded} scans in digests among them, ${figures.doubted} in doubt for a while, ${figures.repeated} sent again${more === '' ? '' : `; ${more}`}`,
  ];
  process.stdout.write(`    ${lines.join(' ')}\n`);
}
