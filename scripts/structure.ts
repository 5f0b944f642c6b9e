/**
 * Prints figures of the structure: sizes of the packages, and imports between the parts of their folders.
 * `scripts/node scripts/structure.ts [ROOT]`, where ROOT is another checkout of the repository to compare with.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  circularImports,
  type Edge,
  edgesOf,
  foldersOf,
  type Module,
} from '../test/architecture/folder-graph.ts';

const root = process.argv[2] ?? join(import.meta.dirname, '..');
const isTest = ({ path }: Module): boolean => /\.test\.ts$|\/testing\//.test(path);
const modules: readonly Module[] = globSync('packages/*/src/**/*.{ts,mts}', { cwd: root })
  .sort()
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

const byPackage = Map.groupBy(modules, ({ path }) => path.split('/')[1] ?? '');

const lines = (files: readonly Module[]): string =>
  files.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0).toLocaleString('en');

const largestFolder = (files: readonly Module[]): number =>
  Math.max(...[...Map.groupBy(files, ({ path }) => dirname(path)).values()].map((each) => each.length));

for (const [name, files] of byPackage) {
  const [sources, tests] = [files.filter((each) => !isTest(each)), files.filter(isTest)];
  const figures = [sources.length, lines(sources), lines(tests), largestFolder(sources)];
  console.log(`| \`${name}\` | ${figures.join(' | ')} |`);
}

/** Pairs of parts of one folder that import each other. */
function mutualPairs(edges: readonly Edge[]): number {
  const found = new Set(edges.map(({ from, to }) => `${from}>${to}`));
  return new Set(
    edges
      .filter(({ from, to }) => from < to && found.has(`${to}>${from}`))
      .map(({ from, to }) => `${from}>${to}`),
  ).size;
}

const graphs = [...byPackage].flatMap(([name, files]) => {
  const sources = files.filter((each) => !isTest(each));
  return foldersOf(`packages/${name}/src`, sources).map((folder) => edgesOf(folder, sources));
});
const count = (measure: (edges: readonly Edge[]) => number): number =>
  graphs.reduce((sum, edges) => sum + measure(edges), 0);
console.log(`${byPackage.size} packages, ${graphs.length} folders`);
console.log(`${count((edges) => edges.length)} imports between parts of folders`);
console.log(`${count((edges) => circularImports(edges).length)} imports in circles`);
console.log(`${count(mutualPairs)} pairs of parts that import each other`);
