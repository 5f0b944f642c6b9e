import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Metafile, type OutputFile, type Plugin } from 'esbuild';
import { type BundledModule, type BundleTable, nameInBundle } from './bundle-table.ts';
import type { SourceModule } from './module-groups.ts';

/** The address of the entry of a group starts with it. */
const GROUP = 'group:';
const ofModule = /\bimport\.meta\.(url|dirname|filename)\b/g;

export interface Groups {
  /** The root of the checkout. */
  readonly root: string;
  /** The folder of the bundles. */
  readonly folder: string;
  readonly modules: ReadonlyMap<string, SourceModule>;
  /** The paths of the modules of each bundle. */
  readonly groups: readonly (readonly string[])[];
}

export interface Bundles {
  readonly files: readonly OutputFile[];
  readonly table: BundleTable;
}

/** Bundles each group into a file, which imports the modules of other groups by the addresses of their sources. */
export async function bundleGroups(groups: Groups): Promise<Bundles> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: groups.root,
    entryPoints: Object.fromEntries(groups.groups.map((group, i) => [nameOf(group), `${GROUP}${i}`])),
    entryNames: '[dir]/[name]-[hash]',
    outExtension: { '.js': '.mjs' },
    outdir: groups.folder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'esnext',
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    write: false,
    logLevel: 'warning',
    plugins: [groupPlugin(groups)],
  });
  return { files: outputFiles, table: tableOf(groups, metafile) };
}

/** `apis/group` is the name of the bundle that starts with `packages/apis/src/core/group.ts`. */
const nameOf = ([first = '']: readonly string[]): string =>
  join(first.split('/')[1] ?? '', basename(first, '.ts'));

/** The source of the entry of a group: it exports everything that the modules export. */
function entryText({ root, modules }: Groups, group: readonly string[]): string {
  const lines = group.map((path, index) => {
    const names = modules.get(path)?.exports ?? [];
    const exported = names.map((name) => `${name} as ${nameInBundle(index, name)}`);
    const from = JSON.stringify(join(root, path));
    return names.length === 0 ? `import ${from};` : `export { ${exported.join(', ')} } from ${from};`;
  });
  return lines.join('\n');
}

/** Leaves everything outside of a group to Node. */
function groupPlugin(all: Groups): Plugin {
  const { root, groups } = all;
  const groupOf = new Map(groups.flatMap((group, i) => group.map((path) => [join(root, path), i] as const)));
  return {
    name: 'groups',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /.*/ }, ({ path, importer, kind, namespace, resolveDir }) => {
        if (kind === 'entry-point') return { path, namespace: 'group' };
        if (namespace === 'group') return { path };
        if (!path.startsWith('.')) return { path, external: true };
        const target = join(resolveDir, path);
        const isInside = kind !== 'dynamic-import' && groupOf.get(target) === groupOf.get(importer);
        return isInside ? { path: target } : { path: pathToFileURL(target).href, external: true };
      });
      onLoad({ filter: /.*/, namespace: 'group' }, ({ path }) => ({
        contents: entryText(all, groups[Number(path.slice(GROUP.length))] ?? []),
        loader: 'ts',
        resolveDir: root,
      }));
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        return text.includes('import.meta.')
          ? { contents: withAddress(text, path), loader: 'ts' }
          : undefined;
      });
    },
  };
}

/** The text of a module with its address and path as literals, since its code is in another file. */
function withAddress(text: string, path: string): string {
  const values = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path };
  return text.replace(ofModule, (_, name: keyof typeof values) => JSON.stringify(values[name]));
}

function tableOf({ root, groups }: Groups, { outputs }: Metafile): BundleTable {
  const table: Record<string, BundledModule> = {};
  for (const [output, { entryPoint, exports }] of Object.entries(outputs)) {
    if (entryPoint === undefined) continue;
    const group = groups[Number(entryPoint.split(':').at(-1))] ?? [];
    for (const [index, path] of group.entries()) {
      const start = nameInBundle(index, '');
      const names = exports.filter((name) => name.startsWith(start)).map((name) => name.slice(start.length));
      table[path] = { bundle: relative(root, join(root, output)), index, names };
    }
  }
  return table;
}
