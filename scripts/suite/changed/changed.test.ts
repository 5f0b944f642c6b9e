import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { type Affected, affectedTests } from './affected-tests.ts';
import { changedFiles } from './changed-files.ts';
import { always, declaredTests, everything } from './declared-tests.ts';
import { ImportGraph } from './import-graph.ts';
import { describeSelection, nearest } from './nearest.ts';

const repository = join(import.meta.dirname, '../../..');
const passing = `import { it } from 'node:test';\nit('does it', () => undefined);\n`;

const inner = JSON.stringify({
  name: '@t/inner',
  exports: { '.': './src/index.ts', './kinds/*': './src/kinds/*.ts' },
});

/** Two packages, of which `outer` is a program that uses `inner`, and a test that starts the program. */
const sources: Readonly<Record<string, string>> = {
  'bin/outer': '',
  'docs/pages/one.md': '',
  'packages/inner/package.json': inner,
  'packages/inner/src/index.ts': `export { first } from './first.ts';\nexport * from './second.ts';\n`,
  'packages/inner/src/first.ts': `import { help } from './help.ts';\nexport const first = help;\n`,
  'packages/inner/src/second.ts': `export const second = 2;\n`,
  'packages/inner/src/help.ts': 'export const help = 1;\n',
  'packages/inner/src/types.ts': 'export interface Shape {}\n',
  'packages/inner/src/kinds/pod.ts': 'export const pod = 1;\n',
  'packages/inner/src/first.test.ts': `import { first } from './first.ts';\n${passing}`,
  'packages/inner/src/types.test.ts': `import type { Shape } from './types.ts';\n${passing}`,
  'packages/outer/package.json': JSON.stringify({ name: '@t/outer', exports: {} }),
  'packages/outer/src/main.ts': `import { run } from './run.ts';\nrun();\n`,
  'packages/outer/src/run.ts': `import { second } from '@t/inner';\nexport const run = () => second;\n`,
  'packages/inner/src/parts.ts': `export const parts = (name) => ['bin/outer', ...name.split('.')];\n`,
  'packages/inner/src/parts.test.ts': `import { parts } from './parts.ts';\n${passing}`,
  'packages/outer/src/late.test.ts': `const late = () => import('@t/inner');\n${passing}`,
  'packages/outer/src/pod.test.ts': `import { pod } from '@t/inner/kinds/pod';\n${passing}`,
  'test/all/program.test.ts': `const program = join(root, 'bin', 'outer');\n${passing}`,
  'test/all/page.test.ts': `const page = 'docs/pages/one.md';\n${passing}`,
  'test/all/folder.test.ts': `const folder = join(root, 'docs', 'pages');\n${passing}`,
  'test/architecture/rules.test.ts': passing,
};

function checkout(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'orch-changed-'));
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  for (const [file, text] of Object.entries(files)) write(file, text);
  const author = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
  const git = (...args: string[]) => execFileSync('git', [...author, ...args], { cwd: root, stdio: 'pipe' });
  const commit = (message: string): void => {
    git('add', '--all');
    git('commit', '--quiet', `--message=${message}`);
  };
  return { root, write, git, commit, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}

const tests = Object.keys(sources).filter((file) => file.endsWith('.test.ts'));

function affectedBy(root: string, ...changed: readonly string[]): readonly string[] {
  const found = affectedTests(new ImportGraph(root), tests, changed, []);
  return found.filter(({ near }) => near !== 'always').map(({ test }) => test);
}

