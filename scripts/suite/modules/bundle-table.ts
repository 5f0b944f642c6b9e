/** The variable with the path of the table of a run, for test processes. */
export const BUNDLES_VARIABLE = 'TEST_MODULE_BUNDLES';

/** The folder of the bundles, relative to the root. It has a folder for each package. */
export const BUNDLES_FOLDER = 'node_modules/.cache/test-modules';

/** Where a module is in the bundles of a run. */
export interface BundledModule {
  /** The path of its bundle, relative to the root. */
  readonly bundle: string;
  /** Its place among the modules of the bundle. */
  readonly index: number;
  /** The names that it exports. */
  readonly names: readonly string[];
}

/** Modules by path, relative to the root, and dependencies by name. */
export type BundleTable = Readonly<Record<string, BundledModule>>;

/** The name in a bundle of an export of its module at `index`. */
export const nameInBundle = (index: number, name: string): string => `m${index}_${name}`;

/** The source of a module that has the exports of a bundled one. `checkout` is the address of the root. */
export function facadeOf({ bundle, index, names }: BundledModule, checkout: string): string {
  const exported = names.map((name) => `${nameInBundle(index, name)} as ${name}`);
  return `export { ${exported.join(', ')} } from ${JSON.stringify(checkout + bundle)};\n`;
}
