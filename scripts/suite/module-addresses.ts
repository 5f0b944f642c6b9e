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
import { BUNDLES_FOLDER, BUNDLES_VARIABLE, type BundleTable, facadeOf } from './modules/bundle-table.ts';
import { strippedSource } from './modules/stripped-sources.ts';

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

/** What the run has prepared for a module of this checkout. */
function preparedSource(url: string): string | undefined {
  if (tableFile === undefined || !url.startsWith(checkout) || !url.endsWith('.ts')) return undefined;
  const path = url.slice(checkout.length);
  const module = table[path];
  return module === undefined
    ? strippedSource(join(root, BUNDLES_FOLDER), join(root, path))
    : facadeOf(module, checkout);
}

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
    const source = preparedSource(url);
    return source === undefined ? nextLoad(url, context) : { source, format: 'module', shortCircuit: true };
  },
});