describe('tests that a change can affect', () => {
  for (const [title, changed, expected] of [
    [
      'a module affects the tests that import it, by name through an entry point or with all of the entry point',
      'packages/inner/src/help.ts',
      ['packages/inner/src/first.test.ts', 'packages/outer/src/late.test.ts'],
    ],
    [
      'a module that an entry point exports with a star affects the programs that import its names and the tests that start them',
      'packages/inner/src/second.ts',
      ['packages/outer/src/late.test.ts', 'test/all/program.test.ts'],
    ],
    [
      'a module behind a pattern of entry points affects the tests that import it',
      'packages/inner/src/kinds/pod.ts',
      ['packages/outer/src/pod.test.ts'],
    ],
    ['a module of types affects no test', 'packages/inner/src/types.ts', []],
    [
      'a module that prints the name of a program or splits at points uses neither the program nor its folder',
      'packages/outer/src/main.ts',
      ['test/all/program.test.ts'],
    ],
    [
      'a changed test affects no module of its folder that splits at points',
      'packages/inner/src/types.test.ts',
      ['packages/inner/src/types.test.ts'],
    ],
    ['a changed test affects itself', 'test/all/page.test.ts', ['test/all/page.test.ts']],
    [
      'a page affects the tests that name it or its folder',
      'docs/pages/one.md',
      ['test/all/folder.test.ts', 'test/all/page.test.ts'],
    ],
  ] as const) {
    it(title, () => {
      using tree = checkout(sources);
      deepEqual([...affectedBy(tree.root, changed)].sort(), expected);
    });
  }

  it('tests of the architecture run after every change, and none without a change', () => {
    using tree = checkout(sources);
    const graph = new ImportGraph(tree.root);
    deepEqual(
      affectedTests(graph, tests, ['packages/inner/src/types.ts']).map(({ test }) => test),
      ['test/architecture/rules.test.ts'],
    );
    deepEqual(affectedTests(graph, tests, []), []);
  });

  it('a change of the dependencies can affect every test', () => {
    using tree = checkout(sources);
    equal(affectedTests(new ImportGraph(tree.root), tests, ['package-lock.json'], []).length, tests.length);
  });

  it('declared tests come after those of the package and before those that only imports reach', () => {
    using tree = checkout(sources);
    const declared = [{ changed: ['packages/inner'], tests: ['test/all/page.test.ts'] }];
    const graph = new ImportGraph(tree.root);
    const found = affectedTests(graph, tests, ['packages/inner/src/help.ts'], declared);
    deepEqual(
      found.map(({ test, near }) => [near, test]),
      [
        ['always', 'test/architecture/rules.test.ts'],
        ['package', 'packages/inner/src/first.test.ts'],
        ['declared', 'test/all/page.test.ts'],
        ['imports', 'packages/outer/src/late.test.ts'],
      ],
    );
  });

  it('the reason names the changed file and the file on the way that uses it', () => {
    using tree = checkout(sources);
    const reasons = affectedTests(new ImportGraph(tree.root), tests, ['packages/inner/src/help.ts'], []);
    const of = (test: string) => reasons.find((each) => each.test === test)?.reason;
    equal(
      of('packages/inner/src/first.test.ts'),
      'uses packages/inner/src/help.ts through packages/inner/src/first.ts (2 steps)',
    );
    equal(of('test/architecture/rules.test.ts'), 'runs after every change');
  });
});

describe('the nearest tests', () => {
  const affected = (near: Affected['near'], test: string): Affected => ({
    near,
    test,
    imports: 1,
    reason: 'r',
  });

  it('as many tests as end in time run, the nearest first; changed tests and those of every change always run', () => {
    const all = [
      affected('changed', 'test/a/changed.test.ts'),
      affected('always', 'test/architecture/a.test.ts'),
      affected('package', 'packages/a/src/short.test.ts'),
      affected('imports', 'test/b/long.test.ts'),
      affected('imports', 'test/b/short.test.ts'),
    ];
    const selection = nearest(all, (test) => (test.includes('short') ? 1 : 5), 12);
    deepEqual(
      selection.left.map(({ test }) => test),
      ['test/b/long.test.ts'],
    );
    match(describeSelection(selection, ['x']), /^1 files changed, 5 test files are affected, 4 run:\n/);
    match(describeSelection(selection, ['x']), /\n1 further ones do not run .*: test\/b 1\n$/);
    equal(nearest(all.slice(0, 2), () => 5, 0).run.length, 2);
  });
});

