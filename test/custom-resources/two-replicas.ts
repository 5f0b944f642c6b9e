import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startEtcd, tempDir } from '@orch/storage/testing';
import { type LaunchedServer, launchServer } from '@orch/testkit';

/** Two replicas of the server on one etcd, which share their certificates. */
export class TwoReplicas implements AsyncDisposable {
  readonly first: LaunchedServer;
  readonly second: LaunchedServer;
  readonly #resources: AsyncDisposable;

  private constructor(
    [first, second]: readonly [LaunchedServer, LaunchedServer],
    resources: AsyncDisposable,
  ) {
    this.first = first;
    this.second = second;
    this.#resources = resources;
  }

  static async open(options: { readonly naming?: 'orch' | 'kubernetes' } = {}): Promise<TwoReplicas> {
    await using resources = new AsyncDisposableStack();
    const etcd = resources.use(await startEtcd());
    const work = resources.use(await tempDir('orch-replicas-'));
    const certDir = join(work.path, 'certs');
    mkdirSync(certDir);
    const launch = async (): Promise<LaunchedServer> =>
      resources.use(await launchServer({ ...options, etcd: etcd.endpoints, certDir }));
    const servers = [await launch(), await launch()] as const;
    return new TwoReplicas(servers, resources.move());
  }

  get all(): readonly [LaunchedServer, LaunchedServer] {
    return [this.first, this.second];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources[Symbol.asyncDispose]();
  }
}
