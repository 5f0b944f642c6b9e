import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Naming } from '@orch/machinery';
import { type CommandResult, type CommandSurroundings, runCommandLine } from '@orch/orchctl/testing';
import { type LaunchedServer, type LaunchOptions, launchServer, runKubectl } from '@orch/testkit';
import { comparedKubectl } from './programs.ts';

/** A server, and command lines against it. */
export interface CommandCluster extends AsyncDisposable {
  readonly server: LaunchedServer;
  /** A folder for files of the test, in which commands run. */
  readonly folder: string;
  /** Runs `orchctl` in this process. */
  orchctl(argv: readonly string[], surroundings?: CommandSurroundings): Promise<CommandResult>;
  /** Runs kubectl with the same arguments. */
  kubectl(argv: readonly string[], input?: string, env?: Record<string, string>): Promise<CommandResult>;
}

export async function commandCluster(naming: Naming, options: LaunchOptions = {}): Promise<CommandCluster> {
  const server = await launchServer({ ...options, naming });
  const folder = mkdtempSync(join(tmpdir(), 'orchctl-test-'));
  const config = `--kubeconfig=${server.adminConfig}`;
  return {
    server,
    folder,
    orchctl: (argv, surroundings) =>
      runCommandLine(beforeDash(argv, config), { folder, homeFolder: folder, ...surroundings }),
    kubectl: (argv, input, env = {}) => kubectlIn(folder, beforeDash(argv, config), { input, env }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Flags must stand before `--`. */
function beforeDash(argv: readonly string[], flag: string): string[] {
  const end = argv.indexOf('--');
  return end < 0 ? [...argv, flag] : [...argv.slice(0, end), flag, ...argv.slice(end)];
}

const kubectlCompared = comparedKubectl();

/** Runs kubectl in a folder. */
export async function kubectlIn(
  cwd: string,
  argv: readonly string[],
  {
    input = '',
    env = {},
  }: { readonly input?: string | undefined; readonly env?: Record<string, string> } = {},
): Promise<CommandResult> {
  const kubectl = await kubectlCompared;
  if (kubectl === undefined) throw new Error('there is no kubectl on this machine');
  const { code, stdout, stderr } = await runKubectl(kubectl.path, [...argv], {
    cwd,
    input,
    env: { ...process.env, ...env },
  });
  return { status: code, out: stdout, err: stderr };
}
