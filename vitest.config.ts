import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const shared = {
  globalSetup: ['test/helpers/postgres-server.ts', 'test/helpers/browser-server.ts'],
  setupFiles: ['test/helpers/faults/reached.ts', 'test/helpers/lock-order/setup.ts'],
};

const short = {
  // Most tests wait for sockets and disks rather than compute: more of them at once than there are cores.
  maxWorkers: 4,
  // A file that loads the app alone spends a third of its time on it; no file changes what another imports.
  isolate: false,
  // Machines are noisy: patience decides only how long a failure takes to show.
  testTimeout: 60_000,
  hookTimeout: 90_000,
  expect: { poll: { timeout: 20_000 } },
};

const long = { testTimeout: 600_000, hookTimeout: 120_000, expect: { poll: { timeout: 30_000 } } };

const isLong = (file: string) => file.endsWith('.long.test.ts');
const filesWith = (text: string) =>
  readdirSync(join(import.meta.dirname, 'test'), { recursive: true, encoding: 'utf8' })
    .map((file) => join('test', file))
    .filter((file) => file.endsWith('.test.ts') && readFileSync(file, 'utf8').includes(text));

/** These search short in the suite, and once more and longer in the long runs: see test/helpers/effort.ts. */
const searching = filesWith('effort(');
/** What holds on each database is tested on SQLite in the suite, and on PostgreSQL before a change lands. */
const onPostgres = filesWith('onEachDatabase(').filter((file) => !isLong(file) && !searching.includes(file));

/** Whose promises are about time: they have the machine to themselves. */
const alone = ['test/journey/two-instances.long.test.ts'];

/** Starts the judge's files first: they take longest, and the usual order begins with the largest files. */
class JudgeFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isJudge = ({ moduleId }: TestSpecification) => moduleId.includes('/judge/judge-');
    return (await super.sort(files)).sort((a, b) => Number(isJudge(b)) - Number(isJudge(a)));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: JudgeFirst },
    projects: [
      {
        test: {
          ...shared,
          ...short,
          name: 'suite',
          provide: { isLong: false, databases: ['sqlite'] },
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.long.test.ts'],
        },
      },
      {
        test: {
          ...shared,
          ...short,
          name: 'postgres',
          provide: { isLong: false, databases: ['postgres'] },
          include: onPostgres,
        },
      },
      {
        test: {
          ...shared,
          ...long,
          name: 'long',
          provide: { isLong: true, databases: ['sqlite', 'postgres'] },
          include: ['test/**/*.long.test.ts', ...searching],
          exclude: alone,
          // They wait for processes that start, and for times to pass.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          ...long,
          name: 'alone',
          provide: { isLong: true, databases: ['sqlite', 'postgres'] },
          include: alone,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
      // The recorder of test/upgrade. It overwrites what an old version left, so it never runs unasked.
      ...(process.env.UPDATE_FIXTURES
        ? [{ test: { ...shared, name: 'record', include: ['test/upgrade/record.ts'], sequence: { groupOrder: 3 } } }]
        : []),
    ],
  },
});
