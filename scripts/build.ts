import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BuildOptions, build } from 'esbuild';
import { directImports } from './bundle/direct-imports.ts';
import { sectionedProgram } from './bundle/sections.ts';
import { bundledPackages, licensesText } from './bundled-packages.ts';
import { spdxDocument } from './spdx.ts';

/**
 * Bundles the programs into `dist/`, one file each, so that a start reads one file instead of hundreds, with the licences and a
 * bill of materials of the packages in them. `--release` leaves out source maps and the report of the bundler. `--commit` and
 * `--date` say what is built where there is no history.
 */
const { values: options } = parseArgs({
  options: {
    release: { type: 'boolean', default: false },
    commit: { type: 'string' },
    date: { type: 'string' },
  },
});

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const workerFile = 'embedded-store-worker.mjs';

const programs: Readonly<Record<string, string>> = {
  orch: 'packages/orch/src/main.ts',
  'orch-apiserver': 'packages/apiserver/src/main.ts',
  'orch-controller-manager': 'packages/controller-manager/src/main.ts',
};

function git(...args: readonly string[]): string {
  try {
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    // A copy without its history builds as well.
    return '';
  }
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const facts = {
  version,
  commit: options.commit ?? git('rev-parse', 'HEAD'),
  date: options.date ?? git('log', '-1', '--format=%cI'),
};

// Libraries in CommonJS ask for `require`, which a module has to make for itself.
const banner = `import { createRequire as orchCreateRequire } from 'node:module';
const require = orchCreateRequire(import.meta.url);`;

// Built into a temporary folder and renamed at the end: a failed build leaves the previous one in place and complete.
const fresh = join(root, `dist.${process.pid}`);
const stale = `${fresh}.old`;
rmSync(fresh, { recursive: true, force: true });
process.on('exit', () => {
  for (const folder of [fresh, stale]) rmSync(folder, { recursive: true, force: true });
});
const shared: BuildOptions = {
  absWorkingDir: root,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.19',
  sourcemap: !options.release,
  legalComments: 'linked',
  banner: { js: banner },
  define: { ORCH_BUILD: JSON.stringify(facts), ORCH_WORKER: JSON.stringify(`./${workerFile}`) },
  logLevel: 'warning',
};
const result = await build({
  ...shared,
  entryPoints: {
    ...programs,
    'embedded-store-worker': 'packages/storage/src/embedded/writer/writer-thread.ts',
  },
  outdir: fresh,
  // Backends and the ops port are separate files, read only when they are used.
  splitting: true,
  chunkNames: '[name]-[hash]',
  metafile: true,
});
// One file, which users can copy. Sections within it are evaluated when they are used.
const { banner: _, ...common } = shared;
const client = await sectionedProgram(
  { ...common, sourcemap: false, plugins: [directImports(root)] },
  'packages/orchctl/src/main.ts',
);
writeFileSync(join(fresh, 'orchctl.cjs'), client.text);
writeFileSync(join(fresh, client.cache.name), client.cache.bytes);
if (!options.release) writeFileSync(join(fresh, 'meta.json'), JSON.stringify(result.metafile));
const bundled = bundledPackages([result.metafile, client.metafile], root);
writeFileSync(join(fresh, 'licenses.txt'), licensesText(bundled));
writeFileSync(join(fresh, 'sbom.spdx.json'), `${JSON.stringify(spdxDocument(facts, bundled), null, 2)}\n`);
if (existsSync(dist)) renameSync(dist, stale);
renameSync(fresh, dist);
