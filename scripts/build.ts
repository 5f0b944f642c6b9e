import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programArguments } from '@orch/testkit/program-arguments';
import { build } from 'esbuild';
import { buildFacts } from './bundle/build-facts.ts';
import { bundlerOptions } from './bundle/bundler-options.ts';
import { consoleFiles } from './bundle/console-files.ts';
import { directImports } from './bundle/direct-imports.ts';
import { httpModule } from './bundle/http-module.ts';
import { sectionedProgram } from './bundle/sections.ts';
import { writeProgram } from './bundle/write-program.ts';
import { bundledPackages, licensesText } from './bundled-packages.ts';
import { buildConsole } from './console/build-console.ts';
import { spdxDocument } from './spdx.ts';

/**
 * Bundles the programs into `dist/`, one file each, so that a start reads one file instead of hundreds, with the
 * licences and a bill of materials of the packages in them.
 */
const usage = `scripts/node scripts/build.ts [OPTION …]

Bundles the programs into dist/, with their licences and a bill of materials.

  --release      omits source maps, the report of the bundler and the programs of tests
  --commit=REV   the commit that is built, where there is no history
  --date=TIME    its date
`;
const { values: options } = programArguments(usage, {
  options: {
    release: { type: 'boolean', default: false },
    commit: { type: 'string' },
    date: { type: 'string' },
  },
});

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

const programs: Readonly<Record<string, string>> = {
  orch: 'packages/orch/src/main.ts',
  'orch-apiserver': 'packages/apiserver/src/main.ts',
  'orch-controller-manager': 'packages/controller-manager/src/main.ts',
};
/** A process with servers for tests. */
const testPrograms = { 'server-host': 'packages/testkit/src/server-hosts/host.ts' };

const facts = buildFacts(root, options);

// Built into a temporary folder and renamed at the end: a failed build leaves the previous one in place and complete.
const fresh = join(root, `dist.${process.pid}`);
const stale = `${fresh}.old`;
rmSync(fresh, { recursive: true, force: true });
process.on('exit', () => {
  for (const folder of [fresh, stale]) rmSync(folder, { recursive: true, force: true });
});
const shared = bundlerOptions(root, facts);
const page = await buildConsole(root);
const result = await build({
  ...shared,
  // Every thread keeps the text of its modules. A comment with a character beyond ASCII would make it twice as large. Lines stay
  // short, so that a stack names a place.
  minifyWhitespace: true,
  lineLimit: 120,
  outExtension: { '.js': '.mjs' },
  sourcemap: !options.release,
  legalComments: 'linked',
  entryPoints: {
    ...programs,
    ...(options.release ? {} : testPrograms),
    'serving-thread': 'packages/apiserver/src/serving-thread.ts',
    'yaml-thread': 'packages/registry/src/yaml/yaml-thread.ts',
    'embedded-store-worker': 'packages/storage/src/embedded/writer/writer-thread.ts',
  },
  outdir: fresh,
  // Backends and the ops port are separate files, read only when they are used.
  splitting: true,
  chunkNames: '[name]-[hash]',
  metafile: true,
  plugins: [httpModule, consoleFiles(page)],
});
// For programs that run from source; built ones contain the files.
if (!options.release) writeFileSync(join(fresh, 'console.json'), JSON.stringify(page.files));
// One file, which users can copy. Sections within it are evaluated when they are used.
const { banner: _, ...common } = shared;
const client = await sectionedProgram(
  { ...common, plugins: [consoleFiles(page), directImports(root)] },
  'packages/orchctl/src/main.ts',
);
await writeProgram(client, fresh);
if (!options.release) writeFileSync(join(fresh, 'meta.json'), JSON.stringify(result.metafile));
const bundled = bundledPackages([result.metafile, client.metafile, page.report], root);
writeFileSync(join(fresh, 'licenses.txt'), licensesText(bundled));
writeFileSync(join(fresh, 'sbom.spdx.json'), `${JSON.stringify(spdxDocument(facts, bundled), null, 2)}\n`);
if (existsSync(dist)) renameSync(dist, stale);
renameSync(fresh, dist);
