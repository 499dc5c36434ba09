// `npm test`. Plain JavaScript: it runs on a fresh clone, before anything is installed or built. It takes every step also
// after one has failed, and ends with one line that says how many passed and failed.
//
// `npm test -- unit` runs only what needs neither servers nor a build: the tests beside the code and those of the
// documentation.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, checkNode, installDependencies, PreparationFailure, run, runNpm } from './prepare/prepare.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const count = { passed: 0, failed: 0 };
const WITHOUT_SERVERS = ['--project', 'unit', '--project', 'documentation'];
const WITH_SERVERS = ['--project', 'integration'];
/** For what only computes; see `everything`. */
const NICE = 10;

const what = process.argv.slice(2);
if (what.length > 1 || !['unit', undefined].includes(what[0])) {
  console.error(`There is no part "${what.join(' ')}". Run \`npm test\` for everything or \`npm test -- unit\`.`);
  process.exit(2);
}

await step('preparation', async () => {
  checkNode(root);
  await installDependencies(root, console.log);
});
if (count.failed === 0) await (what[0] === 'unit' ? vitest(WITHOUT_SERVERS, 'inherit') : everything());
console.log(`${count.passed} passed, ${count.failed} failed`);
process.exitCode = count.failed === 0 ? 0 : 1;

/**
 * Specs with servers wait for them, for schedules and outages much of their time: what only computes runs beside them, one
 * after the other, and is shown when it has ended. It takes what they leave of the processors: at equal rights it slows
 * them down at first, and leaves them idle when it has ended.
 */
async function everything() {
  await step('build', () => build(root, console.log));
  await Promise.all([vitest(WITH_SERVERS, 'inherit'), computing()]);
}

async function computing() {
  await step('lint', () => npmScript('lint'));
  await step('type check', () => npmScript('typecheck'));
  await vitest(WITHOUT_SERVERS, 'pipe', NICE);
}

/** Each step counts as one test. */
async function step(name, action) {
  try {
    await action();
    count.passed += 1;
  } catch (thrown) {
    count.failed += 1;
    console.error(`✗ ${name}: ${thrown instanceof PreparationFailure ? thrown.message : (thrown?.stack ?? thrown)}`);
  }
}

async function npmScript(name) {
  const done = await runNpm(root, ['run', '--silent', name], 'pipe', NICE);
  console.log(`npm run ${name}\n${done.output}`);
  if (done.code !== 0) throw new PreparationFailure(`npm run ${name} failed (exit code ${done.code}); see above.`);
}

/** @param {'inherit' | 'pipe'} output */
async function vitest(selection, output, niceness = 0) {
  const report = join(root, '.local', 'test', `vitest-${selection[1]}.json`);
  mkdirSync(dirname(report), { recursive: true, mode: 0o700 });
  rmSync(report, { force: true });
  const cli = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [cli, 'run', ...selection, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const done = await run(process.execPath, args, root, output, niceness);
  if (output === 'pipe') console.log(done.output);
  const tests = countTests(report);
  count.passed += tests.passed;
  count.failed += tests.failed;
  // Errors outside of any test, or a run that broke off, fail the run without failing a test.
  if (done.code !== 0 && tests.failed === 0) {
    count.failed += 1;
    console.error(`✗ vitest ${selection[1]}: exit code ${done.code}; see above.`);
  }
}

function countTests(report) {
  const files = readReport(report);
  const tests = files.flatMap((file) => file.assertionResults);
  // A file that can't be loaded has no tests to fail.
  const unloadable = files.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  return {
    passed: tests.filter((test) => test.status === 'passed').length,
    failed: tests.filter((test) => test.status === 'failed').length + unloadable.length,
  };
}

function readReport(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8')).testResults;
  } catch {
    return [];
  }
}
