import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stop, version } from 'esbuild';
import { entryPoints } from '../entry-points.ts';
import { bundleDependencies } from './bundle-dependencies.ts';
import { bundleGroups } from './bundle-groups.ts';
import { BUNDLES_FOLDER } from './bundle-table.ts';
import { isFresh, keepFile, removeOldFiles } from './kept-files.ts';
import { groupsOf, readModules } from './module-groups.ts';

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
  if (isFresh(tableFile)) return tableFile;
  const modules = readModules(texts);
  const starts = entries.flatMap(([, entry]) => globSync(entry, { cwd: root }));
  const groups = groupsOf(modules, starts).filter((group) => group.length > 1);
  const all = [await bundleGroups({ root, folder, modules, groups }), await bundleDependencies(root, folder)];
  await stop();
  for (const { path, contents } of all.flatMap(({ files }) => files)) keepFile(path, () => contents);
  keepFile(tableFile, () => JSON.stringify(Object.assign({}, ...all.map(({ table }) => table))));
  removeOldFiles(folder);
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
