import { join } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { buildFacts } from '../bundle/build-facts.ts';
import { entryName, nodeEntries, type PublishedPackage } from './published.ts';

/** The additions that a module system needs: `require` in modules, the address of its file in CommonJS. */
const additions = {
  esm: {
    banner: {
      js: `import { createRequire as packageRequire } from 'node:module';
const require = packageRequire(import.meta.url);`,
    },
  },
  cjs: {
    banner: { js: `const packageFileUrl = require('node:url').pathToFileURL(__filename).href;` },
    define: { 'import.meta.url': 'packageFileUrl', 'import.meta.dirname': '__dirname' },
  },
} as const satisfies Readonly<Record<string, BuildOptions>>;

/** Functions that Node 20 lacks, and those of `older-node.ts` that are called in their place. */
const olderNode = { 'Promise.withResolvers': 'promiseWithResolvers', 'Map.groupBy': 'mapGroupBy' };

/** The additions of a package for Node, and the version that its commands print. */
const additionsOf = (root: string, folder: keyof typeof additions): BuildOptions => {
  const base: BuildOptions = additions[folder];
  const define = { ...base.define, ...olderNode, ORCH_BUILD: JSON.stringify(buildFacts(root, {})) };
  return { ...base, define, inject: [join(root, 'scripts/packages/older-node.ts')] };
};

export interface Code {
  /** Texts by path in the package. */
  readonly files: ReadonlyMap<string, string>;
  readonly report: Metafile;
}

/** The code of a package for one module system: all that it imports, except modules of the platform. */
export const modulesOf = (root: string, published: PublishedPackage): Promise<Code> =>
  bundle(
    { root, published, folder: 'esm' },
    {
      format: 'esm',
      entryPoints: [
        ...nodeEntries(published).map(([path, file]) => ({ in: file, out: entryName(path) })),
        ...Object.entries(published.commands).map(([name, file]) => ({ in: file, out: `commands/${name}` })),
      ],
      splitting: true,
      chunkNames: 'chunks/[name]-[hash]',
    },
  );

/**
 * The same in CommonJS: one file with all entries, and a small one for each, because entries share classes and the
 * bundler does not split CommonJS.
 */
export async function commonOf(root: string, published: PublishedPackage): Promise<Code> {
  const entries = nodeEntries(published);
  const namespaces = entries.map(
    ([path, file]) => `export * as ${variableOf(path)} from ${JSON.stringify(`./${file}`)};`,
  );
  const { files, report } = await bundle(
    { root, published, folder: 'cjs' },
    {
      format: 'cjs',
      stdin: { contents: namespaces.join('\n'), resolveDir: root, sourcefile: 'entries.ts', loader: 'ts' },
      entryNames: 'code',
    },
  );
  const small = entries.map(([path]) => {
    const text = `'use strict';\nmodule.exports = require('./code.js').${variableOf(path)};\n`;
    return [`cjs/${entryName(path)}.js`, text] as const;
  });
  return { files: new Map([...files, ...small]), report };
}

/** `.` → `index`, `./extension-server` → `extension_server`. */
const variableOf = (path: string): string => entryName(path).replaceAll('-', '_');

interface Target {
  readonly root: string;
  readonly published: PublishedPackage;
  readonly folder: keyof typeof additions;
}

async function bundle(
  target: Target,
  options: Pick<BuildOptions, 'format' | 'entryPoints' | 'splitting' | 'chunkNames' | 'stdin' | 'entryNames'>,
): Promise<Code> {
  const { root, folder, published } = target;
  const outdir = join(root, folder);
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    bundle: true,
    platform: published.platform,
    ...(published.platform === 'node' ? additionsOf(root, folder) : { mainFields: ['module', 'main'] }),
    external: ['node:*'],
    target: `node${published.node}`,
    legalComments: 'none',
    logLevel: 'warning',
    ...options,
    outdir,
    metafile: true,
    write: false,
  });
  const files = outputFiles.map(
    ({ path, text }) => [join(folder, path.slice(outdir.length + 1)), text] as const,
  );
  return { files: new Map(files), report: metafile };
}
