import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CommandResult,
  type Kubectl,
  type LaunchedServer,
  type RunningProcess,
  run,
  start,
} from '@orch/testkit';

/** A separate namespace on a server, for one kubectl. Everything is run as the administrator. */
export class KubectlSession {
  readonly #kubectl: Kubectl;
  readonly #home: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly namespace: string;

  private constructor(kubectl: Kubectl, server: LaunchedServer, home: string, namespace: string) {
    this.#kubectl = kubectl;
    this.#home = home;
    this.namespace = namespace;
    this.#env = { KUBECONFIG: server.adminConfig, HOME: join(home, kubectl.release) };
  }

  static async open(
    kubectl: Kubectl,
    server: LaunchedServer,
    home: string,
    name: string,
  ): Promise<KubectlSession> {
    const session = new KubectlSession(kubectl, server, home, name);
    await session.ok('create', 'namespace', name);
    return session;
  }

  raw(args: readonly string[], input?: object, env: NodeJS.ProcessEnv = {}): Promise<CommandResult> {
    return run(this.#kubectl.path, ['-n', this.namespace, ...args], {
      env: { ...this.#env, ...env },
      ...(input === undefined ? {} : { input: JSON.stringify(input) }),
    });
  }

  /** Starts a command that runs until it is ended, such as a watch. */
  start(...args: string[]): RunningProcess {
    const env = { ...process.env, ...this.#env };
    return start(this.#kubectl.path, ['-n', this.namespace, ...args], { env });
  }

  /** Runs a command that must succeed, and returns what it prints. */
  async ok(...args: string[]): Promise<string> {
    return (await this.expect(0, args)).stdout;
  }

  async expect(code: number, args: readonly string[], input?: object): Promise<CommandResult> {
    const result = await this.raw(args, input);
    assert.equal(result.code, code, `kubectl ${args.join(' ')}\n${result.stdout}\n${result.stderr}`);
    return result;
  }

  async okWith(input: object, ...args: string[]): Promise<string> {
    return (await this.expect(0, args, input)).stdout;
  }

  apply(manifest: object, ...args: string[]): Promise<string> {
    return this.okWith(manifest, 'apply', '-f', '-', ...args);
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into objects of any kind.
  async get(...args: string[]): Promise<any> {
    const { minor } = this;
    const shown = minor >= 21 ? ['--show-managed-fields'] : [];
    return JSON.parse(await this.ok('get', ...args, '-o', 'json', ...shown));
  }

  get minor(): number {
    return Number(this.#kubectl.release.split('.')[1]);
  }

  /** A program that takes the place of an editor. */
  edit(script: string, ...args: string[]): Promise<CommandResult> {
    return this.withEditor(script, 'edit', ...args);
  }

  async withEditor(script: string, ...command: string[]): Promise<CommandResult> {
    const path = join(this.#home, `editor-${this.namespace}.sh`);
    writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return this.raw(command, undefined, { KUBE_EDITOR: path });
  }
}
