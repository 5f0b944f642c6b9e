/**
 * Writes the types of built-in kinds from their declarations: those of the client's objects with the table of resources,
 * and those of decoded objects, for the rules of the kinds themselves. `scripts/node scripts/generate-kind-types.ts`.
 * With `--check` it writes nothing and fails when files are out of date.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientTypeFiles } from './kind-types/client-files.ts';
import { decodedTypeFiles } from './kind-types/decoded-files.ts';

const root = join(import.meta.dirname, '..');
const isCheck = process.argv.includes('--check');

interface Output {
  /** Relative to the root of the repository. */
  readonly folder: string;
  readonly files: ReadonlyMap<string, string>;
  readonly handWritten: ReadonlySet<string>;
}

const outputs: readonly Output[] = [
  {
    folder: 'packages/client/src/types',
    files: clientTypeFiles(),
    handWritten: new Set(['typed-resource.ts', 'typed-client.ts']),
  },
  { folder: 'packages/apis/src/types', files: decodedTypeFiles(), handWritten: new Set(['draft.ts']) },
];

for (const output of outputs) {
  const folder = join(root, output.folder);
  mkdirSync(folder, { recursive: true });
  const present = readdirSync(folder).filter(
    (name) => !output.handWritten.has(name) && !name.endsWith('.test.ts'),
  );
  const stale = [...output.files].filter(
    ([name, text]) => !present.includes(name) || readFileSync(join(folder, name), 'utf8') !== text,
  );
  const surplus = present.filter((name) => !output.files.has(name));
  if (isCheck) {
    for (const [name] of stale) console.error(`${output.folder}/${name} does not match the declarations`);
    for (const name of surplus) console.error(`${output.folder}/${name} has no declaration`);
    if (stale.length + surplus.length > 0) process.exitCode = 1;
  } else {
    for (const [name, text] of stale) writeFileSync(join(folder, name), text);
    for (const name of surplus) rmSync(join(folder, name));
    console.log(`${output.folder}: ${stale.length + surplus.length} of ${output.files.size} files changed`);
  }
}
