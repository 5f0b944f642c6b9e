import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEtcd } from '@orch/storage/testing';
import {
  type LaunchOptions,
  launchServerProcess,
  type RunningProcess,
  type ServerProcess,
  start,
} from '@orch/testkit';
import { podOf } from './pods.ts';
import { innermost } from './proc.ts';
import { drive, type RawTarget } from './raw-client.ts';
import type { WriteRung } from './write-rung-names.ts';

export interface Subject {
  readonly server: ServerProcess;
  readonly pid: number;
  readonly target: RawTarget;
}

export interface Floor extends AsyncDisposable {
  readonly pid: number;
  readonly target: RawTarget;
  /** Where events are published; always HTTP/1.1. */
  readonly controlPort: number;
}

export const subjectOf = (server: ServerProcess): Subject => ({
  server,
  pid: innermost(server.process.child.pid ?? 0),
  target: {
    host: '127.0.0.1',
    port: server.port,
    ...(server.config.cert === undefined ? {} : { cert: server.config.cert }),
    ...(server.config.key === undefined ? {} : { key: server.config.key }),
  },
});

/** Shared resources of the scenarios: folders, an etcd, servers, the floor. Disposing it stops all of them. */
export class BenchContext implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'orch-bench-'));
  readonly certDir = join(this.folder, 'certs');
  readonly #stack = new AsyncDisposableStack();
  #etcd: ReturnType<typeof startEtcd> | undefined;

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async etcdEndpoints(): Promise<readonly string[]> {
    this.#etcd ??= startEtcd().then((etcd) => this.#stack.use(etcd));
    return (await this.#etcd).endpoints;
  }

  async serverOnEtcd(prefix: string, args: readonly string[] = []): Promise<Subject> {
    const etcd = await this.etcdEndpoints();
    const server = await launchServerProcess({
      naming: 'kubernetes',
      etcd,
      certDir: this.certDir,
      args: [`--etcd-prefix=${prefix}`, ...args],
    });
    return subjectOf(this.#stack.use(server));
  }

  async serverEmbedded(
    args: readonly string[] = [],
    options: Pick<LaunchOptions, 'env' | 'requiresAccounts'> = {},
  ): Promise<Subject> {
    return subjectOf(
      this.#stack.use(
        await launchServerProcess({ ...options, naming: 'kubernetes', certDir: this.certDir, args }),
      ),
    );
  }

  async floor(protocol: 'h1' | 'h2' = 'h1'): Promise<Floor> {
    return this.#program('floor-server.ts', protocol);
  }

  /** A bare HTTPS server in each of several threads, which share a port; sends as many bytes as the path names. */
  async threadedFloor(threads: number): Promise<Floor> {
    return this.#program('threaded-floor.ts', String(threads));
  }

  /** Bare TLS connections, for their memory. */
  async tlsServer(): Promise<Floor> {
    return this.#program('tls-server.ts');
  }

  /** One HTTPS request and one etcd transaction. */
  async writeFloor(): Promise<Floor> {
    return this.#program('write-floor.ts', (await this.etcdEndpoints()).join(','));
  }

  /** The program of a rung: the floor of writes, with what this rung and those before it add. */
  async writeRung(rung: WriteRung): Promise<Floor> {
    return this.#program('write-rungs.ts', (await this.etcdEndpoints()).join(','), rung);
  }

  /** An admission webhook that allows everything. */
  async reviewServer(): Promise<Floor> {
    return this.#program('review-server.ts', 'h1');
  }

  /** An extension API server on an address of this machine. */
  async extensionServer(protocol: 'h1' | 'h2', address: string): Promise<Floor> {
    const { target, ...rest } = await this.#program('extension-server.ts', protocol, address);
    return { ...rest, target: { ...target, host: address } };
  }

  /** A bare reverse proxy. */
  async floorProxy(protocol: 'h1' | 'h2', { host, port }: RawTarget): Promise<Floor> {
    return this.#program('floor-proxy.ts', protocol, `${host}:${port}`);
  }

  async #program(file: string, ...words: readonly string[]): Promise<Floor> {
    const process_: RunningProcess = start(process.execPath, [
      '--disable-warning=ExperimentalWarning',
      join(import.meta.dirname, file),
      join(this.certDir, 'apiserver.crt'),
      join(this.certDir, 'apiserver.key'),
      ...words,
    ]);
    this.#stack.use(process_);
    const [, port = ''] = await process_.waitFor(/"port":(\d+)/, 10_000);
    const [, control = port] = /"control":(\d+)/.exec(process_.output()) ?? [];
    return {
      pid: process_.child.pid ?? 0,
      target: { host: '127.0.0.1', port: Number(port) },
      controlPort: Number(control),
      [Symbol.asyncDispose]: () => process_[Symbol.asyncDispose](),
    };
  }
}

/** A prepared HTTP/1.1 request with a body. */
export function withBody(
  method: string,
  path: string,
  body: Buffer | string,
  contentType = 'application/json',
): Buffer {
  const bytes = Buffer.from(body);
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${contentType}\r\nContent-Length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
}

export const withoutBody = (path: string, headers = ''): Buffer =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`);

/** Creates `count` pods through the API. */
export async function seedPods(subject: Subject, count: number): Promise<void> {
  let index = 0;
  const statuses = await drive(subject.target, 32, () => {
    if (index >= count) return undefined;
    const request = withBody('POST', '/api/v1/namespaces/default/pods', JSON.stringify(podOf(index)));
    index += 1;
    return request;
  });
  if (statuses.get(201) !== count) throw new Error(`seeding pods: ${JSON.stringify([...statuses])}`);
}
