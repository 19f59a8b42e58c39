import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { longShare } from './test/helpers/long-share.js';

const shared = {
  globalSetup: ['test/helpers/postgres-server.ts', 'test/helpers/browser-server.ts'],
  setupFiles: ['test/helpers/run-time/setup.ts', 'test/helpers/faults/reached.ts', 'test/helpers/lock-order/setup.ts'],
};

const short = {
  // Most tests wait for sockets and disks rather than compute: more of them at once than there are cores.
  maxWorkers: 7,
  // A file that loads the app alone spends a third of its time on it; no file changes what another imports.
  isolate: false,
  // Machines are noisy: patience decides only how long a failure takes to show.
  testTimeout: 60_000,
  hookTimeout: 90_000,
  expect: { poll: { timeout: 40_000 } },
};

const long = { testTimeout: 600_000, hookTimeout: 120_000, expect: { poll: { timeout: 60_000 } } };

/** Held by the long tier alone, and run as the short one is: walks, hostile tables, every state of the page, PostgreSQL alone. */
const wideFiles = 'test/**/*.wide.test.ts';
/** Runs a test in its tier: one tagged `wide` stands beside those of the suite. */
const tiers = { runner: 'test/helpers/tier/runner.ts' };
const longFiles = 'test/**/*.long.test.ts';
const isLong = (file: string) => file.endsWith('.long.test.ts');
const filesWith = (text: RegExp) =>
  readdirSync(join(import.meta.dirname, 'test'), { recursive: true, encoding: 'utf8' })
    .map((file) => join('test', file))
    .filter((file) => file.endsWith('.test.ts') && text.test(readFileSync(file, 'utf8')));

/** What these search by chance is longer, or there at all, in the long runs: see test/helpers/effort.ts. */
const searching = filesWith(/\b(effort|longIt)\(/);
const taggedWide = filesWith(/\bwideIt\(/);
/** By statements that are the same on both databases these only read, or wait for days: a change plays them on SQLite, a night on both. */
const sameOnBoth = /^test\/((lookup|exports|reports|mcp|slack)\/|incidents\/resting\.wide)/;
const isNight = longShare === 1;
/** What holds on each database is tested on SQLite in the suite, and on PostgreSQL before a change lands. */
const onPostgres = filesWith(/\b(onEachDatabase|onPostgres)\(/).filter(
  (file) => !isLong(file) && !searching.includes(file) && (isNight || !sameOnBoth.test(file)),
);

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
    reporters: ['default', './test/helpers/run-time/slowest-files.ts'],
    sequence: { sequencer: JudgeFirst },
    tags: [{ name: 'wide', description: 'what the long tier alone holds, beside what the suite holds' }],
    // Modules without their types are kept in node_modules: a run of one file that imports the app waits for a fifth.
    experimental: { fsModuleCache: true },
    projects: [
      {
        test: {
          ...shared,
          ...short,
          ...tiers,
          name: 'suite',
          provide: { isLong: false, databases: ['sqlite'] },
          include: ['test/**/*.test.ts'],
          exclude: [longFiles, wideFiles],
        },
      },
      {
        test: {
          ...shared,
          ...short,
          ...tiers,
          name: 'wide',
          provide: { isLong: false, databases: ['sqlite'] },
          include: [wideFiles, ...taggedWide],
          exclude: searching,
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
          ...short,
          ...long,
          name: 'search',
          provide: { isLong: true, databases: ['sqlite', 'postgres'] },
          include: searching,
        },
      },
      {
        test: {
          ...shared,
          ...long,
          name: 'long',
          provide: { isLong: true, databases: ['sqlite', 'postgres'] },
          include: [longFiles],
          exclude: alone,
          // They wait for processes that start, and for times to pass.
          maxWorkers: 4,
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
