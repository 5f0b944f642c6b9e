import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiObject } from '@orch/machinery';
import { encodeYaml } from '@orch/machinery/yaml';
import { type CommandResult, type LaunchedServer, temporaryFolder } from '@orch/testkit';
import { nameOf } from '../chart.ts';
import { PodProcess, type SecretFiles } from './pod-process.ts';
import { type PodSpec, podSpecOf } from './pod-template.ts';

const namespace = '/namespaces/default';
const jobs = `/apis/batch/v1${namespace}/jobs`;
const pods = `/api/v1${namespace}/pods`;

/** A run of a job or a pod. */
export interface FinishedRun extends CommandResult {
  readonly name: string;
  readonly account: string | undefined;
}

/**
 * The node of a cluster without nodes: it runs the pods of jobs, and pods without an owner, as processes of this machine, with the
 * permissions of their service accounts, and reports how they ended.
 */
export class HostNode implements AsyncDisposable {
  /** Everything that has ended, in its order. */
  readonly runs: FinishedRun[] = [];
  /** As `PodHost.replacements`. */
  replacements: Readonly<Record<string, string>> = {};
  readonly #server: LaunchedServer;
  readonly #folder = temporaryFolder();
  readonly #stop = new AbortController();
  readonly #watches: readonly Promise<void>[];

  constructor(server: LaunchedServer) {
    this.#server = server;
    this.#watches = [
      this.#each(jobs, (job) => this.#runJob(job)),
      this.#each(pods, (pod) => this.#runPod(pod)),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#watches);
    this.#folder[Symbol.dispose]();
  }

  /** Entries of a Secret of the cluster. */
  readonly secret = async (name: string): Promise<SecretFiles> => {
    const { json, status, text } = await this.#server.client.get(`/api/v1${namespace}/secrets/${name}`);
    assert.equal(status, 200, text);
    const { data = {} } = json as { readonly data?: SecretFiles };
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
    );
  };

  /** A client configuration file for the cluster, as a service account of it. */
  async configOf(account: string): Promise<string> {
    const { server, ca } = this.#server.config;
    const token = await this.tokenOf(account);
    const path = join(this.#folder.path, `${account}.conf`);
    const cluster = { server, 'certificate-authority-data': ca.toString('base64') };
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'host', cluster }],
      users: [{ name: account, user: { token } }],
      contexts: [{ name: 'host', context: { cluster: 'host', user: account } }],
      'current-context': 'host',
    };
    writeFileSync(path, encodeYaml(config), { mode: 0o600 });
    return path;
  }

  async tokenOf(account: string): Promise<string> {
    const { json, status, text } = await this.#server.client.post(
      `/api/v1${namespace}/serviceaccounts/${account}/token`,
      { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
    );
    assert.equal(status, 201, text);
    return (json as { readonly status: { readonly token: string } }).status.token;
  }

  async #each(path: string, work: (object: ApiObject) => Promise<void>): Promise<void> {
    try {
      for await (const { type, object } of this.#server.client.watch(`${path}?watch=1`, this.#stop.signal))
        if (type === 'ADDED') await work(object as unknown as ApiObject);
    } catch (error) {
      if (!this.#stop.signal.aborted) throw error;
    }
  }

  async #runJob(job: ApiObject): Promise<void> {
    const isGood = await this.#run(nameOf(job), podSpecOf(job));
    const now = new Date().toISOString().replace(/\.\d+/, '');
    const condition = { type: isGood ? 'Complete' : 'Failed', status: 'True', lastTransitionTime: now };
    await this.#report(`${jobs}/${nameOf(job)}/status`, {
      startTime: now,
      conditions: [condition],
      ...(isGood ? { completionTime: now, succeeded: 1 } : { failed: 1 }),
    });
  }

  async #runPod(pod: ApiObject): Promise<void> {
    const isGood = await this.#run(nameOf(pod), podSpecOf(pod));
    await this.#report(`${pods}/${nameOf(pod)}/status`, { phase: isGood ? 'Succeeded' : 'Failed' });
  }

  async #run(name: string, spec: PodSpec): Promise<boolean> {
    const { serviceAccountName: account } = spec;
    const isForCluster = spec.volumes?.some(({ name: volume }) => volume === 'admin') !== true;
    const flags =
      account !== undefined && isForCluster ? [`--client-config=${await this.configOf(account)}`] : [];
    using pod = await PodProcess.create(spec, {
      secret: this.secret,
      replacements: this.replacements,
      flags,
    });
    const result = await pod.run();
    this.runs.push({ name, account, ...result });
    return result.code === 0;
  }

  async #report(path: string, status: object): Promise<void> {
    const answer = await this.#server.client.send('PATCH', path, {
      body: { status },
      contentType: 'application/merge-patch+json',
    });
    // The object may be deleted meanwhile.
    assert.ok(answer.status === 200 || answer.status === 404, answer.text);
  }
}
