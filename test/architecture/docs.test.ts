import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { apiServerFlags } from '@orch/apiserver';
import { typesFlags } from '@orch/client/custom-types';
import { managerFlags } from '@orch/controller-manager';
import { backupFlags, initFlags, migrateFlags, repairFlags, restoreFlags } from '@orch/orch';
import { type CommandEntry, commands, globalFlags } from '@orch/orchctl';
import type { Flag } from '@orch/program';
import { devFlags } from '@orch/testing/dev-flags';
import { readComposeFile } from '@orch/testkit';
import { root } from './source-files.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'test/README.md',
  'charts/orch/README.md',
  ...globSync(['docs/**/*.md', 'packages/*/README.md', 'packages/*/src/**/README.md'], { cwd: root }),
];
const deployment = [
  'Dockerfile',
  ...globSync('charts/orch/{templates/**/*.{yaml,tpl,txt},values.yaml}', { cwd: root }),
];

const declared = new Set([
  ...[apiServerFlags, managerFlags, initFlags, repairFlags, backupFlags, migrateFlags, restoreFlags, devFlags]
    .flatMap((table) => Object.values<Flag<unknown>>(table))
    .flatMap((flag) => [flag.name, ...(flag.alias === undefined ? [] : [flag.alias])]),
  'help',
  'version',
  'config',
]);

/** The flags of the commands of a list, and of their subcommands. */
async function commandFlags(entries: readonly CommandEntry[]): Promise<readonly string[]> {
  const names: string[] = [];
  for (const { load, commands: inner = [] } of entries) {
    const { flags = {} } = (await load?.()) ?? {};
    names.push(...Object.values<Flag<unknown>>(flags).map(({ name }) => name));
    names.push(...(await commandFlags(inner)));
  }
  return names;
}

/** Flags of `orchctl`, which its own page shows. */
const commandLineFlags = new Set([
  ...(await commandFlags(commands)),
  ...Object.values<Flag<unknown>>(globalFlags).map(({ name }) => name),
]);

