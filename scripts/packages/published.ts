import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The scope of the published packages on npm. This is the only place with its name. */
export const scope = '@orch-io';

/** A package that is published on npm, made from a package of the workspace. */
export interface PublishedPackage {
  readonly name: string;
  /** The folder below `packages/` that it is made from. */
  readonly source: string;
  /** The source file of each subpath: `.`, `./login`, … */
  readonly entries: Readonly<Record<string, string>>;
  readonly description: string;
  readonly keywords: readonly string[];
}

interface Manifest {
  readonly exports?: Readonly<Record<string, string>>;
}

/** The subpaths that a package of the workspace exports, with their files relative to the root of the repository. */
export function exportsOf(root: string, source: string): Readonly<Record<string, string>> {
  const manifest = JSON.parse(
    readFileSync(join(root, 'packages', source, 'package.json'), 'utf8'),
  ) as Manifest;
  return Object.fromEntries(
    Object.entries(manifest.exports ?? {}).map(([path, file]) => [path, join('packages', source, file)]),
  );
}

/** All published packages. */
export function publishedPackages(root: string): readonly PublishedPackage[] {
  return [
    {
      name: `${scope}/client`,
      source: 'client',
      entries: exportsOf(root, 'client'),
      description: 'Client library for controllers, operators and extension API servers of a control plane',
      keywords: ['orch', 'kubernetes', 'client', 'controller', 'operator', 'informer', 'leader-election'],
    },
  ];
}

/** The name of the files of a subpath: `.` → `index`, `./login` → `login`. */
export const entryName = (path: string): string => (path === '.' ? 'index' : path.slice('./'.length));
