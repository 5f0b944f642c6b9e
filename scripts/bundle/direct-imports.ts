import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'esbuild';

/** The declaration of a name. */
interface Declaration {
  readonly file: string;
  readonly name: string;
}

/** `import {…} from '…'` and `export {…} from '…'`, as the formatter writes them; not those of types only. */
const namedImport = /^(import|export) \{([^}]*)\} from '([^']+)';$/gm;
const wildcardExport = /^export \* from '([^']+)';$/gm;
const ownExport =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|enum) ([\w$]+)/gm;

/**
 * Replaces imports from the index file of a package or folder by imports from the files that declare the names. The bundler
 * assigns whole files to sections: through an index file, an import of one name would load everything that the index file exports.
 */
export function directImports(root: string): Plugin {
  const resolver = new DeclarationResolver(root);
  return {
    name: 'direct-imports',
    setup(build) {
      build.onLoad({ filter: /\/packages\/[^/]+\/src\/.*\.ts$/ }, ({ path }) => ({
        contents: withDirectImports(readFileSync(path, 'utf8'), path, resolver),
        loader: 'ts',
      }));
    },
  };
}

function withDirectImports(text: string, file: string, resolver: DeclarationResolver): string {
  return text.replaceAll(namedImport, (statement, keyword: string, list: string, specifier: string) => {
    const target = resolver.indexFile(specifier, file);
    if (target === undefined) return statement;
    return valueNames(list)
      .map(([name, alias]) => {
        const declared = resolver.declarationOf(name, target);
        const path = relative(dirname(file), declared.file);
        return `${keyword} { ${declared.name} as ${alias} } from '${path.startsWith('.') ? path : `./${path}`}';`;
      })
      .join(' ');
  });
}

/** The names of an import list with the names that they get, without types. */
const valueNames = (list: string): readonly (readonly [string, string])[] =>
  list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '' && !item.startsWith('type '))
    .map((item) => {
      const [name = '', alias = name] = item.split(' as ');
      return [name, alias] as const;
    });

class DeclarationResolver {
  readonly #root: string;
  readonly #exports = new Map<string, ReadonlyMap<string, Declaration>>();

  constructor(root: string) {
    this.#root = root;
  }

  /** The index file that a specifier names; undefined for other files and for packages of others. */
  indexFile(specifier: string, importer: string): string | undefined {
    const file = this.#fileOf(specifier, importer);
    return file?.endsWith('/index.ts') ? file : undefined;
  }

  /** The file from which an index file takes an exported name; the index file itself for other forms of exports. */
  declarationOf(name: string, file: string): Declaration {
    return this.#exportsOf(file).get(name) ?? { file, name };
  }

  #fileOf(specifier: string, importer: string): string | undefined {
    if (specifier.startsWith('.')) return join(dirname(importer), specifier);
    const [, name, entry = ''] = /^@orch\/([^/]+)(\/.+)?$/.exec(specifier) ?? [];
    if (name === undefined) return undefined;
    const folder = join(this.#root, 'packages', name);
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const path = (manifest as { exports: Record<string, string> }).exports[`.${entry}`];
    return path === undefined ? undefined : join(folder, path);
  }

  #exportsOf(file: string): ReadonlyMap<string, Declaration> {
    const known = this.#exports.get(file);
    if (known !== undefined) return known;
    const found = new Map<string, Declaration>();
    // Registered before it is complete: files may export each other.
    this.#exports.set(file, found);
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    for (const [, name = ''] of text.matchAll(ownExport)) found.set(name, { file, name });
    for (const [, specifier = ''] of text.matchAll(wildcardExport))
      for (const [name, declaration] of this.#exportsOf(this.#fileOf(specifier, file) ?? ''))
        found.set(name, declaration);
    for (const [, keyword, list = '', specifier = ''] of text.matchAll(namedImport))
      if (keyword === 'export')
        for (const [name, alias] of valueNames(list)) {
          const source = this.#fileOf(specifier, file);
          if (source !== undefined)
            found.set(alias, this.#exportsOf(source).get(name) ?? { file: source, name });
        }
    return found;
  }
}
