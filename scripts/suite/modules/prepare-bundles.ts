import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { stop, version } from 'esbuild';
import { entryPoints } from '../entry-points.ts';
import { bundleDependencies } from './bundle-dependencies.ts';
import { bundleGroups } from './bundle-groups.ts';
import { BUNDLES_FOLDER } from './bundle-table.ts';
import { groupsOf, readModules } from './module-groups.ts';

/** How long files are kept that no run uses. */
const KEEP_MS = 24 * 60 * 60 * 1000;
/** How long a run uses what an earlier one prepared: it ends long before its files are removed. */
const FRESH_MS = KEEP_MS / 2;

/**
 * Bundles the modules of the packages of the checkout `root`, except for tests, and large dependencies. Returns the path of the table of
 * the bundles. Bundles of unchanged modules are kept.
 */
export async function prepareBundles(root: string): Promise<string> {
  const folder = join(root, BUNDLES_FOLDER);
  const paths = globSync('packages/*/src/**/*.ts', { cwd: root }).filter(
    (path) => !path.endsWith('.test.ts'),
  );
  const texts = new Map(paths.sort().map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  const entries = entryPoints(root);
  const key = keyOf(JSON.stringify([root, version, [...texts], entries, locked(root), ownText()]));
  const tableFile = join(folder, `table-${key}.json`);
  if (ageOf(tableFile) < FRESH_MS) return tableFile;
  const modules = readModules(texts);
  const starts = entries.flatMap(([, entry]) => globSync(entry, { cwd: root }));
  const groups = groupsOf(modules, starts).filter((group) => group.length > 1);
  const all = [await bundleGroups({ root, folder, modules, groups }), await bundleDependencies(root, folder)];
  await stop();
  for (const { path, contents } of all.flatMap(({ files }) => files)) keep(path, contents);
  keep(tableFile, JSON.stringify(Object.assign({}, ...all.map(({ table }) => table))));
  removeOld(folder);
  return tableFile;
}

const keyOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** The versions of dependencies. */
function locked(root: string): string {
  const file = join(root, 'package-lock.json');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** The sources that determine the bundles of the same modules. */
const ownText = (): readonly string[] =>
  globSync(['*.ts', '../changed/module-names.ts', '../../../test/architecture/source-files.ts'], {
    cwd: import.meta.dirname,
    exclude: (name) => name.endsWith('.test.ts'),
  }).map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'));

/** Milliseconds since a run has kept the file; infinite without the file. */
const ageOf = (path: string): number =>
  Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY);

/** The names of files have the hash of their content: one that exists is complete. */
function keep(path: string, contents: string | Uint8Array): void {
  if (existsSync(path)) {
    const now = new Date();
    utimesSync(path, now, now);
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  const partial = `${path}.${process.pid}`;
  writeFileSync(partial, contents);
  renameSync(partial, path);
}

function removeOld(folder: string): void {
  for (const name of globSync('**/*.*', { cwd: folder }))
    if (ageOf(join(folder, name)) > KEEP_MS) rmSync(join(folder, name), { force: true });
}
