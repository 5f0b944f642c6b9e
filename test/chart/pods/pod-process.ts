import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findEtcd } from '@orch/storage/testing';
import { type CommandResult, type RunningProcess, run, start, temporaryFolder } from '@orch/testkit';
import { root } from '../chart.ts';
import { type Container, environmentOf, type PodSpec, secretsOf } from './pod-template.ts';

/** Entries of a Secret, by name. */
export type SecretFiles = Readonly<Record<string, string>>;

export interface PodHost {
  /** Reads a Secret of the cluster. */
  readonly secret: (name: string) => Promise<SecretFiles>;
  /** Texts in flags and files, such as addresses in the cluster, and what stands for them on this machine. */
  readonly replacements: Readonly<Record<string, string>>;
  /** Fields of the pod, such as `metadata.name`. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Flags besides those of the container. */
  readonly flags?: readonly string[];
}

/** The process of the container of a pod, with its volumes in a temporary folder. */
export class PodProcess implements Disposable {
  readonly #folder = temporaryFolder();
  readonly #container: Container;
  readonly #host: PodHost;
  /** Folders, by the paths that they are mounted at. */
  readonly #mounts = new Map<string, string>();

  private constructor(container: Container, host: PodHost) {
    this.#container = container;
    this.#host = host;
  }

  static async create(spec: PodSpec, host: PodHost): Promise<PodProcess> {
    const [container, ...others] = spec.containers;
    assert.ok(container !== undefined && others.length === 0);
    const pod = new PodProcess(container, host);
    await pod.#mount(spec);
    return pod;
  }

  /** Starts a program that runs until it is stopped. */
  async start(): Promise<RunningProcess> {
    const { path, args, env } = await this.#command();
    return start(path, args, { env: { ...process.env, ...env } });
  }

  /** Runs a program that ends. */
  async run(): Promise<CommandResult> {
    const { path, args, env } = await this.#command();
    return run(path, args, { env });
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }

  async #mount({ volumes = [] }: PodSpec): Promise<void> {
    for (const { name, mountPath } of this.#container.volumeMounts ?? []) {
      const folder = join(this.#folder.path, name);
      mkdirSync(folder, { recursive: true });
      this.#mounts.set(mountPath, folder);
      // A claimed volume has no source, and is empty at first.
      const volume = volumes.find((one) => one.name === name);
      for (const source of volume === undefined ? [] : secretsOf(volume)) {
        const entries = await this.#host.secret(source.name ?? source.secretName ?? '');
        const items = source.items ?? Object.keys(entries).map((key) => ({ key, path: key }));
        for (const { key, path } of items) {
          const text = entries[key];
          assert.ok(text !== undefined, `the Secret ${source.name ?? source.secretName} has no entry ${key}`);
          writeFileSync(join(folder, path), this.#replaced(text));
        }
      }
    }
  }

  async #command(): Promise<{
    readonly path: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  }> {
    const { command, args } = this.#container;
    const [program = '', ...first] = command;
    const variables = environmentOf(this.#container, this.#host.fields ?? {});
    const path = program === 'etcd' ? await findEtcd() : join(root, 'bin', basename(program));
    const all = [...first, ...args].map((arg) => this.#local(expand(arg, variables)));
    const env = Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name, this.#local(value)]),
    );
    return { path, args: [...all, ...(this.#host.flags ?? [])], env };
  }

  /** A flag with folders and addresses of this machine. */
  #local(text: string): string {
    let local = this.#replaced(text);
    for (const [path, folder] of this.#mounts) local = local.replaceAll(path, folder);
    return local;
  }

  #replaced(text: string): string {
    let replaced = text;
    for (const [from, to] of Object.entries(this.#host.replacements))
      replaced = replaced.replaceAll(from, to);
    return replaced;
  }
}

/** Variables in flags, as a cluster expands them. */
const expand = (text: string, variables: Readonly<Record<string, string>>): string =>
  text.replace(/\$\((\w+)\)/g, (reference, name: string) => variables[name] ?? reference);
