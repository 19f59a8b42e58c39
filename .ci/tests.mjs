/**
 * One run of tests: `node .ci/tests.mjs COMMAND... [-- FILTER...]`. A file that failed runs once more, alone; if it passes
 * then, it is loose, and the last lines name it. What failed twice or was skipped fails the run.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const at = process.argv.indexOf('--');
const command = process.argv.slice(2, at < 0 ? undefined : at);
const filters = at < 0 ? [] : process.argv.slice(at + 1);
const folder = mkdtempSync(join(tmpdir(), 'scandesk-ci-'));

/** Returns vitest's JSON report; undefined when it came to none. */
function vitest(name, args) {
  const file = join(folder, `${name}.json`);
  const names = ['default', './test/helpers/run-time/slowest-files.ts', 'json'];
  const reporters = [...names.map((reporter) => `--reporter=${reporter}`), `--outputFile.json=${file}`];
  // npm hands on what stands behind `--`.
  const dashes = command[0] === 'npm' ? ['--'] : [];
  spawnSync(command[0], [...command.slice(1), ...dashes, ...reporters, ...args], { stdio: 'inherit' });
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

const failuresOf = (report) => report.testResults.filter((file) => file.status === 'failed');
const nameOf = (file) => relative(process.cwd(), file.name);

function describe(file) {
  const broken = file.assertionResults.filter((test) => test.status === 'failed');
  const tests = broken.map((test) =>
    [test.fullName, ...test.failureMessages]
      .join('\n')
      .replace(/^(?!$)/gm, '  ')
      .slice(0, 1500),
  );
  return [nameOf(file), ...(tests.length > 0 ? tests : [`  ${file.message}`])].join('\n');
}

const first = vitest('first', filters);
let failed = first === undefined ? [] : failuresOf(first);
const loose = [];
let again;
if (failed.length > 0) {
  console.log(`\n== once more and alone: ${failed.map(nameOf).join(' ')}`);
  again = vitest('again', ['--no-file-parallelism', ...failed.map(nameOf)]);
  const stillFailed = again === undefined ? failed : failuresOf(again);
  const names = new Set(stillFailed.map(nameOf));
  loose.push(...failed.filter((file) => !names.has(nameOf(file))));
  failed = stillFailed;
}
rmSync(folder, { recursive: true, force: true });

const passed = first?.numPassedTests ?? 0;
// What the other tier holds is no skipped test: it runs there. A file that failed is counted by its second run.
const skipped = [
  ...(first?.testResults ?? []).filter(({ status }) => status !== 'failed'),
  ...(again?.testResults ?? []),
]
  .flatMap((file) => file.assertionResults)
  .filter((test) => !['passed', 'failed'].includes(test.status) && !test.meta.otherTier).length;
for (const file of loose) {
  console.log(`LOOSE (passed when alone) ${describe(file)}`);
}
for (const file of failed) {
  console.log(`FAILED ${describe(file)}`);
}
console.log(`${passed} passed, ${first?.numFailedTests ?? 0} failed, ${skipped} skipped, ${loose.length} loose files`);
// A skipped test counts as a failed run: a journey that was not made proves nothing.
process.exitCode = passed > 0 && failed.length === 0 && skipped === 0 ? 0 : 1;
