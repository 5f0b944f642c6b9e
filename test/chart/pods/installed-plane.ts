import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import type { ApiObject } from '@orch/machinery';
import { poll } from '@orch/machinery/testing';
import { freePorts } from '@orch/storage/testing';
import type { RunningProcess } from '@orch/testkit';
import { nameOf } from '../chart.ts';
import { PodProcess, type SecretFiles } from './pod-process.ts';
import { podSpecOf } from './pod-template.ts';

/** Ports of the pods, as the chart has them. */
export interface PodPorts {
  readonly api: number;
  readonly apiServerOps: number;
  readonly controllersOps: number;
}

export interface PlaneOptions {
  readonly objects: readonly ApiObject[];
  readonly secret: (name: string) => Promise<SecretFiles>;
  readonly ports: PodPorts;
  /** Address of the API in the cluster. */
  readonly server: string;
}

const MEMBERS = 3;

/** An address for `POD_IP`: servers do not publish addresses of the machine itself. */
const POD_IP = '198.51.100.7';

/** The programs of rendered workloads, running on this machine. */
export class InstalledPlane implements AsyncDisposable {
  /** Addresses in the cluster, and on this machine. */
  readonly replacements: Readonly<Record<string, string>>;
  readonly url: string;
  readonly #options: PlaneOptions;
  readonly #ports: readonly number[];
  readonly #pods: PodProcess[] = [];
  readonly #processes: RunningProcess[] = [];

  private constructor(options: PlaneOptions, ports: readonly number[]) {
    this.#options = options;
    this.#ports = ports;
    const [api = 0, ops = 0, controllersOps = 0] = ports;
    const pod = options.ports;
    this.url = `https://127.0.0.1:${api}`;
    this.replacements = {
      [options.server]: this.url,
      [`--secure-port=${pod.api}`]: `--secure-port=${api}`,
      [`0.0.0.0:${pod.apiServerOps}`]: `127.0.0.1:${ops}`,
      [`0.0.0.0:${pod.controllersOps}`]: `127.0.0.1:${controllersOps}`,
      [`[::]:${pod.apiServerOps}`]: `127.0.0.1:${ops}`,
      [`[::]:${pod.controllersOps}`]: `127.0.0.1:${controllersOps}`,
      ...this.#etcdAddresses(),
    };
  }

  static async create(options: PlaneOptions): Promise<InstalledPlane> {
    return new InstalledPlane(options, await freePorts(3 + 3 * MEMBERS));
  }

  /** Starts the members of the bundled etcd. */
  async startEtcd(): Promise<void> {
    const spec = podSpecOf(this.#workload('StatefulSet', 'etcd'));
    for (let at = 0; at < MEMBERS; at++) {
      const [client = 0, peer = 0, metrics = 0] = this.#memberPorts(at);
      await this.#start(spec, {
        'metadata.name': `${this.#etcdName}-${at}`,
        '0.0.0.0:2379': `127.0.0.1:${client}`,
        '0.0.0.0:2380': `127.0.0.1:${peer}`,
        '0.0.0.0:2381': `127.0.0.1:${metrics}`,
      });
    }
    await poll('etcd is healthy', 30_000, async () => {
      const all = [0, 1, 2].map((at) => statusOf(`http://127.0.0.1:${this.#memberPorts(at)[2] ?? 0}/health`));
      return (await Promise.all(all)).every((status) => status === 200);
    });
  }

  /** Starts a program of the chart, and waits until its readiness probe would succeed. */
  async startProgram(component: 'apiserver' | 'controllers'): Promise<RunningProcess> {
    const process = await this.#start(podSpecOf(this.#workload('Deployment', component)), {});
    const isOver = (): boolean => process.child.exitCode !== null || process.child.signalCode !== null;
    await poll(
      `the readiness of ${component}`,
      60_000,
      async () => isOver() || (await this.readiness(component)) === 200,
    );
    assert.ok(!isOver(), `${component} has ended: ${process.output()}`);
    return process;
  }

  /** The status that the readiness probe of a program gets; undefined without a response. */
  readiness(component: 'apiserver' | 'controllers'): Promise<number | undefined> {
    return statusOf(`http://127.0.0.1:${this.#ports[component === 'apiserver' ? 1 : 2] ?? 0}/readyz`);
  }

  /** The status and the type of the page of the console. */
  async consolePage(): Promise<readonly [status: number | undefined, type: string | undefined]> {
    const options = { port: this.#ports[0], path: '/console/', agent: false, rejectUnauthorized: false };
    const [answer] = (await once(get(options), 'response')) as [IncomingMessage];
    answer.resume();
    return [answer.statusCode, answer.headers['content-type']];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const process of this.#processes.reverse()) await process[Symbol.asyncDispose]();
    for (const pod of this.#pods) pod[Symbol.dispose]();
  }

  get #etcdName(): string {
    return this.#options.objects.find(({ kind }) => kind === 'StatefulSet')?.metadata.name ?? '';
  }

  #workload(kind: string, component: string): ApiObject {
    const found = this.#options.objects.find(
      (object) => object.kind === kind && nameOf(object).endsWith(`-${component}`),
    );
    assert.ok(found, `no ${kind} of ${component}`);
    return found;
  }

  #memberPorts(at: number): readonly number[] {
    return this.#ports.slice(3 + 3 * at, 6 + 3 * at);
  }

  /** Addresses of the members of the bundled etcd. */
  #etcdAddresses(): Readonly<Record<string, string>> {
    const name = this.#etcdName;
    if (name === '') return {};
    return Object.fromEntries(
      Array.from({ length: MEMBERS }, (_, at) => {
        const [client = 0, peer = 0] = this.#memberPorts(at);
        const domain = `${name}-${at}.${name}.default.svc`;
        return [
          [`${domain}:2379`, `127.0.0.1:${client}`],
          [`${domain}:2380`, `127.0.0.1:${peer}`],
        ];
      }).flat(),
    );
  }

  async #start(
    spec: ReturnType<typeof podSpecOf>,
    own: Readonly<Record<string, string>>,
  ): Promise<RunningProcess> {
    const pod = await PodProcess.create(spec, {
      secret: this.#options.secret,
      replacements: { ...this.replacements, ...own },
      fields: { 'status.podIP': POD_IP, ...own },
    });
    this.#pods.push(pod);
    const process = await pod.start();
    this.#processes.push(process);
    return process;
  }
}

/** The status of a response; undefined without one. */
async function statusOf(url: string): Promise<number | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}
