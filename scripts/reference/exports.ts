import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exportsOf } from '../packages/published.ts';
import { type DeclarationFile, type Declared, readDeclarationFile } from './declaration-file.ts';

/** An exported name with its declarations: overloads of a function are several. */
export interface ExportedSymbol {
  readonly name: string;
  /** The source file of the declaration, relative to the root of the repository. */
  readonly source: string;
  readonly declarations: readonly Declared[];
}

/** Finds the declarations of what the entries of packages export. */
export class Exports {
  readonly #root: string;
  readonly #pathOf: (source: string) => string;
  readonly #files = new Map<string, DeclarationFile>();

  private constructor(root: string, pathOf: (source: string) => string) {
    this.#root = root;
    this.#pathOf = pathOf;
  }

  /** Reads the sources. */
  static inSources(root: string): Exports {
    return new Exports(root, (source) => source);
  }

  /** Reads the declarations that the compiler has written, in which all types are spelled out. */
  static inDeclarations(root: string): Exports {
    return new Exports(root, (source) => source.replace('/src/', '/dist/').replace(/\.ts$/, '.d.ts'));
  }

  /** The names that a source file exports, in alphabetical order. Namespaces and names of the platform are left out. */
  of(source: string): readonly ExportedSymbol[] {
    const found = new Map<string, ExportedSymbol>();
    const { declared, reexported } = this.#file(source);
    for (const [name, declarations] of declared)
      if (declarations.some(({ text }) => text.startsWith('export ')))
        found.set(name, { name, source, declarations });
    for (const { from, name, source: original } of reexported) {
      const other = this.#sourceOf(from, source);
      if (other === undefined || (original === '*' && name !== '*')) continue;
      for (const one of this.of(other))
        if (original === '*' || one.name === original) {
          const own = original === '*' ? one.name : name;
          found.set(own, { ...one, name: own });
        }
    }
    return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #file(source: string): DeclarationFile {
    const known = this.#files.get(source);
    if (known !== undefined) return known;
    const file = readDeclarationFile(readFileSync(join(this.#root, this.#pathOf(source)), 'utf8'));
    this.#files.set(source, file);
    return file;
  }

  #sourceOf(specifier: string, importer: string): string | undefined {
    if (specifier.startsWith('.')) return join(dirname(importer), specifier);
    const [, name, path = ''] = /^@orch\/([^/]+)(?:\/(.*))?$/.exec(specifier) ?? [];
    return name === undefined ? undefined : exportsOf(this.#root, name)[path === '' ? '.' : `./${path}`];
  }
}
