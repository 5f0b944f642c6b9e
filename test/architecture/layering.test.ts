import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { allowed, allowedInTests } from './layers.ts';
import { importsOf, resolveRelative, root, type SourceFile, sourceFiles } from './source-files.ts';

const compositionRoots = new Set(['orchctl', 'apiserver', 'controller-manager', 'orch']);
/** The part of the client library that configures programs. */
const processFacts = 'packages/client/src/connect/this-process.ts';
const storeBackends = new Set(['@orch/storage/etcd', '@orch/storage/embedded']);
const files = sourceFiles();

const packageOf = (specifier: string): string | undefined => /^@orch\/([^/]+)/.exec(specifier)?.[1];

/** Packages that a file may import: tests may import more than what is built. */
const mayImport = ({ packageName, isTest }: SourceFile): readonly string[] => [
  ...(allowed[packageName] ?? []),
  ...(isTest ? (allowedInTests[packageName] ?? []) : []),
];

describe('layering of the packages', () => {
  it('the layering table contains every package', () => {
    const unknown = [...new Set(files.map((file) => file.packageName))].filter((name) => !(name in allowed));
    assert.deepEqual(unknown, []);
  });

  it('packages import only the packages that the layering table permits', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .map((i) => packageOf(i.specifier))
        .filter((name) => name !== undefined && name !== file.packageName)
        .filter((name) => !mayImport(file).includes(name as string))
        .map((name) => `${file.path} imports @orch/${name}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('the packages that tests may import besides are none that sources may import', () => {
    const twice = Object.entries(allowedInTests).flatMap(([name, more]) =>
      more.filter((each) => allowed[name]?.includes(each)).map((each) => `${name} → ${each}`),
    );
    assert.deepEqual(twice, []);
  });

  it('packages depend on each other in one direction, in tests too', () => {
    const order = Object.keys(allowed);
    const wrong = order.flatMap((name) =>
      [...(allowed[name] ?? []), ...(allowedInTests[name] ?? [])]
        .filter((each) => name !== 'testkit' && order.indexOf(each) >= order.indexOf(name))
        .map((each) => `${name} → ${each}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('every imported package is declared in package.json and tsconfig.json', () => {
    const wrong: string[] = [];
    for (const name of Object.keys(allowed)) {
      const manifestPath = join(root, 'packages', name, 'package.json');
      if (!existsSync(manifestPath)) continue;
      const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as {
        dependencies?: Record<string, string>;
        devDependencies?: Record<string, string>;
      };
      const config = JSON.parse(readFileSync(join(root, 'packages', name, 'tsconfig.json'), 'utf8')) as {
        references?: { path: string }[];
      };
      const references = new Set((config.references ?? []).map((r) => r.path.replace('../', '')));
      const used = new Set(
        files
          .filter((file) => file.packageName === name)
          .flatMap((file) => importsOf(file).map((i) => packageOf(i.specifier)))
          .filter((used) => used !== undefined && used !== name),
      );
      for (const dependency of used) {
        const declared = allowedInTests[name]?.includes(dependency as string)
          ? manifest.devDependencies
          : manifest.dependencies;
        if (declared?.[`@orch/${dependency}`] === undefined)
          wrong.push(`${name}: package.json lacks ${dependency}`);
        if (!references.has(dependency as string)) wrong.push(`${name}: tsconfig.json lacks ${dependency}`);
      }
    }
    assert.deepEqual(wrong, []);
  });

  it('the package kinds consists of types, so that importing it costs nothing at run time', () => {
    const isType = /^(import type|export type|\/\/|\/\*\*| \*|\s|[}\])|]|$)/;
    const types = files.filter(({ packageName, isTest }) => packageName === 'kinds' && !isTest);
    const code = types.flatMap(({ path, text }) =>
      text
        .split('\n')
        .filter((line) => !isType.test(line))
        .map((line) => `${path}: ${line}`),
    );
    assert.ok(types.length > 20);
    assert.deepEqual(code, []);
  });

  it('packages import only types of the package kinds', () => {
    const wrong = files
      .filter((file) => importsOf(file).some((i) => packageOf(i.specifier) === 'kinds' && !i.typeOnly))
      .map((file) => file.path);
    assert.deepEqual(wrong, []);
  });

  it('relative imports stay inside their package', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((i) => i.specifier.startsWith('.'))
        .map((i) => resolveRelative(file, i.specifier))
        .filter((target) => !target.startsWith(`packages/${file.packageName}/`))
        .map((target) => `${file.path} reaches ${target}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('store backends are imported only by composition roots', () => {
    const wrong = files
      .filter((file) => !file.isTest && !compositionRoots.has(file.packageName))
      .filter((file) => importsOf(file).some((i) => storeBackends.has(i.specifier)))
      .map((file) => file.path);
    assert.deepEqual(wrong, []);
  });

  it('only composition roots read process.argv and process.env', () => {
    const wrong = files
      .filter(
        (file) => !file.isTest && !compositionRoots.has(file.packageName) && !file.path.includes('/bench/'),
      )
      .filter((file) => /process\.(env|argv)\b/.test(file.text))
      .map((file) => file.path)
      .filter((path) => path !== processFacts);
    assert.deepEqual(wrong, []);
  });

  it('modules form no import cycle', () => {
    const byPath = new Map(files.map((file) => [file.path, file]));
    const edges = new Map(
      files.map((file) => [
        file.path,
        importsOf(file)
          .filter((i) => i.specifier.startsWith('.') && !i.typeOnly)
          .map((i) => resolveRelative(file, i.specifier))
          .filter((target) => byPath.has(target)),
      ]),
    );
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (path: string, trail: readonly string[]): void => {
      const at = trail.indexOf(path);
      if (at >= 0) {
        cycles.push([...trail.slice(at), path].join(' → '));
        return;
      }
      if (done.has(path)) return;
      for (const next of edges.get(path) ?? []) visit(next, [...trail, path]);
      done.add(path);
    };
    for (const path of edges.keys()) visit(path, []);
    assert.deepEqual(cycles, []);
  });
});
