/**
 * Loaded into every test process: finds the modules of this checkout by their names alone, and those of packages in the bundles of
 * the run. Node looks for each module in folders and `package.json` files, and loads it from a file, which is most of what
 * the start of a test costs.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { entryPoints } from './entry-points.ts';
import {
  BUNDLES_FOLDER,
  BUNDLES_VARIABLE,
  type BundledModule,
  type BundleTable,
  facadeOf,
} from './modules/bundle-table.ts';

const root = join(import.meta.dirname, '../..');
const checkout = `${pathToFileURL(root).href}/`;
const ofDependencies = `${checkout}node_modules/`;
const ofBundles = `${checkout}${BUNDLES_FOLDER}/`;

let entries: ReadonlyMap<string, string> | undefined;

const mayImport = (importer: string): boolean =>
  importer.startsWith(checkout) && (!importer.startsWith(ofDependencies) || importer.startsWith(ofBundles));

/** The address of the TypeScript module that a module of this checkout imports, if it is one of this checkout. */
export function addressOf(specifier: string, importer = ''): string | undefined {
  if (!mayImport(importer)) return undefined;
  if (specifier.startsWith('.') || specifier.startsWith(checkout))
    return specifier.endsWith('.ts') ? new URL(specifier, importer).href : undefined;
  if (!specifier.startsWith('@')) return undefined;
  entries ??= new Map(entryPoints(root).map(([name, path]) => [name, new URL(path, checkout).href]));
  return entries.get(specifier);
}

const tableFile = process.env[BUNDLES_VARIABLE];
const table: BundleTable = tableFile === undefined ? {} : JSON.parse(readFileSync(tableFile, 'utf8'));

const bundled = (url: string): BundledModule | undefined =>
  url.startsWith(checkout) ? table[url.slice(checkout.length)] : undefined;

/** The address of the bundle of a dependency. */
const dependency = (specifier: string, importer = ''): string | undefined =>
  mayImport(importer) && table[specifier] !== undefined ? checkout + table[specifier].bundle : undefined;

/** Bundles import the dependencies of their package. */
function importerOf(parent: string | undefined): string | undefined {
  if (parent?.startsWith(ofBundles) !== true) return parent;
  const [name] = parent.slice(ofBundles.length).split('/');
  return `${checkout}packages/${name}/package.json`;
}

registerHooks({
  resolve(specifier, context, nextResolve) {
    const bundle = dependency(specifier, context.parentURL);
    if (bundle !== undefined) return { url: bundle, format: 'module', shortCircuit: true };
    const url = addressOf(specifier, context.parentURL);
    return url === undefined
      ? nextResolve(specifier, { ...context, parentURL: importerOf(context.parentURL) })
      : { url, format: 'module-typescript', shortCircuit: true };
  },
  load(url, context, nextLoad) {
    const module = bundled(url);
    return module === undefined
      ? nextLoad(url, context)
      : { source: facadeOf(module, checkout), format: 'module', shortCircuit: true };
  },
});
