import { deepEqual } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { groupsOf, readModules } from './module-groups.ts';

/** The groups of modules with these sources, by file names without folder and ending. */
function grouped(sources: Record<string, string>, entries: readonly string[]) {
  const path = (name: string): string => `packages/a/src/${name}.ts`;
  const texts = new Map(Object.entries(sources).map(([name, text]) => [path(name), text]));
  const groups = groupsOf(readModules(texts), entries.map(path));
  return groups.map((group) => group.map((each) => each.replace(/.*\/(.*)\.ts/, '$1')).join(' ')).sort();
}

describe('groups of modules', () => {
  it('modules that the same entries lead to form a group', () => {
    const sources = {
      index: `export { a } from './a.ts';`,
      a: `import { shared } from './shared.ts';\nexport const a = shared;`,
      other: `import { b } from './b.ts';\nexport const other = b;`,
      b: `import { shared } from './shared.ts';\nexport const b = shared;`,
      shared: `import './first.ts';\nexport const shared = 1;`,
      first: `globalThis.first = true;`,
    };
    deepEqual(grouped(sources, ['index', 'other']), ['a index', 'b other', 'first shared']);
  });

  it('a module that is imported later begins a group, and shares no group with its importer', () => {
    const sources = {
      index: `import type { Big } from './big.ts';\nexport const load = () => import('./big.ts');`,
      big: `export * from './part.ts';`,
      part: `export class Big {}`,
    };
    deepEqual(grouped(sources, ['index']), ['big part', 'index']);
  });

  it('modules that only tests import are in no group', () => {
    const sources = { index: `export const one = 1;`, fixture: `export { one } from './index.ts';` };
    deepEqual(grouped(sources, ['index']), ['index']);
  });

  it('the program of a thread shares no group with the modules that it imports', () => {
    const sources = {
      thread: `import { writer } from './writer.ts';\nwriter();`,
      writer: `import { file } from './file.ts';\nexport const writer = file;`,
      file: `export const file = () => undefined;`,
    };
    deepEqual(grouped(sources, ['thread']), ['file writer']);
  });

  it('a module exports the names that it declares, renames and passes on, but no types', () => {
    const text = `export { one, two as second, type Two } from './b.ts';
      export * from './c.ts';\nexport * as all from './c.ts';\nexport type Only = string;\nexport interface None {}`;
    const modules = readModules(
      new Map([
        ['packages/a/src/a.ts', text.replace(/\n\s+/g, '\n')],
        ['packages/a/src/b.ts', `export const one = 1;\nexport function two() {}\nexport type Two = 2;`],
        ['packages/a/src/c.ts', `export class Three {}\nexport async function* four() {}`],
      ]),
    );
    deepEqual(modules.get('packages/a/src/a.ts')?.exports, ['one', 'second', 'Three', 'four', 'all']);
  });
});