describe('files of a change', () => {
  it('committed, edited, new and deleted files differ from where the branch left main; files that main changed later do not', () => {
    using tree = checkout({ 'a.ts': '1', 'b.ts': '1', 'c.ts': '1', 'later.ts': '1' });
    tree.git('init', '--quiet', '--initial-branch=main');
    tree.commit('first');
    tree.git('checkout', '--quiet', '-b', 'mine');
    tree.write('a.ts', '2');
    tree.commit('mine');
    tree.git('checkout', '--quiet', 'main');
    tree.write('later.ts', '2');
    tree.commit('later');
    tree.git('checkout', '--quiet', 'mine');
    tree.write('b.ts', '2');
    tree.write('new.ts', '1');
    rmSync(join(tree.root, 'c.ts'));
    deepEqual(changedFiles(tree.root, 'main'), ['a.ts', 'b.ts', 'c.ts', 'new.ts']);
  });

  it('a run with --changed prints the affected tests with their reasons, and runs these alone', () => {
    using tree = checkout(sources);
    tree.git('init', '--quiet', '--initial-branch=main');
    tree.commit('first');
    tree.write('packages/inner/src/help.ts', 'export const help = 2;\n');
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const argv = [join(repository, 'scripts/test.ts'), '--changed', '--root', tree.root];
    const { stdout, status } = spawnSync(process.execPath, argv, { env, encoding: 'utf8' });
    match(
      stdout,
      /packages\/outer\/src\/late\.test\.ts: uses packages\/inner\/src\/help\.ts through .* \(2 steps\)\n/,
    );
    match(stdout, /\n3 passed, 0 failed, 0 skipped\n$/);
    equal(status, 0);
  });
});

describe('the declared tests of this repository', () => {
  it('each file and folder of the declared tests exists', () => {
    const paths = [always, ...everything, ...declaredTests.flatMap((row) => [...row.changed, ...row.tests])];
    deepEqual(
      paths.filter((path) => !existsSync(join(repository, path))),
      [],
    );
  });

  it('each package has declared tests, and each folder of tests has a part that it is declared for', () => {
    const parts = new Set([...everything, ...declaredTests.flatMap(({ changed }) => changed)]);
    const folders = new Set(
      [always, ...declaredTests.flatMap((row) => row.tests)].map((path) => path.split('/')[1]),
    );
    deepEqual(
      globSync('packages/*', { cwd: repository }).filter((path) => !parts.has(path)),
      [],
    );
    const all = globSync('test/*/', { cwd: repository }).map((path) => path.replace(/^test\/|\/$/g, ''));
    deepEqual(
      all.filter((folder) => folder !== 'dist' && !folders.has(folder)),
      [],
    );
  });

  it('a module of the server affects a test that launches a server, and a command of the client a test that runs it', () => {
    const graph = new ImportGraph(repository);
    const affects = (changed: string, test: string) =>
      affectedTests(graph, [test], [changed], []).length === 1;
    ok(affects('packages/registry/src/index.ts', 'test/conformance/kubectl.test.ts'));
    ok(affects('packages/controllers/src/index.ts', 'test/controllers/managers.test.ts'));
    ok(affects('packages/orchctl/src/main.ts', 'test/orchctl/connect.test.ts'));
    ok(affects('charts/orch/values.yaml', 'test/chart/values.test.ts'));
  });

  it('a changed test affects itself alone, a command of the client no test that only starts a server, and the test kit no test without it', () => {
    const graph = new ImportGraph(repository);
    const tests = globSync(['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: repository });
    const affected = (changed: string): readonly string[] =>
      affectedTests(graph, tests, [changed], [])
        .filter(({ near }) => near !== 'always')
        .map(({ test }) => test);
    const changed = 'packages/schema/src/openapi/pieces/pieces.test.ts';
    deepEqual(affected(changed), [changed]);
    ok(!affected('packages/orchctl/src/commands/get/watch.ts').includes('test/conformance/kubectl.test.ts'));
    const ofTestkit = affected('packages/testkit/src/launch.ts');
    ok(ofTestkit.includes('test/conformance/kubectl.test.ts') && !ofTestkit.includes(changed));
  });
});
