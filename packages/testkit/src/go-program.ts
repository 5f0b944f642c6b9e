import { existsSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { LaunchedServer } from './launch.ts';
import { type CommandResult, run } from './run.ts';

const root = join(import.meta.dirname, '..', '..', '..');
/** The Go module of all programs in Go, so that they share compiled libraries. */
export const goModule = join(root, 'test');
/** Outside the checkout's sources, and kept between runs: an unchanged program is not linked again. */
const built = join(root, 'node_modules', '.cache', 'go-programs');
const vetTool = join(import.meta.dirname, 'vet-tool.sh');
/** A module on a machine without any build cache: all of the client libraries are compiled. */
const BUILD_MS = 15 * 60_000;

/** Set in a run of the suite that has built every program before its tests. */
const BUILT_VARIABLE = 'ORCH_GO_PROGRAMS_BUILT';

/**
 * With the installed toolchain and the pinned versions of the module's lock file; no C compiler is needed. Libraries compile in three
 * quarters of the time without inlining, and programs link faster without symbols. All commands have the same flags, since a library is
 * compiled once for each.
 */
const env = {
  GOTOOLCHAIN: 'local',
  GOWORK: 'off',
  GOFLAGS: '-mod=readonly -buildvcs=false -gcflags=all=-l -ldflags=-s',
  CGO_ENABLED: '0',
};

/** Failures of a build that are not faults of the program. */
const unavailable = [
  [/requires go >= \S+ \(running go|invalid go version/, 'this go is too old'],
  [/dial tcp|no such host|i\/o timeout|connection re|TLS handshake|proxyconnect/, 'no Go module registry'],
  [/module lookup disabled by GOPROXY=off/, 'no Go module registry'],
] as const;

/** A program in Go, built; or why it cannot be on this machine, for the title of a skipped test. */
export type GoProgram =
  | { readonly kind: 'built'; readonly program: BuiltProgram }
  | { readonly kind: 'missing'; readonly reason: string };

export interface BuiltProgram {
  readonly path: string;
  /** Runs it to its end, at most 60 s, as the administrator of the server of `KUBECONFIG`. */
  run(server: Pick<LaunchedServer, 'adminConfig'>, args?: readonly string[]): Promise<CommandResult>;
}

/**
 * Builds a program of the Go module: one in a folder of it, or a package that it depends on. Await it at the top of a test file: the first
 * build on a machine takes a minute or two, which the time limits of tests do not count. Throws when the program does not compile.
 */
export async function buildGoProgram(packagePath: string): Promise<GoProgram> {
  const go = findGo();
  if (go === undefined) return { kind: 'missing', reason: 'go not found' };
  const path = join(built, basename(packagePath));
  if (process.env[BUILT_VARIABLE] !== undefined) return { kind: 'built', program: programAt(path) };
  const { code, stderr } = await build(go, path, [packagePath]);
  if (code === 0) return { kind: 'built', program: programAt(path) };
  const reason = unavailable.find(([pattern]) => pattern.test(stderr))?.[1];
  if (reason === undefined) throw new Error(`go build ${packagePath} failed:\n${stderr}`);
  return { kind: 'missing', reason };
}

/**
 * Builds every program of the Go module and its tools, for this process and those that it starts. One command compiles a library once;
 * the builds of several test processes that start together would each compile it. If it fails, each test builds its program and
 * reports the failure.
 */
export async function buildGoPrograms(): Promise<void> {
  const go = findGo();
  if (go === undefined) return;
  mkdirSync(built, { recursive: true });
  const { code } = await build(go, `${built}/`, ['./...', 'tool']);
  if (code === 0) process.env[BUILT_VARIABLE] = '1';
}

const build = (go: string, output: string, packages: readonly string[]): Promise<CommandResult> =>
  run(go, ['build', '-o', output, ...packages], { cwd: goModule, env, timeoutMs: BUILD_MS });

/**
 * Checks the Go module as `gofmt` and `go vet` do: the problems that they report, empty when there are none. A call of a library is not
 * checked against facts about the library, which takes longer than to compile it.
 */
export async function checkGoModule(): Promise<string> {
  const go = findGo();
  if (go === undefined) throw new Error('go not found');
  const results = await Promise.all([
    run(join(go, '..', 'gofmt'), ['-l', goModule]),
    run(go, ['vet', `-vettool=${vetTool}`, './...'], { cwd: goModule, env, timeoutMs: BUILD_MS }),
  ]);
  // The first check on a machine downloads modules and reports each.
  return results.map(({ stdout, stderr }) => stdout + stderr.replace(/^go: downloading .*\n/gm, '')).join('');
}

function findGo(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(':').filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, 'go')).find((path) => existsSync(path));
}

const programAt = (path: string): BuiltProgram => ({
  path,
  run: (server, args = []) => run(path, args, { env: { KUBECONFIG: server.adminConfig } }),
});

/** The output of a program, one JSON value a line. Throws with all of its output when it failed. */
export function observations<T>({ code, stdout, stderr }: CommandResult): readonly T[] {
  if (code !== 0) throw new Error(`the program exited with ${code}:\n${stdout}${stderr}`);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}
