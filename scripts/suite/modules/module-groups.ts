import { importsOf, resolveRelative } from '../../../test/architecture/source-files.ts';
import { readNames } from '../changed/module-names.ts';

/** A module of a package: the modules of the same package that it imports, at its start or later, and the names that it exports. */
export interface SourceModule {
  readonly imports: readonly string[];
  readonly later: readonly string[];
  readonly exports: readonly string[];
}

const namespaceExport = /^export \* as (\w+) from/gm;
const laterImport = /\bimport\(\s*'(\.[^']+\.ts)'/g;

/** Reads modules by path. */
export function readModules(texts: ReadonlyMap<string, string>): ReadonlyMap<string, SourceModule> {
  const names = new Map([...texts].map(([path, text]) => [path, readNames(text)]));
  const exportsOf = (path: string): readonly string[] => {
    const { declared = [], forwarded = new Map(), stars = [] } = names.get(path) ?? {};
    const behind = stars.flatMap((specifier) => exportsOf(resolveRelative({ path }, specifier)));
    const spaces = [...(texts.get(path) ?? '').matchAll(namespaceExport)].map(([, name = '']) => name);
    return [...new Set([...declared, ...forwarded.keys(), ...behind, ...spaces])];
  };
  return new Map(
    [...texts].map(([path, text]) => {
      const resolved = (specifier: string): string => resolveRelative({ path }, specifier);
      const later = [...text.matchAll(laterImport)].map(([, specifier = '']) => resolved(specifier));
      const imports = importsOf({ text })
        .filter((each) => !each.typeOnly && each.specifier.startsWith('.'))
        .map(({ specifier, clause }) => ({ target: resolved(specifier), clause }))
        .filter(({ target, clause }) => clause !== undefined || !later.includes(target))
        .map(({ target }) => target)
        .filter((target) => texts.has(target));
      return [path, { imports, later, exports: exportsOf(path) }];
    }),
  );
}

/**
 * Groups of modules that are always loaded together: the same entries of their package, and modules that are imported later, lead to
 * them. No group imports one that imports it. Programs of processes and threads, which nothing imports and which export nothing, are in
 * no group, and neither are modules that no entry leads to.
 */
export function groupsOf(
  modules: ReadonlyMap<string, SourceModule>,
  entries: readonly string[],
): readonly (readonly string[])[] {
  const imported = new Set([...modules.values()].flatMap(({ imports }) => imports));
  const groups = new Map<string, string[]>();
  for (const [path, leading] of leadingTo(modules, entries)) {
    if (modules.get(path)?.exports.length === 0 && !imported.has(path)) continue;
    const key = leading.join();
    groups.set(key, [...(groups.get(key) ?? []), path]);
  }
  return [...groups.values()].map((group) => group.sort());
}

/** The entries, and modules that are imported later, that lead to each module. */
function leadingTo(
  modules: ReadonlyMap<string, SourceModule>,
  entries: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const leading = new Map<string, string[]>();
  const starts = new Set([...entries, ...[...modules.values()].flatMap(({ later }) => later)]);
  for (const start of [...starts].filter((path) => modules.has(path)).sort()) {
    const reached = new Set([start]);
    for (const path of reached) for (const next of modules.get(path)?.imports ?? []) reached.add(next);
    for (const path of reached) leading.set(path, [...(leading.get(path) ?? []), start]);
  }
  return leading;
}
