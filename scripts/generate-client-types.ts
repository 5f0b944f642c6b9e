/**
 * Writes the types of the client's objects, and the table of built-in resources, from the declarations of the kinds:
 * `scripts/node scripts/generate-client-types.ts`. With `--check` it writes nothing and fails when they are out of date.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientTypeFiles } from './client-types/files.ts';

const folder = join(import.meta.dirname, '..', 'packages', 'client', 'src', 'types');
/** Written by hand. */
const own = new Set(['typed-resource.ts', 'typed-client.ts']);
const isCheck = process.argv.includes('--check');

mkdirSync(folder, { recursive: true });
const wanted = clientTypeFiles();
const there = readdirSync(folder).filter((name) => !own.has(name) && !name.endsWith('.test.ts'));
const stale = [...wanted].filter(
  ([name, text]) => !there.includes(name) || readFileSync(join(folder, name), 'utf8') !== text,
);
const surplus = there.filter((name) => !wanted.has(name));

if (isCheck) {
  for (const [name] of stale)
    console.error(`packages/client/src/types/${name} is not what the declarations say`);
  for (const name of surplus) console.error(`packages/client/src/types/${name} belongs to nothing`);
  if (stale.length + surplus.length > 0) process.exitCode = 1;
} else {
  for (const [name, text] of stale) writeFileSync(join(folder, name), text);
  for (const name of surplus) rmSync(join(folder, name));
  console.log(`${stale.length + surplus.length} of ${wanted.size} files changed`);
}
