import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { buildGoProgram, goModule, observations, run } from '@orch/testkit';
import { deviationOf, deviations } from './deviations.ts';
import { failureOf, type SuiteTest } from './suite.ts';

const converter = await buildGoProgram(join(import.meta.dirname, 'go', 'cel-suite'));

/** Passing tests of the pinned version; it grows with what the environment can do. */
const PASSING = 1476;

/** The folder of the published module, which the Go client downloads when it is not there. */
async function suiteFolder(): Promise<string> {
  const { stdout, stderr } = await run('go', ['mod', 'download', '-json', 'cel.dev/expr'], { cwd: goModule });
  const { Dir: folder } = JSON.parse(stdout) as { Dir?: string };
  return folder ?? assert.fail(`no folder of the suite: ${stderr}`);
}

if (converter.kind === 'missing') {
  describe('the published conformance suite of the expression language', () => {
    it.skip(`the published conformance suite of the expression language passes aside from listed deviations: ${converter.reason}`, () => {});
  });
} else {
  const tests = observations<SuiteTest>(await run(converter.program.path, [await suiteFolder()]));
  const failures = tests.flatMap((test) => {
    const failure = failureOf(test);
    return failure === undefined ? [] : [{ test, failure }];
  });

  describe('the published conformance suite of the expression language', () => {
    for (const file of new Set(tests.map((test) => test.file)))
      it(`all tests of ${file} pass or are listed deviations`, () => {
        const unexpected = failures
          .filter(({ test }) => test.file === file && deviationOf(test) === undefined)
          .map(({ test, failure }) => `${test.section}/${test.test.name}: ${test.test.expr}: ${failure}`);
        assert.deepEqual(unexpected, []);
      });

    for (const deviation of deviations)
      it(`a test fails because of the deviation: ${deviation.reason}`, () => {
        assert.ok(failures.some(({ test }) => deviationOf(test) === deviation));
      });

    it(`at least ${PASSING} tests of the suite pass`, (context) => {
      const passing = tests.length - failures.length;
      context.diagnostic(`${passing} of ${tests.length} tests pass`);
      assert.ok(passing >= PASSING, `${passing} of ${tests.length}`);
    });
  });
}
