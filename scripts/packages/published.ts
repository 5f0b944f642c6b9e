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
  /** The subpaths that run in browsers, as modules alone. */
  readonly browserEntries: readonly string[];
  /** The source file of each command that it installs. */
  readonly commands: Readonly<Record<string, string>>;
  readonly description: string;
  readonly keywords: readonly string[];
  /** The oldest Node that it runs on. */
  readonly node: string;
  /** `neutral` contains libraries in their forms for every platform, `node` in those for Node, which need `require`. */
  readonly platform: 'neutral' | 'node';
  /** Types of other packages in its declarations. */
  readonly types: Readonly<Record<string, string>>;
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
  // Checks of this repository import the other subpaths.
  const { './dev-flags': _flags, ...testing } = exportsOf(root, 'testing');
  const { './custom-types': _types, ...client } = exportsOf(root, 'client');
  const types = { 'orch-types': 'packages/client/src/custom-types/main.ts' };
  return [
    {
      name: publishedName('client'),
      source: 'client',
      entries: client,
      browserEntries: ['./browser'],
      commands: types,
      description: 'Client library for controllers, operators and extension API servers of a control plane',
      keywords: ['orch', 'kubernetes', 'client', 'controller', 'operator', 'informer', 'leader-election'],
      node: '20.18.0',
      platform: 'neutral',
      // Declarations name types of Node. A program chooses the version.
      types: { '@types/node': '*' },
    },
    {
      name: publishedName('testing'),
      source: 'testing',
      entries: testing,
      browserEntries: [],
      commands: { orch: 'packages/testing/src/dev/main.ts', ...types },
      description:
        'A real control plane in the process of a test: API server, garbage collection, namespaces, quotas',
      keywords: ['orch', 'kubernetes', 'testing', 'envtest', 'operator', 'control-plane'],
      node: '20.18.0',
      platform: 'node',
      // As those of the client.
      types: { '@types/node': '*' },
    },
  ];
}

/** The entries for Node, as in `entries`. */
export const nodeEntries = ({
  entries,
  browserEntries,
}: PublishedPackage): readonly (readonly [string, string])[] =>
  Object.entries(entries).filter(([path]) => !browserEntries.includes(path));

/** The name on npm of a package that is made from a package of the workspace. */
export const publishedName = (source: string): string => `${scope}/${source}`;

/** The name of the files of a subpath: `.` → `index`, `./login` → `login`. */
export const entryName = (path: string): string => (path === '.' ? 'index' : path.slice('./'.length));
