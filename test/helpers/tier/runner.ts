/**
 * Which tier runs a test: one tagged `wide` is the long tier's, beside untagged ones in one file. The runner of `suite`,
 * which leaves out what is tagged, and of `wide`, which leaves out what is not (a file `*.wide.test.ts` is tagged whole).
 */
import type { RunnerTask } from 'vitest';
import { TestRunner } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** It is held by the other tier, and not run here. */
    otherTier?: boolean;
  }
}

export default class TierRunner extends TestRunner {
  override async onBeforeRunTask(task: RunnerTask): Promise<void> {
    const isWide = task.file.name.endsWith('.wide.test.ts') || (task.tags ?? []).includes('wide');
    if (task.mode === 'run' && isWide !== (task.file.projectName === 'wide')) {
      task.mode = 'skip';
      task.meta.otherTier = true;
    }
    await super.onBeforeRunTask(task);
  }
}
