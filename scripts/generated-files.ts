import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** A folder with generated files. */
export interface GeneratedFolder {
  /** Relative to the root of the repository. */
  readonly folder: string;
  readonly files: ReadonlyMap<string, string>;
  /** Files in the folder that are not generated; tests are not either. */
  readonly handWritten?: ReadonlySet<string>;
}

/** Writes the files and removes surplus ones; with `--check` on the command line it reports them, and the process fails. */
export function update(outputs: readonly GeneratedFolder[], source: string): void {
  const isCheck = process.argv.includes('--check');
  for (const output of outputs) {
    const folder = join(root, output.folder);
    mkdirSync(folder, { recursive: true });
    const present = readdirSync(folder).filter(
      (name) => output.handWritten?.has(name) !== true && !name.endsWith('.test.ts'),
    );
    const stale = [...output.files].filter(
      ([name, text]) => !present.includes(name) || readFileSync(join(folder, name), 'utf8') !== text,
    );
    const surplus = present.filter((name) => !output.files.has(name));
    if (isCheck) {
      for (const [name] of stale) console.error(`${output.folder}/${name} does not match ${source}`);
      for (const name of surplus) console.error(`${output.folder}/${name} is not in ${source}`);
      if (stale.length + surplus.length > 0) process.exitCode = 1;
    } else {
      for (const [name, text] of stale) writeFileSync(join(folder, name), text);
      for (const name of surplus) rmSync(join(folder, name));
      console.log(`${output.folder}: ${stale.length + surplus.length} of ${output.files.size} files changed`);
    }
  }
}