/** Flags of other programs that the pages show outside of consoles. */
const foreign = new Set([
  'heapsnapshot-signal',
  ...[
    'build',
    'no-save',
    'detach',
    'wait',
    'once',
    'check',
    'rm',
    'changed',
    'times',
    'workspace',
    'coverage',
    'files',
  ],
  ...['system', 'home-dir', 'shell', 'no-same-owner', 'exclude', 'now', 'kubeconfig'],
]);
const etcdFlags = new Set([
  'name',
  'data-dir',
  'initial-cluster',
  'initial-cluster-state',
  'initial-cluster-token',
  'initial-advertise-peer-urls',
  'listen-peer-urls',
  'listen-client-urls',
  'listen-metrics-urls',
  'advertise-client-urls',
  'cert-file',
  'key-file',
  'trusted-ca-file',
  'client-cert-auth',
  'peer-cert-file',
  'peer-key-file',
  'peer-trusted-ca-file',
  'peer-client-cert-auth',
]);
/** The page about flags of another program, which `reference-flags.test.ts` compares with the declared ones. */
const flagsPage = 'docs/flags-of-kube-apiserver.md';
/** Flags of `make orchctl`. */
const executableFlags = new Set(['platform', 'runtime']);
const ofTypes = new Set(Object.keys(typesFlags));
/** Flags of `make compare`. */
const comparisonFlags = new Set(['release', 'reference', 'published', 'patch']);
/** Flags of `make scale`. */
const scaleFlags = new Set(
  [...read('bench/scale/run.ts').matchAll(/^ {4}'?([a-z-]+)'?: \{ type:/gm)].map(([, flag]) => flag),
);
const helmFlags = new Set(['namespace', 'create-namespace', 'set', 'values', 'kubeconfig', 'server']);

/** Libraries of which docs/dependencies.md says where they are used, or why they are not. */
const designCard = [
  'etcd3',
  'express',
  'prom-client',
  'protobufjs',
  'js-yaml',
  'jsonwebtoken',
  'node-forge',
  '@peculiar/x509',
  'ipaddr.js',
  'socks',
  '@opentelemetry/api',
];

/** The libraries that no item of a list in the page begins with. */
const unexplained = (page: string, libraries: readonly string[]): readonly string[] => {
  const items = [...page.matchAll(/^- (?:\*\*|`)([^*`]+)(?:\*\*|`): \S/gm)].map((match) => match[1] ?? '');
  return libraries.filter((name) => !items.includes(name));
};

/** Brackets in code are not links. */
const withoutCode = (text: string): string => text.replace(/`[^`\n]*`/g, '');

/** Shell commands of the runbook, which `test/monitoring` executes, are of other programs. */
const withoutCommands = (text: string): string => text.replace(/^ *```sh\n[\s\S]*?^ *```$/gm, '');

/** The files that a page links to, relative to its folder. */
const linksOf = (page: string): readonly string[] =>
  [...withoutCode(read(page)).matchAll(/\]\(([^)#:]+)(#[^)]*)?\)/g)].map((match) => match[1] ?? '');

const flagsIn = (text: string): string[] =>
  [...text.replace(/^\$ .*$/gm, '').matchAll(/(?<![\w-])--([a-z][a-z0-9-]*)/g)].map(
    (match) => match[1] ?? '',
  );

/** Pages that also describe commands of `orchctl`. */
const commandLinePages: ReadonlySet<string> = new Set([
  'CHANGELOG.md',
  'docs/console.md',
  'docs/designs/0023-console.md',
  'docs/orchctl.md',
  'docs/history.md',
  'docs/threat-model.md',
  'docs/upgrade.md',
]);

describe('pages of the documentation', () => {
  for (const page of [...pages, ...deployment]) {
    it(`${page} names only flags that exist`, () => {
      const unknown = flagsIn(
        page.startsWith('docs/runbook/') ? withoutCommands(read(page)) : read(page),
      ).filter(
        (flag) =>
          !declared.has(flag) &&
          !foreign.has(flag) &&
          !etcdFlags.has(flag) &&
          !helmFlags.has(flag) &&
          !executableFlags.has(flag) &&
          !ofTypes.has(flag) &&
          !comparisonFlags.has(flag) &&
          !(page === 'docs/scale.md' && scaleFlags.has(flag)) &&
          !(commandLinePages.has(page) && commandLineFlags.has(flag)) &&
          page !== flagsPage &&
          !page.endsWith('Dockerfile'),
      );
      assert.deepEqual([...new Set(unknown)], []);
    });
  }

  it('docker-compose.yml gives the programs of the image only flags that exist', () => {
    const commands = readComposeFile(read('docker-compose.yml'), {})
      .filter(({ image }) => image === 'orch:local')
      .map(({ command }) => command.join('\n'));
    assert.ok(commands.length >= 6);
    assert.deepEqual(
      flagsIn(commands.join('\n')).filter((flag) => !declared.has(flag)),
      [],
    );
  });

  for (const page of pages) {
    it(`${page} has no marks of an unresolved merge`, () => {
      // The formatter puts blanks between the signs.
      assert.doesNotMatch(read(page), /(?:< ?){7}|(?:> ?){7}/);
    });

    it(`${page} links only to existing files`, () => {
      const missing = linksOf(page).filter((target) => !existsSync(join(root, dirname(page), target)));
      assert.deepEqual(missing, []);
    });
  }

  it('docs/README.md and the runbook link to every page of docs/', () => {
    const linked = ['docs/README.md', 'docs/runbook/README.md'].flatMap((page) =>
      linksOf(page).map((target) => join(dirname(page), target)),
    );
    const all = globSync('docs/**/*.md', { cwd: root }).filter((page) => page !== 'docs/README.md');
    assert.deepEqual(
      all.filter((page) => !linked.includes(page)),
      [],
    );
  });

  it('docs/threat-model.md names only tests that exist', () => {
    const named = [...read('docs/threat-model.md').matchAll(/`([\w./-]+\.test\.ts)`/g)].map(
      (match) => match[1] ?? '',
    );
    assert.deepEqual(
      named.filter((path) => !existsSync(join(root, path))),
      [],
    );
  });

  it('no page has the same row of a table, or the same item of a list, twice', () => {
    const repeated = pages.flatMap((page) => {
      const lines = read(page)
        .replace(/^```.*?^```/gms, '')
        .split('\n')
        .filter((line) => line.length > 60 && /^[|-] ?[^-\s]/.test(line));
      return lines.filter((line, at) => lines.indexOf(line) !== at).map((line) => `${page}: ${line}`);
    });
    assert.deepEqual(repeated, []);
  });

  it('docs/dependencies.md has a reason for every dependency, and names no other', () => {
    const manifests = ['package.json', ...globSync('packages/*/package.json', { cwd: root })].map(
      (path) =>
        JSON.parse(read(path)) as Record<
          'dependencies' | 'devDependencies',
          Record<string, string> | undefined
        >,
    );
    const used = new Set(
      manifests
        .flatMap((manifest) => Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }))
        .filter((name) => !name.startsWith('@orch/')),
    );
    const page = read('docs/dependencies.md');
    assert.deepEqual(
      [...used].filter((name) => !page.includes(`\`${name}\``)),
      [],
    );
    const named = [...page.matchAll(/^- `([^`]+)`:/gm)].map((match) => match[1] ?? '');
    assert.deepEqual(
      named.filter((name) => !used.has(name)),
      [],
    );
  });

  it('docs/dependencies.md explains each library of the design card, used or not', () => {
    assert.deepEqual(unexplained(read('docs/dependencies.md'), designCard), []);
  });

  it('a library without an item, or with an item that says nothing, is reported as unexplained', () => {
    const page = '- `used`: fast\n- **unused**: slow\n- **empty**\n';
    assert.deepEqual(unexplained(page, ['used', 'unused', 'empty', 'absent']), ['empty', 'absent']);
  });
});

/** Package names in the last column of the tables of the glossary. */
const glossaryPackages = (): readonly string[] =>
  [...read('docs/glossary.md').matchAll(/^\| .* \| ([^|]+) \|$/gm)]
    .map((match) => match[1]?.trim() ?? '')
    .filter((cell) => cell !== 'where' && !/^-+$/.test(cell))
    .flatMap((cell) => cell.split(', '));

describe('the changelog of the project', () => {
  it('the unreleased version has at most 80 lines', () => {
    const [, unreleased = ''] = read('CHANGELOG.md').split(/^## /m);
    assert.match(unreleased, /^Unreleased/);
    const { length } = unreleased.trimEnd().split('\n');
    assert.ok(length <= 80, `${length} lines`);
  });
});

describe('terms of docs/glossary.md', () => {
  it('the glossary names only existing packages', () => {
    const named = glossaryPackages();
    assert.ok(named.length > 50, `only ${named.length} packages found in the tables`);
    const wrong = named.filter((name) => {
      const bare = /^`([a-z-]+)`$/.exec(name)?.[1];
      return bare === undefined || !existsSync(join(root, 'packages', bare, 'package.json'));
    });
    assert.deepEqual([...new Set(wrong)], []);
  });

  it('the glossary defines each term once', () => {
    const terms = [...read('docs/glossary.md').matchAll(/^\| ([^|]+?) +\|/gm)]
      .map((match) => match[1] ?? '')
      .filter((term) => term !== 'term' && !/^-+$/.test(term));
    assert.deepEqual(
      terms.filter((term, index) => terms.indexOf(term) !== index),
      [],
    );
  });
});
