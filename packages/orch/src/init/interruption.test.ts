import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StartError } from '@orch/program';
import { failingFiles } from './testing/failing-files.ts';
import { assertConsistent, changedBy, InitFixture } from './testing/init-fixture.ts';

const DAY_MS = 24 * 3_600_000;

/** Each state of a folder with the command that is interrupted. */
const scenarios = [
  ['the first run', [], 0, []],
  ['a renewal', [[]], 340, []],
  ['the first step of a rotation', [[]], 0, ['--rotate=clients,service-account']],
  [
    'the second step of a rotation',
    [[], ['--rotate=serving,clients']],
    1,
    ['--rotate-switch=serving,clients'],
  ],
  [
    'the third step of a rotation',
    [[], ['--rotate=serving'], ['--rotate-switch=serving', '--rotate-wait=0s']],
    1,
    ['--rotate-finish=serving'],
  ],
] as const;

async function prepared(steps: readonly (readonly string[])[], days: number): Promise<InitFixture> {
  const init = new InitFixture();
  for (const argv of steps) await init.run(...argv);
  init.env.clock.advance(days * DAY_MS);
  return init;
}

describe('an interrupted run of orch init', () => {
  for (const [what, steps, days, argv] of scenarios)
    it(`${what} that ends after any operation is completed or had no effect after the next run`, async () => {
      const outcomes = new Set<string>();
      for (let failAt = 1; ; failAt++) {
        using init = await prepared(steps, days);
        const files = failingFiles(failAt, 'crash');
        const failure = await init.runWith(files, ...argv).then(
          () => undefined,
          (error: unknown) => error,
        );
        if (failure === undefined) {
          assert.ok(failAt > 10, 'every operation was interrupted once');
          break;
        }
        assert.ok(failure instanceof StartError);
        // A run without a step does not make the interrupted one: it is complete or had no effect.
        const { rotations } = await init.run('--renew-before=0s');
        assertConsistent(init.read());
        outcomes.add(rotations.map(({ id, step }) => `${id} ${step}`).join());
        await init.run(...argv);
        assertConsistent(init.read());
        assert.deepEqual(changedBy(await init.run(...argv)), []);
      }
      if (what.includes('step')) assert.equal(outcomes.size, 2, 'before and after the step');
    });

  for (const [what, steps, days, argv] of scenarios)
    it(`${what} without space on the disk fails with the file and the reason, and the present files remain`, async () => {
      for (let failAt = 1; ; failAt++) {
        using init = await prepared(steps, days);
        const before = steps.length === 0 ? new Map() : init.read();
        const outcome = await init
          .runWith(failingFiles(failAt, 'noSpace'), ...argv)
          .catch((error: unknown) => error);
        if (!(outcome instanceof StartError)) {
          assert.ok(failAt > 3, 'every write failed once');
          break;
        }
        assert.match(outcome.message, /^cannot write .*pki\/\.[\w.-]+\.draft: ENOSPC/);
        assert.deepEqual(init.read(), before);
      }
    });

  it('a dry run after an interruption in the middle of the changes requests a run without it', async () => {
    using init = new InitFixture();
    await init.run();
    const counted = failingFiles(Number.POSITIVE_INFINITY, 'crash');
    await init.runWith(counted, '--dry-run');
    using other = new InitFixture();
    await other.run();
    const renames = failingFiles(Number.POSITIVE_INFINITY, 'crash');
    await other.runWith(renames, '--rotate=clients');
    await assert.rejects(
      init.runWith(failingFiles(renames.count - 2, 'crash'), '--rotate=clients'),
      StartError,
    );
    await assert.rejects(init.run('--dry-run'), /was interrupted: run this without --dry-run first/);
    await init.run();
    assertConsistent(init.read());
  });
});

describe('runs of orch init at the same time', () => {
  it('runs over one folder wait for each other: one creates the files, and the others keep them', async () => {
    using init = new InitFixture();
    const reports = await Promise.all([init.run(), init.run(), init.run()]);
    assert.equal(reports.filter((report) => changedBy(report).length > 0).length, 1);
    assertConsistent(init.read());
  });
});
