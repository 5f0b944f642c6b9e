/**
 * Loaded into every test process: finds the modules of this checkout by their names alone. Node looks for each of them in folders
 * and `package.json` files, which is half of what loading a test costs.
 */
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { entryPoints } from './entry-points.ts';

const root = join(import.meta.dirname, '../..');
const checkout = `${pathToFileURL(root).href}/`;
const ofDependencies = `${checkout}node_modules/`;

let entries: ReadonlyMap<string, string> | undefined;

/** The address of the TypeScript module that a module of this checkout imports, if it is one of this checkout. */
export function addressOf(specifier: string, importer = ''): string | undefined {
  if (!importer.startsWith(checkout) || importer.startsWith(ofDependencies)) return undefined;
  if (specifier.startsWith('.'))
    return specifier.endsWith('.ts') ? new URL(specifier, importer).href : undefined;
  if (!specifier.startsWith('@')) return undefined;
  entries ??= new Map(entryPoints(root).map(([name, path]) => [name, new URL(path, checkout).href]));
  return entries.get(specifier);
}

registerHooks({
  resolve(specifier, context, nextResolve) {
    const url = addressOf(specifier, context.parentURL);
    return url === undefined
      ? nextResolve(specifier, context)
      : { url, format: 'module-typescript', shortCircuit: true };
  },
});
