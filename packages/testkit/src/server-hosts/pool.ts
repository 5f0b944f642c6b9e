import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { HostProcess } from './host-process.ts';
import type { HostEnd, Order, Report } from './messages.ts';

/**
 * A host is replaced after this number of servers, so that what they leave behind does not add up. The first servers of a host take twice
 * the CPU time of later ones, whose code is optimized.
 */
const SERVERS_PER_HOST = 400;
/** How long the servers of a host may take to stop before it is replaced. */
const STOP_MS = 10_000;

/**
 * Lends hosts to test processes, each to one process at a time, as long as that is connected to the socket at `path`. Hosts are started
 * when they are needed.
 */
export class ServerHosts implements Disposable {
  readonly path: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'orch-hosts-'));
  readonly #program: string;
  readonly #options: readonly string[];
  readonly #server: Server;
  readonly #hosts = new Set<HostProcess>();
  #free: HostProcess[] = [];
  #endedCpuSeconds = 0;

  /** `program` is the path of the built host, `options` are those of Node. */
  constructor(program: string, options: readonly string[] = []) {
    this.#program = program;
    this.#options = options;
    this.path = join(this.#folder, 'socket');
    this.#server = createServer((socket) => this.#lend(socket)).listen(this.path);
    this.#server.unref();
  }

  /** CPU time of all hosts. */
  get cpuSeconds(): number {
    return [...this.#hosts].reduce((sum, host) => sum + host.cpuSeconds, this.#endedCpuSeconds);
  }

  #lend(socket: Socket): void {
    const host = this.#free.pop() ?? this.#startHost();
    host.onReport = (report: Report | HostEnd): void => {
      const line = `${JSON.stringify(report)}\n`;
      if ('output' in report) socket.end(line);
      else socket.write(line);
    };
    createInterface(socket).on('line', (line) => host.obey(JSON.parse(line) as Order));
    // A connection that fails is closed.
    socket.on('error', () => undefined);
    socket.on('close', () => this.#takeBack(host));
  }

  #startHost(): HostProcess {
    const host = new HostProcess(this.#program, this.#options, () => {
      this.#hosts.delete(host);
      this.#free = this.#free.filter((one) => one !== host);
      this.#endedCpuSeconds += host.cpuSeconds;
    });
    this.#hosts.add(host);
    return host;
  }

  #takeBack(host: HostProcess): void {
    host.onReport = () => undefined;
    const late = setTimeout(() => host.kill(), STOP_MS).unref();
    host.onIdle = () => {
      clearTimeout(late);
      host.onIdle = () => undefined;
      if (!this.#hosts.has(host)) return;
      if (host.started < SERVERS_PER_HOST) this.#free.push(host);
      else host.kill();
    };
    if (host.idle) host.onIdle();
    else host.stopAll();
  }

  [Symbol.dispose](): void {
    this.#server.close();
    for (const host of this.#hosts) host.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
