import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { poll } from '@orch/machinery/testing';

const LOG_BYTES = 64 * 1024;

/** Credentials of a client for a member with TLS; all PEM. */
export interface ClientTls {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

export interface MemberOptions {
  readonly binary: string;
  readonly args: readonly string[];
  readonly name: string;
  readonly dataDir: string;
  readonly clientPort: number;
  readonly tls: ClientTls | undefined;
  /** Also serves clients without TLS, since the JSON gateway does not accept client certificates of users. */
  readonly plainPort: number | undefined;
}

/** One etcd process on loopback. */
export class EtcdMember {
  readonly name: string;
  readonly dataDir: string;
  readonly clientPort: number;
  readonly endpoint: string;
  readonly #options: MemberOptions;
  #child: ChildProcess | undefined;
  #log = '';
  readonly #atExit = () => this.#child?.kill('SIGKILL');

  constructor(options: MemberOptions) {
    this.#options = options;
    this.name = options.name;
    this.dataDir = options.dataDir;
    this.clientPort = options.clientPort;
    this.endpoint = `${options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${options.clientPort}`;
  }

  get running(): boolean {
    return this.#child !== undefined;
  }

  /** Identifier of the process; 0 when none runs. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** The last 64 KiB that the process printed. */
  get log(): string {
    return this.#log;
  }

  /** Starts the process, or restarts it after a kill with its data. Does not wait until it is healthy. */
  start(): void {
    if (this.#child !== undefined) return;
    const child = spawn(this.#options.binary, this.#options.args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {},
    });
    this.#child = child;
    process.once('exit', this.#atExit);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text: string) => {
        this.#log = (this.#log + text).slice(-LOG_BYTES);
      });
    }
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined;
      process.off('exit', this.#atExit);
    });
  }

  /** Resolves when the member reports that it is healthy, which implies that it has a leader. */
  async ready(deadlineMs = 20_000): Promise<void> {
    await poll(`etcd member ${this.name} becomes healthy`, deadlineMs, async () => {
      if (!this.running) throw new Error(`etcd exited:\n${this.#log}`);
      const { status, body } = await this.http('GET', '/health');
      return status === 200 && body.includes('true') ? true : undefined;
    });
  }

  /**
   * Suspends the process: connections stay open without answers. Resolves when all of its threads have stopped, which
   * is some time after the signal.
   */
  async pause(): Promise<void> {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    this.#child?.kill('SIGSTOP');
    const tasks = `/proc/${pid}/task`;
    await poll('etcd to stop', 5000, () =>
      readdirSync(tasks).every((task) => /\) [Tt] /.test(readFileSync(`${tasks}/${task}/stat`, 'utf8')))
        ? true
        : undefined,
    );
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  /** Kills the process, as a crash does; with `SIGTERM` it shuts down cleanly and sends GOAWAY. */
  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    child.kill(signal);
    child.kill('SIGCONT');
    await once(child, 'exit');
  }

  async restart(): Promise<void> {
    await this.kill();
    this.start();
    await this.ready();
  }

  /** A request to the member's JSON gateway; `token` is the token of a user. */
  http(
    method: 'GET' | 'POST',
    path: string,
    json?: unknown,
    token?: string,
  ): Promise<{ status: number; body: string }> {
    const { plainPort } = this.#options;
    const tls = plainPort === undefined ? this.#options.tls : undefined;
    const endpoint = plainPort === undefined ? this.endpoint : `http://127.0.0.1:${plainPort}`;
    const headers = token === undefined ? {} : { authorization: token };
    const options = { method, headers, timeout: 1000, agent: false, ...tls };
    return new Promise((resolve, reject) => {
      const request = (tls === undefined ? httpRequest : httpsRequest)(`${endpoint}${path}`, options);
      request.on('timeout', () => request.destroy(new Error(`no answer from ${endpoint}${path}`)));
      request.on('error', reject);
      request.on('response', (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (text: string) => {
          body += text;
        });
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      });
      request.end(json === undefined ? undefined : JSON.stringify(json));
    });
  }
}
