import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandResult, run } from '@orch/testkit';
import { importsFile, moduleFile, newestPatch, referenceModule, referencePackage } from './module-file.ts';

const cache = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'reference');
/** Eight minutes on two idle cores; an hour was too short on a machine with a load of forty. */
const BUILD_MS = 180 * 60_000;
const DOWNLOAD_MS = 10 * 60_000;
const env = { GOFLAGS: '-mod=mod', GOWORK: 'off', CGO_ENABLED: '0' };

/** The path of the API server of a release, which Go builds at the first use. Throws when Go is missing or a step fails. */
export async function referenceProgram(release: string, report: (line: string) => void): Promise<string> {
  const folder = join(cache, release);
  const program = join(folder, 'reference-apiserver');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const go = async (args: readonly string[], timeoutMs = DOWNLOAD_MS): Promise<string> =>
    checked(args, await run('go', args, { cwd: folder, env, timeoutMs })).stdout;
  writeFileSync(join(folder, 'go.mod'), 'module reference\n');
  const listed = await go(['list', '-m', '-versions', referenceModule]);
  const version = newestPatch(release, listed.split(/\s+/));
  if (version === undefined) throw new Error(`no published version of release ${release}`);
  report(`builds the reference server ${version}; this takes some minutes once`);
  const downloaded = JSON.parse(await go(['mod', 'download', '-json', `${referenceModule}@v${version}`])) as {
    readonly GoMod: string;
  };
  writeFileSync(join(folder, 'go.mod'), moduleFile(version, readFileSync(downloaded.GoMod, 'utf8')));
  writeFileSync(join(folder, 'imports.go'), importsFile);
  // Tests of dependencies need modules that are no longer published; the program does not.
  await go(['mod', 'tidy', '-e']);
  await go(['build', '-o', program, referencePackage], BUILD_MS);
  return program;
}

function checked(args: readonly string[], result: CommandResult): CommandResult {
  if (result.code === 0) return result;
  throw new Error(`go ${args.join(' ')} failed: ${result.stderr.slice(-2000)}`);
}
