import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyPair } from '@orch/pki/x509';
import { testCertificate } from '@orch/pki/x509/testing';
import {
  ApiClient,
  buildGoProgram,
  extensionAccount,
  freePort,
  type GoProgram,
  type LaunchedServer,
  type RunningProcess,
  registerExtension,
  start,
  temporaryFolder,
} from '@orch/testkit';

/** The sample server of the Go library for extension API servers. */
export const sampleProgram = (): Promise<GoProgram> => buildGoProgram('k8s.io/sample-apiserver');

export const SAMPLE_GROUP = 'wardle.example.com';
export const SAMPLE_VERSION = 'v1alpha1';

/** The permissions that its admission needs, besides the documented roles. */
const rules = [
  { apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'list', 'watch'] },
  { apiGroups: ['admissionregistration.k8s.io'], resources: ['*'], verbs: ['get', 'list', 'watch'] },
];

/** The library belongs to a later release than the API: it reads versions of these kinds that the API does not have. */
const withoutLaterKinds = [
  '--enable-priority-and-fairness=false',
  '--disable-admission-plugins=ValidatingAdmissionPolicy,MutatingAdmissionPolicy',
];

export interface SampleOptions {
  readonly program: string;
  readonly server: LaunchedServer;
  /** An address of this machine that pods may have. */
  readonly address: string;
  /** Client addresses of the etcd in which the sample server stores its objects. */
  readonly etcd: readonly string[];
}

/** The sample server on a port of this machine, which can be killed and started again. */
export class SampleServer implements AsyncDisposable {
  readonly #options: SampleOptions;
  readonly #folder = temporaryFolder();
  readonly #authority = testCertificate({ commonName: 'sample', use: 'authority' });
  readonly #port: number;
  #process: RunningProcess | undefined;

  private constructor(options: SampleOptions, port: number) {
    this.#options = options;
    this.#port = port;
  }

  /** Starts a server with the roles that it needs. */
  static async start(options: SampleOptions): Promise<SampleServer> {
    const sample = new SampleServer(options, await freePort());
    const hosts = ['sample.default.svc', options.address];
    const pair: KeyPair = testCertificate({ commonName: 'sample', use: 'server', hosts }, sample.#authority);
    const config = await extensionAccount(options.server, { naming: 'kubernetes', name: 'sample', rules });
    for (const [name, text] of [
      ['tls.crt', pair.cert],
      ['tls.key', pair.key],
      ['config', config],
    ] as const)
      writeFileSync(sample.#file(name), text);
    await sample.restart();
    return sample;
  }

  /** Registers the group version of the server. */
  async register(): Promise<void> {
    const { server, address } = this.#options;
    await registerExtension(server.client, 'kubernetes', {
      ...{ name: 'sample', group: SAMPLE_GROUP, version: SAMPLE_VERSION, address, port: this.#port },
      caBundle: Buffer.from(this.#authority.cert).toString('base64'),
    });
  }

  /** A client that connects to the server itself, without the proxy. */
  client(token?: string): ApiClient {
    return new ApiClient({
      server: `https://${this.#options.address}:${this.#port}`,
      ca: Buffer.from(this.#authority.cert),
      ...{ cert: undefined, key: undefined, token },
    });
  }

  async kill(): Promise<void> {
    await this.#process?.stop('SIGKILL');
  }

  /** Resolves when the server listens. */
  async restart(): Promise<void> {
    const { program, address, etcd } = this.#options;
    const config = this.#file('config');
    this.#process = start(program, [
      ...[`--bind-address=${address}`, `--secure-port=${this.#port}`],
      ...[`--tls-cert-file=${this.#file('tls.crt')}`, `--tls-private-key-file=${this.#file('tls.key')}`],
      ...[`--kubeconfig=${config}`, `--authentication-kubeconfig=${config}`],
      `--authorization-kubeconfig=${config}`,
      `--etcd-servers=${etcd.join(',')}`,
      ...withoutLaterKinds,
    ]);
    await this.#process.waitFor(/Serving securely on/, 60_000);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process?.[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }

  #file(name: string): string {
    return join(this.#folder.path, name);
  }
}
