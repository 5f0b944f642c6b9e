import { always, type Declared, declaredTests, everything } from './declared-tests.ts';
import type { ImportGraph } from './import-graph.ts';

/** How near a test is to a change; the nearest run first. */
export const nearness = ['changed', 'always', 'package', 'declared', 'imports'] as const;

export interface Affected {
  readonly test: string;
  readonly near: (typeof nearness)[number];
  /** Between the test and the changed file. */
  readonly imports: number;
  readonly reason: string;
}

const isIn = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

const packageOf = (path: string): string => /^packages\/[^/]+/.exec(path)?.[0] ?? path;

interface Reached {
  readonly changed: string;
  readonly imports: number;
  /** The file on the way that uses the changed file. */
  readonly through: string;
}

/** Every file that uses a changed file, over as few imports as possible. */
function reach(graph: ImportGraph, changed: readonly string[]): ReadonlyMap<string, Reached> {
  const reached = new Map<string, Reached>();
  for (const file of changed) reached.set(file, { changed: file, imports: 0, through: file });
  // A map that grows while it is read is a queue.
  for (const [file, { changed: origin, imports, through }] of reached) {
    const paths = imports === 0 ? withFolders(file) : [file];
    for (const user of paths.flatMap((path) => graph.usersOf(path))) {
      if (reached.has(user)) continue;
      reached.set(user, { changed: origin, imports: imports + 1, through: imports === 0 ? user : through });
    }
  }
  return reached;
}

/** The file and the folders that contain it, except for the top one. */
function withFolders(file: string): readonly string[] {
  const parts = file.split('/');
  return parts
    .map((_, i) => parts.slice(0, parts.length - i).join('/'))
    .filter((path, i) => i === 0 || path.includes('/'));
}

function reasonOf({ changed, imports, through }: Reached, test: string): string {
  if (imports === 0) return 'changed';
  if (through === test) return `uses ${changed}`;
  return `uses ${changed} through ${through} (${imports} steps)`;
}

/** The tests that a change of these files can affect with the reason for each, the nearest first. */
export function affectedTests(
  graph: ImportGraph,
  tests: readonly string[],
  changed: readonly string[],
  declared: readonly Declared[] = declaredTests,
): readonly Affected[] {
  if (changed.length === 0) return [];
  const reached = reach(graph, changed);
  const packages = new Set(changed.map(packageOf));
  const all = changed.find((file) => everything.some((each) => isIn(file, each)));
  const found = tests.flatMap((test): readonly Affected[] => {
    const by = reached.get(test);
    const imports = by?.imports ?? Number.POSITIVE_INFINITY;
    if (by?.imports === 0) return [{ test, near: 'changed', imports, reason: reasonOf(by, test) }];
    if (isIn(test, always)) return [{ test, near: 'always', imports, reason: 'runs after every change' }];
    if (by !== undefined && packages.has(packageOf(test)))
      return [{ test, near: 'package', imports, reason: reasonOf(by, test) }];
    const origin = changed.find((file) =>
      declared.some(
        (row) => row.changed.some((each) => isIn(file, each)) && row.tests.some((each) => isIn(test, each)),
      ),
    );
    if (origin !== undefined) return [{ test, near: 'declared', imports, reason: `declared for ${origin}` }];
    if (by !== undefined) return [{ test, near: 'imports', imports, reason: reasonOf(by, test) }];
    return all === undefined
      ? []
      : [{ test, near: 'imports', imports, reason: `every test depends on ${all}` }];
  });
  return found.sort(
    (a, b) =>
      nearness.indexOf(a.near) - nearness.indexOf(b.near) ||
      (a.imports < b.imports ? -1 : Number(a.imports > b.imports)),
  );
}
