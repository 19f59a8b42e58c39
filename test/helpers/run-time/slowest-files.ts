/** The last lines of a test run: its ten slowest files. A reporter. */
import type { Reporter, TestModule } from 'vitest/node';

const seconds = (ms: number) => `${(ms / 1000).toFixed(1).padStart(6)} s`;

export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules
      .map((module) => ({ module, processorMs: module.meta().processorMs ?? 0 }))
      .sort((a, b) => b.processorMs - a.processorMs);
    const all = files.reduce((sum, { processorMs }) => sum + processorMs, 0);
    const lines = files.slice(0, 10).map(({ module, processorMs }) => {
      const { duration } = module.diagnostic();
      return `${seconds(processorMs)} ${seconds(duration)}  ${module.relativeModuleId} (${module.project.name})`;
    });
    console.log(
      [
        '',
        `Slowest of ${files.length} files (processor of the worker, in all ${seconds(all).trim()}; clock):`,
        ...lines,
      ].join('\n'),
    );
  }
}
