import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUNDLES_FOLDER, type BundleTable } from './bundle-table.ts';
import { prepareBundles } from './prepare-bundles.ts';
import { stripSources } from './stripped-sources.ts';

const SOURCES = ['packages/*/src/**/*.ts', 'test/**/*.ts', 'scripts/**/*.ts'];

/**
 * Prepares the modules of the checkout `root` for a run of `tests`, and returns the path of the table of bundles: bundles those of packages
 * and removes the types of others, which every process would do again.
 */
export async function prepareModules(root: string, tests: readonly string[]): Promise<string> {
  const tableFile = await prepareBundles(root);
  const table: BundleTable = JSON.parse(readFileSync(tableFile, 'utf8'));
  const others = globSync(SOURCES, { cwd: root }).filter(
    (path) => !path.endsWith('.test.ts') && table[path] === undefined,
  );
  stripSources(
    join(root, BUNDLES_FOLDER),
    [...tests, ...others].map((path) => join(root, path)),
  );
  return tableFile;
}
