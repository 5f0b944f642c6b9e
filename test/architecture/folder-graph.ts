import { dirname } from 'node:path';
import { importsOf, resolveRelative, type SourceFile } from './source-files.ts';

export type Module = Pick<SourceFile, 'path' | 'text'>;

/** The modules that `file` imports by relative specifiers, type imports included. */
const relativeImports = (file: Module): readonly string[] =>
  importsOf(file)
    .map((each) => each.specifier)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => resolveRelative(file, specifier));

/** Relative imports that lead into `packages/`, where only the entry points of a package may be imported. */
export const importsIntoPackages = (files: readonly Module[]): readonly string[] =>
  files.flatMap((file) =>
    relativeImports(file)
      .filter((target) => target.startsWith('packages/'))
      .map((target) => `${file.path} imports ${target}`),
  );

export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly files: string;
}

/** The child of `parent`, a folder or a file, that contains `path`. */
const childOf = (parent: string, path: string): string => path.slice(parent.length + 1).split('/')[0] ?? '';

/** Imports between the children of one folder: each subfolder is one node, and so is each file. */
export function edgesOf(parent: string, files: readonly Module[]): readonly Edge[] {
  const inside = (path: string): boolean => path.startsWith(`${parent}/`);
  return files
    .filter((file) => inside(file.path))
    .flatMap((file) =>
      relativeImports(file)
        .filter(inside)
        .map((target) => ({
          from: childOf(parent, file.path),
          to: childOf(parent, target),
          files: `${file.path} imports ${target}`,
        })),
    )
    .filter(({ from, to }) => from !== to);
}

/** The imports that close a circle: those whose target leads back to their source. */
export function circularImports(edges: readonly Edge[]): readonly string[] {
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of edges) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  const reaches = (from: string, to: string, seen: Set<string>): boolean =>
    from === to ||
    [...(targets.get(from) ?? [])].some((next) => !seen.has(next) && reaches(next, to, seen.add(next)));
  return edges.filter(({ from, to }) => reaches(to, from, new Set([to]))).map(({ files }) => files);
}

/** Every folder below and including `top` that contains one of the files, directly or in a subfolder. */
export function foldersOf(top: string, files: readonly Module[]): readonly string[] {
  const found = new Set<string>();
  for (const file of files)
    for (let at = dirname(file.path); at.length >= top.length; at = dirname(at)) found.add(at);
  return [...found].sort();
}

/**
 * Imports from outside a folder that has an `index.ts` of a module inside it other than the index. The index of `top`
 * itself is the public interface of the package, so its files and the index of the package are not restricted by it.
 */
export function importsPastIndex(top: string, files: readonly Module[]): readonly string[] {
  const indexed = files
    .filter((file) => file.path.endsWith('/index.ts') && dirname(file.path) !== top)
    .map((file) => dirname(file.path));
  const past = (file: Module, target: string): boolean =>
    indexed.some(
      (folder) =>
        target.startsWith(`${folder}/`) &&
        !file.path.startsWith(`${folder}/`) &&
        target !== `${folder}/index.ts`,
    );
  return files.flatMap((file) =>
    relativeImports(file)
      .filter((target) => past(file, target))
      .map((target) => `${file.path} imports ${target}`),
  );
}
