import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';
import { importsOf, resolveRelative, type SourceFile, sourceFiles } from './source-files.ts';

/** Packages whose folders may not depend on each other in a circle, type imports included. */
const layered = ['request', 'pipeline', 'http', 'registry', 'connect', 'discovery', 'services', 'server'];

const testing = /\.test\.ts$|\/testing\//;

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly files: string;
}

/** The child of `parent` that a file lies in; `.` for a file of the parent itself. */
function childOf(parent: string, path: string): string {
  const [first = '', ...rest] = path.slice(parent.length + 1).split('/');
  return rest.length === 0 ? '.' : first;
}

const sources = (name: string): readonly SourceFile[] =>
  sourceFiles().filter(
    (file) =>
      file.packageName === name && file.path.includes(`packages/${name}/src/`) && !testing.test(file.path),
  );

const relativeImports = (file: SourceFile): readonly string[] =>
  importsOf(file)
    .map((each) => each.specifier)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => resolveRelative(file, specifier));

/** Imports between the children of one folder. */
function edgesOf(parent: string, files: readonly SourceFile[]): readonly Edge[] {
  return files
    .filter((file) => file.path.startsWith(`${parent}/`))
    .flatMap((file) =>
      relativeImports(file)
        .filter((target) => target.startsWith(`${parent}/`))
        .map((target) => ({
          from: childOf(parent, file.path),
          to: childOf(parent, target),
          files: `${file.path} imports ${target}`,
        })),
    )
    .filter(({ from, to }) => from !== to);
}

/** The imports that close a circle: those whose target leads back to where they come from. */
export function circularImports(edges: readonly Edge[]): readonly string[] {
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of edges) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  const reaches = (from: string, to: string, seen: Set<string>): boolean =>
    from === to ||
    [...(targets.get(from) ?? [])].some((next) => !seen.has(next) && reaches(next, to, seen.add(next)));
  return edges.filter(({ from, to }) => reaches(to, from, new Set([to]))).map(({ files }) => files);
}

describe('folders of a package', () => {
  it('a circle of imports is found through several folders, and a chain is not one', () => {
    const edge = (from: string, to: string): Edge => ({ from, to, files: `${from}>${to}` });
    assert.deepEqual(circularImports([edge('a', 'b'), edge('b', 'c')]), []);
    assert.deepEqual(circularImports([edge('a', 'b'), edge('b', 'c'), edge('c', 'a'), edge('a', 'd')]), [
      'a>b',
      'b>c',
      'c>a',
    ]);
  });

  for (const name of layered) {
    const files = sources(name);
    const folders = new Set(files.flatMap((file) => ancestorsOf(dirname(file.path), `packages/${name}/src`)));
    for (const folder of [...folders].sort()) {
      it(`the parts of ${folder} do not import each other in a circle`, () =>
        assert.deepEqual(circularImports(edgesOf(folder, files)), []));
    }

    it(`files of packages/${name} import other folders through their index`, () => {
      const indexed = new Set(
        files.filter((file) => file.path.endsWith('/index.ts')).map((file) => dirname(file.path)),
      );
      indexed.delete(`packages/${name}/src`);
      const past = files.flatMap((file) =>
        relativeImports(file)
          .filter((target) =>
            [...indexed].some(
              (folder) =>
                target.startsWith(`${folder}/`) &&
                !file.path.startsWith(`${folder}/`) &&
                target !== `${folder}/index.ts`,
            ),
          )
          .map((target) => `${file.path} imports ${target}`),
      );
      assert.deepEqual(past, []);
    });
  }
});

function ancestorsOf(folder: string, top: string): readonly string[] {
  const found: string[] = [];
  for (let at = folder; at.length >= top.length; at = dirname(at)) found.push(at);
  return found;
}
