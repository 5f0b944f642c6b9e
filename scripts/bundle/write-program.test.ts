import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { sectionedProgram } from './sections.ts';
import { writeProgram } from './write-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'orchctl-program-'));
after(() => rmSync(folder, { recursive: true }));

/** Writes a program, and returns the size of its compiled code. */
async function written(source: string): Promise<number> {
  const entry = join(folder, 'main.ts');
  writeFileSync(entry, source);
  writeFileSync(
    join(folder, 'other.ts'),
    `export const text = (): string => 'from ' + 'another section';
export const unused = (): string => ${JSON.stringify('x'.repeat(5000))};`,
  );
  const bundled = { absWorkingDir: folder, bundle: true, platform: 'node' } as const;
  await writeProgram(await sectionedProgram(bundled, entry), folder);
  const cache = readdirSync(folder).find((name) => name.endsWith('.cache'));
  assert.ok(cache !== undefined);
  return statSync(join(folder, cache)).size;
}

const run = (...argv: readonly string[]): string =>
  execFileSync(process.execPath, [join(folder, 'orchctl-start.cjs'), ...argv], { encoding: 'utf8' });

describe('compiled code of a program', () => {
  it('compiled code has only the functions that short commands call, or all functions when such a command fails', async () => {
    const main = (command: string): string =>
      `void import('./other.ts').then((other) => {
        console.log(process.argv[2] === 'other' ? other.unused().length : other.text());
        ${command}
      });`;
    const trained = await written(main(''));
    assert.equal(run(), 'from another section\n');
    assert.equal(run('other'), '5000\n');
    const complete = await written(main("if (process.argv[2] === 'get') process.exitCode = 1;"));
    assert.equal(run(), 'from another section\n');
    assert.ok(trained + 4000 < complete, `${trained} and ${complete} bytes`);
  });
});
