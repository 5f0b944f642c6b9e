import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandResult, run } from '@orch/testkit';
import { importsFile, moduleFile, newestPatch, referenceModule, referencePackage } from './module-file.ts';

const cache = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'reference');
/** Eight minutes on two idle cores; an hour was too short on a machine with a load of forty. */
const BUILD_MS = 180 * 60_000;
const DOWNLOAD_MS = 10 * 60_000;
const env = { GOFLAGS: '-mod=mod', GOWORK: 'off', CGO_ENABLED: '0' };

/** The reference of a release. */
interface Wanted {
  readonly release: string;
  /** Its patch release; the newest that Go lists when absent. */
  readonly patch: string | undefined;
}

/** The path of the API server of a release, which Go builds at the first use. Throws when Go is missing or a step fails. */
export async function referenceProgram(wanted: Wanted, report: (line: string) => void): Promise<string> {
  const folder = join(cache, wanted.release);
  const program = join(folder, 'reference-apiserver');
  if (existsSync(program)) return program;
  const go = goIn(folder);
  const { version, GoMod } = await download(wanted, folder, go);
  report(`builds the reference server ${version}; this takes some minutes once`);
  writeFileSync(join(folder, 'go.mod'), moduleFile(version, readFileSync(GoMod, 'utf8')));
  writeFileSync(join(folder, 'imports.go'), importsFile);
  // Tests of dependencies need modules that are no longer published; the program does not.
  await go(['mod', 'tidy', '-e']);
  await go(['build', '-o', program, referencePackage], BUILD_MS);
  return program;
}

/** The folder of the source of a release, which Go downloads at the first use. */
export async function referenceSource(wanted: Wanted): Promise<string> {
  const folder = join(cache, `${wanted.release}-source`);
  return (await download(wanted, folder, goIn(folder))).Dir;
}

type Go = (args: readonly string[], timeoutMs?: number) => Promise<string>;

function goIn(folder: string): Go {
  mkdirSync(folder, { recursive: true });
  return async (args, timeoutMs = DOWNLOAD_MS) =>
    checked(args, await run('go', args, { cwd: folder, env, timeoutMs })).stdout;
}

interface Downloaded {
  readonly version: string;
  readonly GoMod: string;
  readonly Dir: string;
}

async function download({ release, patch }: Wanted, folder: string, go: Go): Promise<Downloaded> {
  writeFileSync(join(folder, 'go.mod'), 'module reference\n');
  const version = patch ?? newestPatch(release, await listedVersions(go));
  if (version === undefined) throw new Error(`no published version of release ${release}`);
  const text = await go(['mod', 'download', '-json', `${referenceModule}@v${version}`]);
  return { ...(JSON.parse(text) as Omit<Downloaded, 'version'>), version };
}

const listedVersions = async (go: Go): Promise<readonly string[]> =>
  (await go(['list', '-m', '-versions', referenceModule])).split(/\s+/);

function checked(args: readonly string[], result: CommandResult): CommandResult {
  if (result.code === 0) return result;
  throw new Error(`go ${args.join(' ')} failed: ${result.stderr.slice(-2000)}`);
}
