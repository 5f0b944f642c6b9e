import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { Bundles } from './bundle-groups.ts';
import type { BundledModule } from './bundle-table.ts';

/** Dependencies with many files that most processes of a run load. */
const DEPENDENCIES = ['@opentelemetry/api', 'jose', 'yaml'];

// Their CommonJS modules call `require`.
const banner = `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);`;

/** Bundles each of the dependencies that the checkout `root` has into a file, which exports the same names. */
export async function bundleDependencies(root: string, folder: string): Promise<Bundles> {
  const installed = DEPENDENCIES.filter((name) => isInstalled(root, name));
  const texts = new Map<string, string>();
  for (const name of installed) texts.set(name, await entryText(root, name));
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: installed.map((name) => ({ in: name, out: join('dependencies', nameOf(name)) })),
    entryNames: '[dir]/[name]-[hash]',
    outExtension: { '.js': '.mjs' },
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'esnext',
    banner: { js: banner },
    metafile: true,
    write: false,
    logLevel: 'warning',
    plugins: [
      {
        name: 'entries',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /.*/ }, ({ kind, path }) =>
            kind === 'entry-point' ? { path, namespace: 'entry' } : undefined,
          );
          onLoad({ filter: /.*/, namespace: 'entry' }, ({ path }) => ({
            contents: texts.get(path) ?? '',
            resolveDir: join(root, 'packages'),
          }));
        },
      },
    ],
  });
  const table: Record<string, BundledModule> = {};
  for (const [output, { entryPoint = '' }] of Object.entries(metafile.outputs))
    table[entryPoint.replace('entry:', '')] = {
      bundle: relative(root, join(root, output)),
      index: 0,
      names: [],
    };
  return { files: outputFiles, table };
}

const nameOf = (name: string): string => name.replace(/.*\//, '');

function isInstalled(root: string, name: string): boolean {
  try {
    return createRequire(join(root, 'packages/package.json')).resolve(name) !== '';
  } catch {
    return false;
  }
}

/** Node knows the names that a CommonJS module exports; the bundler does not. */
async function entryText(root: string, name: string): Promise<string> {
  const path = createRequire(join(root, 'packages/package.json')).resolve(name);
  const names = Object.keys(await import(pathToFileURL(path).href));
  const exported = names.filter((each) => /^[a-zA-Z_$][\w$]*$/.test(each) && each !== 'default');
  const fallback = names.includes('default') ? 'export default all.default;' : '';
  return `import * as all from ${JSON.stringify(name)};
export const { ${exported.join(', ')} } = all;
${fallback}`;
}
