/**
 * Makes the packages that are published on npm: `dist/packages/NAME-VERSION.tgz`, with the same files in `dist/packages/NAME/`.
 * Modules and CommonJS, declarations for both, a README, a reference, the changelog and all licences; no sources and no tests.
 * `--no-check` leaves out the check of types.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { programArguments } from '@orch/testkit/program-arguments';
import { bundledPackages, licensesText } from './bundled-packages.ts';
import { browserCodeOf } from './packages/browser-code.ts';
import { commonOf, modulesOf } from './packages/code.ts';
import { Declarations, importPath } from './packages/declarations.ts';
import { manifestOf } from './packages/manifest.ts';
import { entryName, type PublishedPackage, publishedPackages } from './packages/published.ts';
import { Exports } from './reference/exports.ts';
import { referencePage } from './reference/page.ts';

const root = join(import.meta.dirname, '..');
const usage = `make packages ARGS='[OPTION …]'

Makes the packages that are published on npm.

  --output=PATH   the folder of the archives (dist/packages)
  --no-check      leaves out the check of types
`;
const { values: options } = programArguments(usage, {
  options: { output: { type: 'string' }, 'no-check': { type: 'boolean', default: false } },
});
const output = resolve(options.output ?? join(root, 'dist', 'packages'));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

/** Declarations of every entry. The first line makes a compiler load the types of Node, which others need to be asked for. */
function declarationsOf(published: PublishedPackage): ReadonlyMap<string, string> {
  const declarations = new Declarations(root, {
    workspace: '@orch/',
    isExternal: (specifier) => specifier.startsWith('node:'),
  });
  const entries = Object.entries(published.entries).map(([path, file]) => {
    const node = '@types/node' in published.types ? '/// <reference types="node" />\n' : '';
    const text = `${node}export * from '${importPath('', declarations.add(file))}';\n`;
    return [`${entryName(path)}.d.ts`, text] as const;
  });
  return new Map([...declarations.files, ...entries]);
}

const exported = Exports.inDeclarations(root);

async function make(published: PublishedPackage): Promise<void> {
  const folder = join(output, entryName(`./${published.source}`));
  const write = (path: string, text: string): void => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const codes = await Promise.all([modulesOf, commonOf, browserCodeOf].map((of) => of(root, published)));
  for (const { files } of codes) for (const [path, text] of files) write(path, text);
  for (const [path, text] of declarationsOf(published))
    for (const kind of ['esm', 'cjs']) write(join(kind, path), text);
  for (const [path, file] of Object.entries(published.entries)) {
    const subpath = published.name + path.slice(1);
    write(`reference/${entryName(path)}.md`, referencePage(subpath, exported.of(file)));
  }
  write('cjs/package.json', '{ "type": "commonjs" }\n');
  write('package.json', `${JSON.stringify(manifestOf(published, version), null, 2)}\n`);
  write(
    'licenses.txt',
    licensesText(
      bundledPackages(
        codes.map(({ report }) => report),
        root,
      ),
    ),
  );
  const texts = { 'README.md': join('scripts/packages', published.source, 'README.md'), LICENSE: 'LICENSE' };
  for (const [name, source] of Object.entries({ ...texts, 'CHANGELOG.md': 'CHANGELOG.md' }))
    copyFileSync(join(root, source), join(folder, name));
  execFileSync('npm', ['pack', '--silent', '--offline', '--pack-destination', output, folder], {
    stdio: 'inherit',
  });
}

rmSync(output, { recursive: true, force: true });
const all = publishedPackages(root);
const compiler = join(root, 'node_modules', '.bin', 'tsc');
const check = options['no-check'] ? ['--noCheck'] : [];
const sources = all.map(({ source }) => join('packages', source));
execFileSync(process.execPath, [compiler, '-b', ...check, ...sources], { cwd: root });
for (const published of all) await make(published);
