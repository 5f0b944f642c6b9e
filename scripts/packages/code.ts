import { join } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { entryName, type PublishedPackage } from './published.ts';

/** The oldest Node that the packages run on. */
export const oldestNode = '20.11';

export interface Code {
  /** Texts by path in the package. */
  readonly files: ReadonlyMap<string, string>;
  readonly report: Metafile;
}

/** The code of a package for one module system: all that it imports, except modules of the platform. */
export const modulesOf = (root: string, published: PublishedPackage): Promise<Code> =>
  bundle(root, 'esm', {
    format: 'esm',
    entryPoints: Object.entries(published.entries).map(([path, file]) => ({
      in: file,
      out: entryName(path),
    })),
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
  });

/**
 * The same in CommonJS: one file with all entries, and a small one for each, because entries share classes and the
 * bundler does not split CommonJS.
 */
export async function commonOf(root: string, published: PublishedPackage): Promise<Code> {
  const entries = Object.entries(published.entries);
  const namespaces = entries.map(
    ([path, file]) => `export * as ${variableOf(path)} from ${JSON.stringify(`./${file}`)};`,
  );
  const { files, report } = await bundle(root, 'cjs', {
    format: 'cjs',
    stdin: { contents: namespaces.join('\n'), resolveDir: root, sourcefile: 'entries.ts', loader: 'ts' },
    entryNames: 'code',
  });
  const small = entries.map(([path]) => {
    const text = `'use strict';\nmodule.exports = require('./code.js').${variableOf(path)};\n`;
    return [`cjs/${entryName(path)}.js`, text] as const;
  });
  return { files: new Map([...files, ...small]), report };
}

/** `.` → `index`, `./extension-server` → `extension_server`. */
const variableOf = (path: string): string => entryName(path).replaceAll('-', '_');

async function bundle(
  root: string,
  folder: string,
  options: Pick<BuildOptions, 'format' | 'entryPoints' | 'splitting' | 'chunkNames' | 'stdin' | 'entryNames'>,
): Promise<Code> {
  const outdir = join(root, folder);
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    bundle: true,
    // Libraries in their forms for every platform: those for Node are CommonJS, which needs `require` in modules.
    platform: 'neutral',
    mainFields: ['module', 'main'],
    external: ['node:*'],
    target: `node${oldestNode}`,
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
