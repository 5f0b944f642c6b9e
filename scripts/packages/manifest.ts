import { entryName, nodeEntries, type PublishedPackage } from './published.ts';

interface Condition {
  readonly types: string;
  readonly default: string;
}

/** The two module systems of a subpath. Each has declarations of its kind: a compiler reads them as such modules. */
interface Entry {
  readonly import: Condition;
  readonly require: Condition;
}

const conditionOf = (folder: string, name: string): Condition => ({
  types: `./${folder}/${name}.d.ts`,
  default: `./${folder}/${name}.js`,
});

/** A subpath for browsers has modules alone. */
const browserEntryOf = (path: string): Condition => conditionOf('esm', entryName(path));

const entryOf = (path: string): Entry => ({
  import: conditionOf('esm', entryName(path)),
  require: conditionOf('cjs', entryName(path)),
});

/** The file of a command, relative to the package. */
const commandFile = (name: string): string => `./esm/commands/${name}.js`;

/** The `package.json` of a published package. */
export const manifestOf = (
  published: PublishedPackage,
  version: string,
): Readonly<Record<string, unknown>> => ({
  name: published.name,
  version,
  description: published.description,
  keywords: published.keywords,
  license: 'Apache-2.0',
  type: 'module',
  sideEffects: false,
  engines: { node: `>=${published.node}` },
  main: './cjs/index.js',
  module: './esm/index.js',
  types: './cjs/index.d.ts',
  exports: {
    ...Object.fromEntries(nodeEntries(published).map(([path]) => [path, entryOf(path)])),
    ...Object.fromEntries(published.browserEntries.map((path) => [path, browserEntryOf(path)])),
    './package.json': './package.json',
  },
  bin: Object.fromEntries(Object.keys(published.commands).map((name) => [name, commandFile(name)])),
  dependencies: published.types,
  publishConfig: { access: 'public', provenance: true },
});
