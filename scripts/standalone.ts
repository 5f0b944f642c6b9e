/**
 * Builds executables of `orchctl` that need no Node, into `standalone/PLATFORM/`, each with its licences and bill of materials.
 */
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programArguments } from '@orch/testkit/program-arguments';
import { buildFacts } from './bundle/build-facts.ts';
import { bundledPackages, licensesText } from './bundled-packages.ts';
import { spdxDocument } from './spdx.ts';
import { clientModules } from './standalone/client-modules.ts';
import { compile } from './standalone/compile.ts';
import { installRuntime } from './standalone/install-runtime.ts';
import { hostName, type Platform, platformNamed, platforms } from './standalone/platforms.ts';
import { runtimePackage } from './standalone/runtime-package.ts';
import { sealedRuntime } from './standalone/sealed-runtime.ts';

const usage = `make orchctl ARGS='[OPTION …]'

Builds executables of orchctl that need no Node, into standalone/PLATFORM/, with their licences and bills of materials.

  --platform=NAME   ${platforms.map(({ name }) => name).join(', ')}, or all; may be repeated (${hostName})
  --runtime=FILE    another runtime than the pinned one, such as one with a changed library
  --commit=REV      the commit that is built, where there is no history
  --date=TIME       its date
`;

const { values: options } = programArguments(usage, {
  options: {
    platform: { type: 'string', multiple: true, default: [hostName] },
    runtime: { type: 'string' },
    commit: { type: 'string' },
    date: { type: 'string' },
  },
});

const root = join(import.meta.dirname, '..');
const output = join(root, 'standalone');
const tools = join(root, '.tools');
const fresh = join(output, `.build.${process.pid}`);
process.on('exit', () => rmSync(fresh, { recursive: true, force: true }));

/** Ends the process with a line about the missing part. */
function fail(problem: string): never {
  console.error(`no executable of orchctl: ${problem}`);
  process.exit(1);
}

function platformsOf(names: readonly string[]): readonly Platform[] {
  if (names.includes('all')) return platforms;
  return names.map((name) => {
    const known = platforms.map((one) => one.name).join(', ');
    return platformNamed(name) ?? fail(`the platform ${name} is not one of ${known}`);
  });
}

const installed = (platform: Platform): string =>
  installRuntime(platform, tools) ?? fail(`npm cannot install ${platform.runtimePackage}`);

const chosen = platformsOf(options.platform);
const host = platformNamed(hostName) ?? fail(`there is no compiler for ${hostName}`);
const compiler = installed(host);
const facts = buildFacts(root, options);
const { entry, reports } = await clientModules(root, facts, join(fresh, 'modules'));
const contained = [...bundledPackages(reports, root), runtimePackage()];
for (const platform of chosen) {
  const folder = join(fresh, platform.name);
  mkdirSync(folder);
  const runtime = join(fresh, 'runtime');
  writeFileSync(runtime, sealedRuntime(readFileSync(options.runtime ?? installed(platform))));
  chmodSync(runtime, 0o755);
  compile({ compiler, runtime, platform, entry, outfile: join(folder, 'orchctl') });
  writeFileSync(join(folder, 'licenses.txt'), licensesText(contained));
  writeFileSync(
    join(folder, 'sbom.spdx.json'),
    `${JSON.stringify(spdxDocument(facts, contained), null, 2)}\n`,
  );
  const place = join(output, platform.name);
  rmSync(place, { recursive: true, force: true });
  renameSync(folder, place);
  console.log(`standalone/${platform.name}/orchctl`);
}
