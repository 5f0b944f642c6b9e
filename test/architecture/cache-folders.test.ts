import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { importsOf, resolveRelative, type SourceFile, sourceFiles } from './source-files.ts';

const SRC = 'packages/cache/src/';

/** The folders that each folder may import besides itself and the modules that lie directly in `src`. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  objects: [],
  watch: ['objects'],
  resource: ['objects', 'watch'],
  feed: ['objects', 'watch', 'resource'],
  sync: ['objects', 'watch', 'resource', 'feed'],
};
/** Modules in `src` that combine the folders, so that no folder may import them. */
const COMPOSITION = ['watch-cache.ts', 'index.ts'];

/** The folder of a module in `src`, or its file name when it lies directly in `src`. */
const folderOf = (path: string): string => path.slice(SRC.length).split('/')[0] ?? '';

type Source = Pick<SourceFile, 'path' | 'text'>;

/** Imports, type imports included, that lead from a folder to one that it must not import. */
function forbiddenImports(files: readonly Source[]): readonly string[] {
  return files.flatMap((file) => {
    const folder = folderOf(file.path);
    const allowed = ALLOWED[folder];
    if (allowed === undefined) return [];
    return importsOf(file)
      .filter((i) => i.specifier.startsWith('.'))
      .map((i) => resolveRelative(file, i.specifier))
      .filter((target) => {
        const to = folderOf(target);
        if (COMPOSITION.includes(to)) return true;
        return to in ALLOWED && to !== folder && !allowed.includes(to);
      })
      .map((target) => `${file.path} imports ${target}`);
  });
}

const sources = sourceFiles().filter((file) => file.path.startsWith(SRC) && !file.isTest);

describe('folders of packages/cache/src', () => {
  it('every folder with sources has a rule', () => {
    const folders = new Set(
      sources.map((file) => folderOf(file.path)).filter((name) => !name.endsWith('.ts')),
    );
    assert.deepEqual([...folders].sort(), Object.keys(ALLOWED).sort());
  });

  it('the folders form no import cycle, type imports included', () => {
    assert.deepEqual(forbiddenImports(sources), []);
  });

  it('an import from a lower folder to a higher one is reported, also if it is type-only', () => {
    const text = "import type { Watcher } from '../watch/watcher.ts';\nimport { Tree } from './tree.ts';\n";
    assert.deepEqual(forbiddenImports([{ path: `${SRC}objects/select.ts`, text }]), [
      `${SRC}objects/select.ts imports ${SRC}watch/watcher.ts`,
    ]);
  });

  it('the modules of the package form no import cycle, type imports included', () => {
    const imports = new Map(
      sources.map((file) => [
        file.path,
        importsOf(file)
          .filter((i) => i.specifier.startsWith('.'))
          .map((i) => resolveRelative(file, i.specifier)),
      ]),
    );
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
      if (trail.includes(path) || done.has(path)) return;
      for (const next of imports.get(path) ?? []) visit(next, [...trail, path]);
      done.add(path);
    };
    for (const path of imports.keys()) visit(path, []);
    assert.deepEqual(cycles, []);
  });
});
