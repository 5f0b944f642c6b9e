import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { createClient } from '@orch/client';
import { messageOf } from '@orch/machinery';
import { aborted } from '@orch/machinery/concurrency';
import { type FlagValues, StartError, UsageError } from '@orch/program';
import type { ControlPlane } from '../options.ts';
import { startControlPlane } from '../start-control-plane.ts';
import { checkAdminConfig, writeAdminConfig } from './admin-config.ts';
import type { devFlags } from './dev-flags.ts';
import { type KeyInput, readKeys } from './dev-keys.ts';
import { type DevStream, jsonReport, type Report, textReport } from './dev-output.ts';
import { FolderChanges } from './folder-changes.ts';
import { ManifestFolder } from './manifest-folder.ts';

export interface DevHost {
  readonly stdin: KeyInput;
  readonly stdout: DevStream & { readonly isTTY?: boolean };
}

type DevValues = FlagValues<typeof devFlags>;

/** Runs a control plane for people until the signal aborts or they stop it. */
export async function dev(values: DevValues, host: DevHost, signal: AbortSignal): Promise<void> {
  checkFolder(values.manifests);
  const adminConfig = resolve(values.adminConfig);
  await checkAdminConfig(adminConfig);
  await using plane = await startPlane(values);
  writeAdminConfig(plane.configFile, adminConfig);
  const hasKeys = host.stdin.isTTY === true && host.stdout.isTTY === true && values.output === 'text';
  const report = values.output === 'json' ? jsonReport(host.stdout) : textReport(host.stdout, hasKeys);
  const quit = new AbortController();
  const ended = AbortSignal.any([signal, quit.signal]);
  const session = new DevSession(plane, { folder: values.manifests, report, signal: ended });
  await session.changed();
  signal.throwIfAborted();
  report({ event: 'ready', url: plane.url, adminConfig });
  using _changes =
    values.manifests === '' ? undefined : new FolderChanges(values.manifests, () => void session.changed());
  using _keys = hasKeys
    ? readKeys(host.stdin, { reset: () => void session.reset(), stop: () => quit.abort() })
    : undefined;
  await aborted(ended);
  await session.settled();
}

async function startPlane({
  naming,
  emulatedVersion,
  workloads,
  controllers,
  snapshot,
}: DevValues): Promise<ControlPlane> {
  const options = { naming, emulatedVersion, workloads, controllers };
  if (snapshot === '') return await startControlPlane(options);
  try {
    return await startControlPlane({ ...options, snapshot });
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new StartError(`--snapshot: ${messageOf(cause)}`, { cause });
  }
}

function checkFolder(folder: string): void {
  if (folder === '' || statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new StartError(`--manifests: ${folder} must be a folder`);
}

interface SessionOptions {
  /** Of manifests; empty without one. */
  readonly folder: string;
  readonly report: Report;
  readonly signal: AbortSignal;
}

/** The tasks of a control plane for people, one after the other. */
class DevSession {
  readonly #plane: ControlPlane;
  readonly #folder: ManifestFolder | undefined;
  readonly #options: SessionOptions;
  #last: Promise<void> = Promise.resolve();
  #isWaiting = false;

  constructor(plane: ControlPlane, options: SessionOptions) {
    this.#plane = plane;
    this.#options = options;
    const { folder, report } = options;
    const { env } = plane.config;
    if (folder !== '')
      this.#folder = new ManifestFolder(folder, { client: createClient(plane.config), env }, report);
  }

  /** Applies the manifests; one further time for all changes that come meanwhile. */
  changed(): Promise<void> {
    if (this.#isWaiting) return this.#last;
    this.#isWaiting = true;
    return this.#then(async () => {
      this.#isWaiting = false;
      await this.#folder?.sync(this.#options.signal);
    });
  }

  /** Makes all objects as they were at the start, and applies the manifests. */
  reset(): Promise<void> {
    return this.#then(async () => {
      await this.#plane.reset();
      this.#options.report({ event: 'reset' });
      this.#folder?.forget();
      await this.#folder?.sync(this.#options.signal);
    });
  }

  /** Resolves when no task runs. */
  settled(): Promise<void> {
    return this.#last;
  }

  #then(task: () => Promise<void>): Promise<void> {
    const { signal, report } = this.#options;
    const run = async (): Promise<void> => {
      if (signal.aborted) return;
      try {
        await task();
      } catch (error) {
        if (signal.aborted) return;
        report({ event: 'failed', file: 'the manifests', message: messageOf(error) });
      }
    };
    this.#last = this.#last.then(run);
    return this.#last;
  }
}
