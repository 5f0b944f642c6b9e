import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ApiObject } from '@orch/machinery';
import {
  type BuiltProgram,
  buildGoProgram,
  type CommandResult,
  type GoProgram,
  type LaunchedServer,
  type LaunchOptions,
  launchServer,
  run,
  temporaryFolder,
} from '@orch/testkit';

/** The helm that the Go module of the tests pins. */
export const buildHelm = (): Promise<GoProgram> => buildGoProgram('helm.sh/helm/v3/cmd/helm');

/** Longer than any `--timeout` of a test: helm itself says what it waited for. */
const TIMEOUT_MS = 180_000;

/** helm as the administrator of a launched server, with a separate home folder. */
export class HelmSession implements AsyncDisposable {
  readonly server: LaunchedServer;
  readonly #program: BuiltProgram;
  readonly #home = temporaryFolder();

  private constructor(program: BuiltProgram, server: LaunchedServer) {
    this.#program = program;
    this.server = server;
  }

  static async start(program: BuiltProgram, options: LaunchOptions = {}): Promise<HelmSession> {
    return new HelmSession(program, await launchServer({ ...options, naming: 'kubernetes' }));
  }

  /** Writes files by their paths below a new folder, and returns its path. */
  write(folder: string, files: Readonly<Record<string, string>>): string {
    const root = join(this.#home.path, folder);
    for (const [name, text] of Object.entries(files)) {
      const path = join(root, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    return root;
  }

  raw(...args: readonly string[]): Promise<CommandResult> {
    return run(this.#program.path, args, {
      env: { KUBECONFIG: this.server.adminConfig, HOME: this.#home.path },
      timeoutMs: TIMEOUT_MS,
    });
  }

  /** Runs a command that succeeds, and returns its output. */
  async ok(...args: readonly string[]): Promise<string> {
    const { code, stderr, stdout } = await this.raw(...args);
    assert.equal(code, 0, `helm ${args.join(' ')}\n${stdout}${stderr}`);
    return stdout;
  }

  async get(path: string): Promise<ApiObject> {
    const { json, status, text } = await this.server.client.get(path);
    assert.equal(status, 200, text);
    return json as ApiObject;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    this.#home[Symbol.dispose]();
  }
}
