import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { Code } from './code.ts';
import { entryName, type PublishedPackage } from './published.ts';

/** The symbols of `using`, which the compiled code looks up in the same way; some browsers do not have them. */
const symbols = ['dispose', 'asyncDispose'].map((name) => ({ name, variable: `browserSymbol_${name}` }));

/** The oldest browsers that the code runs on. */
const browsers = ['chrome123', 'firefox128', 'safari17.5'];

/** Parts of the workspace import modules of Node for others: the bundler drops them, or the build fails. */
const withoutNode: Plugin = {
  name: 'no modules of Node',
  setup({ onResolve }) {
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true, sideEffects: false }));
  },
};

/** The code of the entries for browsers. Throws where one needs a module of Node. */
export async function browserCodeOf(root: string, published: PublishedPackage): Promise<Code> {
  const outdir = join(root, 'esm');
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    bundle: true,
    platform: 'browser',
    format: 'esm',
    entryPoints: published.browserEntries.map((path) => ({
      in: published.entries[path] ?? path,
      out: entryName(path),
    })),
    plugins: [withoutNode],
    target: browsers,
    banner: {
      js: symbols
        .map(({ name, variable }) => `const ${variable} = Symbol.${name} ?? Symbol.for('Symbol.${name}');`)
        .join('\n'),
    },
    define: Object.fromEntries(symbols.map(({ name, variable }) => [`Symbol.${name}`, variable])),
    legalComments: 'none',
    logLevel: 'warning',
    outdir,
    metafile: true,
    write: false,
  });
  for (const [file, { imports }] of Object.entries(metafile.outputs))
    for (const { path } of imports)
      if (path.startsWith('node:')) throw new Error(`${file} imports ${path}, which browsers do not have`);
  const files = outputFiles.map(
    ({ path, text }) => [join('esm', path.slice(outdir.length + 1)), text] as const,
  );
  return { files: new Map(files), report: metafile };
}
