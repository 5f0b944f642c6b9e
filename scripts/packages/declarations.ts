import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { exportsOf } from './published.ts';

/** The modules that declarations import from, whatever comes before: `from 'x'`, `import('x')`, `import 'x'`. */
const specifiers = /(\bfrom |\bimport\(|\bimport )(['"])([^'"\n]+)\2/g;
/** Type parameters of the library that TypeScript before 5.7 does not have. */
const bufferParameter = /\b(Uint8Array|Buffer)<ArrayBuffer(?:Like)?>/g;

export interface DeclarationOptions {
  /** The scope of the packages of the workspace, with its slash. */
  readonly workspace: string;
  /** Modules that stay as they are: those of the platform and declared dependencies. */
  readonly isExternal: (specifier: string) => boolean;
}

/**
 * The declarations that entries need, by their paths in the published package: those of the compiler, with relative
 * imports that end in `.js`, also of other packages of the workspace. Throws for an import of anything else.
 */
export class Declarations {
  readonly #root: string;
  readonly #options: DeclarationOptions;
  readonly #found = new Map<string, string>();

  constructor(root: string, options: DeclarationOptions) {
    this.#root = root;
    this.#options = options;
  }

  /** All files that were added, with their texts. */
  get files(): ReadonlyMap<string, string> {
    return this.#found;
  }

  /** Adds the declarations of a source file and all that they import. Returns their path in the published package. */
  add(source: string): string {
    const published = publishedPath(source);
    if (this.#found.has(published)) return published;
    this.#found.set(published, '');
    const file = join(this.#root, builtPath(source));
    if (!existsSync(file)) throw new Error(`${builtPath(source)} is missing: run the compiler before`);
    const text = readFileSync(file, 'utf8').replace(bufferParameter, '$1');
    const rewritten = text.replace(specifiers, (_, before: string, quote: string, specifier: string) => {
      return `${before}${quote}${this.#rewritten(specifier, source, published)}${quote}`;
    });
    this.#found.set(published, rewritten);
    return published;
  }

  #rewritten(specifier: string, source: string, published: string): string {
    const imported = this.#sourceOf(specifier, source);
    if (imported === undefined) return specifier;
    return importPath(dirname(published), this.add(imported));
  }

  /** The source file of an imported module; undefined for an external one. */
  #sourceOf(specifier: string, importer: string): string | undefined {
    const { workspace, isExternal } = this.#options;
    if (specifier.startsWith('.')) return join(dirname(importer), specifier);
    if (specifier.startsWith(workspace)) {
      const [name = '', ...path] = specifier.slice(workspace.length).split('/');
      const found = exportsOf(this.#root, name)[['.', ...path].join('/')];
      if (found !== undefined) return found;
    }
    if (isExternal(specifier)) return undefined;
    throw new Error(`the declarations of ${importer} import ${specifier}, which is not published`);
  }
}

/** `packages/client/src/x.ts` → `packages/client/dist/x.d.ts`, where the compiler writes it. */
const builtPath = (source: string): string => source.replace('/src/', '/dist/').replace(/\.ts$/, '.d.ts');

/** `packages/client/src/x.ts` → `types/client/x.d.ts`. */
const publishedPath = (source: string): string =>
  source.replace(/^packages\/([^/]+)\/src\//, 'types/$1/').replace(/\.ts$/, '.d.ts');

/** The import of a file of declarations from a folder. */
export function importPath(folder: string, declarations: string): string {
  const path = relative(folder, declarations).replace(/\.d\.ts$/, '.js');
  return path.startsWith('.') ? path : `./${path}`;
}
