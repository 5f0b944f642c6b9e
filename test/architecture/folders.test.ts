import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  circularImports,
  type Edge,
  edgesOf,
  foldersOf,
  importsIntoPackages,
  importsPastIndex,
  type Module,
} from './folder-graph.ts';
import { root, sourceFiles } from './source-files.ts';

const testing = /\.test\.ts$|\/testing\//;
const all = sourceFiles().filter((file) => /^packages\/[^/]+\/src\//.test(file.path));
const packages = [...new Set(all.map((file) => file.packageName))].sort();

const module = (path: string, ...imports: readonly string[]): Module => ({
  path,
  text: imports.map((specifier) => `import { x } from '${specifier}';\n`).join(''),
});

for (const name of packages) {
  const top = `packages/${name}/src`;
  const files = all.filter((file) => file.packageName === name && !testing.test(file.path));

  describe(`folders of packages/${name}`, () => {
    for (const folder of foldersOf(top, files))
      it(`the files and folders of ${folder} do not import each other in a circle`, () =>
        assert.deepEqual(circularImports(edgesOf(folder, files)), []));

    it(`files of packages/${name} import other folders through their index`, () =>
      assert.deepEqual(importsPastIndex(top, files), []));
  });
}

const outside = globSync('{test,bench,scripts,examples}/**/*.{ts,mjs}', {
  cwd: root,
  exclude: (name) => name === 'dist' || name === 'node_modules',
});

describe('imports of packages from other top folders', () => {
  it('test, bench, scripts and examples import packages by name', () => {
    const files = outside.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
    assert.deepEqual(importsIntoPackages(files), []);
  });

  it('a relative import into a package is reported, and an import by name is not', () => {
    const files = [module('test/a.ts', '../packages/p/src/x.ts', '@orch/p', './b.ts')];
    assert.deepEqual(importsIntoPackages(files), ['test/a.ts imports packages/p/src/x.ts']);
  });
});

describe('checks of the imports between folders', () => {
  it('imports in a circle through several folders are reported, and a chain of imports is not', () => {
    const edge = (from: string, to: string): Edge => ({ from, to, files: `${from}>${to}` });
    assert.deepEqual(circularImports([edge('a', 'b'), edge('b', 'c')]), []);
    assert.deepEqual(circularImports([edge('a', 'b'), edge('b', 'c'), edge('c', 'a'), edge('a', 'd')]), [
      'a>b',
      'b>c',
      'c>a',
    ]);
  });

  it('two folders whose different files import each other are reported as a circle', () => {
    const files = [
      module('p/src/a/one.ts', '../b/one.ts'),
      module('p/src/b/one.ts'),
      module('p/src/b/two.ts', '../a/two.ts'),
      module('p/src/a/two.ts'),
    ];
    assert.deepEqual(circularImports(edgesOf('p/src', files)), [
      'p/src/a/one.ts imports p/src/b/one.ts',
      'p/src/b/two.ts imports p/src/a/two.ts',
    ]);
  });

  it('a file next to two folders is a separate node in the graph of imports', () => {
    const files = [
      module('p/src/index.ts', './a/one.ts', './shared.ts'),
      module('p/src/a/one.ts', '../shared.ts'),
      module('p/src/shared.ts'),
    ];
    assert.deepEqual(circularImports(edgesOf('p/src', files)), []);
  });

  it('type imports count in the graph of imports between folders', () => {
    const text = "import type { X } from '../b/one.ts';\n";
    const files = [{ path: 'p/src/a/one.ts', text }, module('p/src/b/one.ts', '../a/one.ts')];
    assert.equal(circularImports(edgesOf('p/src', files)).length, 2);
  });

  it('an import of a module inside an indexed folder is reported, and an import of its index is not', () => {
    const files = [
      module('p/src/a/index.ts', './one.ts'),
      module('p/src/a/one.ts', './two.ts'),
      module('p/src/a/two.ts'),
      module('p/src/b/one.ts', '../a/index.ts'),
      module('p/src/b/two.ts', '../a/one.ts'),
      module('p/src/index.ts', './a/index.ts'),
    ];
    assert.deepEqual(importsPastIndex('p/src', files), ['p/src/b/two.ts imports p/src/a/one.ts']);
  });

  it('every folder that contains a source file is listed, also if it has subfolders only', () => {
    assert.deepEqual(foldersOf('p/src', [module('p/src/a/b/one.ts')]), ['p/src', 'p/src/a', 'p/src/a/b']);
  });
});
