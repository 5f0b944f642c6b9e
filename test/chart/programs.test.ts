import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { asObject } from '@orch/machinery/json';
import { poll } from '@orch/machinery/testing';
import { type EtcdCluster, startEtcd } from '@orch/storage/testing';
import { run, temporaryFolder } from '@orch/testkit';
import { rendered, root, skip, valueSets } from './chart.ts';
import { InstalledPlane, type PodPorts } from './pods/installed-plane.ts';
import type { SecretFiles } from './pods/pod-process.ts';

const defaultPorts: PodPorts = { api: 6443, apiServerOps: 8080, controllersOps: 8081 };

interface ProgramCase {
  /** Name of the set of values. */
  readonly set: string;
  /** Address of the API in the cluster. */
  readonly server: string;
  readonly ports?: PodPorts;
  /** Values besides the set; `ETCD` stands for the address of the etcd, and `OTHER` for that of the other one. */
  readonly values?: readonly string[];
  readonly init?: readonly string[];
  readonly etcd?: 'plain' | 'tls' | 'bundled';
  readonly hasControllers?: boolean;
}

const plainEtcd = ['etcd.mode=external', 'etcd.external.servers={ETCD}'];
const members = [0, 1, 2].map((at) => `main-orch-etcd-${at}.main-orch-etcd.default.svc`);

const cases: readonly ProgramCase[] = [
  {
    set: 'init-secrets',
    server: 'https://main-orch.default.svc:443',
    init: [`--etcd-san=${members.join(',')}`, '--naming=kubernetes'],
    etcd: 'bundled',
  },
  {
    set: 'separate-secrets',
    server: 'https://main-orch.default.svc:443',
    values: plainEtcd,
    init: ['--naming=kubernetes'],
  },
  {
    set: 'external-etcd',
    server: 'https://api.example.com',
    values: ['etcd.external.servers={ETCD}', 'etcd.external.overrides={/events#OTHER}'],
    init: ['--naming=kubernetes'],
    etcd: 'tls',
  },
  { set: 'naming', server: 'https://main-plane.default.svc:443', values: plainEtcd, init: ['--naming=orch'] },
  {
    set: 'small',
    server: 'https://tiny.default.svc:443',
    values: plainEtcd,
    init: ['--naming=kubernetes', '--encryption=none'],
    hasControllers: false,
  },
  {
    set: 'everything',
    server: 'https://main-orch.default.svc:6443',
    ports: { api: 7443, apiServerOps: 7080, controllersOps: 7081 },
    values: plainEtcd,
    init: ['--naming=kubernetes', '--encryption=secretbox'],
  },
];

/** Secrets as users make them for each purpose, from the files of `orch init`. */
const separate = (files: SecretFiles): Readonly<Record<string, SecretFiles>> => {
  const tls = (name: string): SecretFiles => ({
    'tls.crt': files[`${name}.crt`] ?? '',
    'tls.key': files[`${name}.key`] ?? '',
  });
  const authority = (name: string): SecretFiles => ({ 'ca.crt': files[`${name}.crt`] ?? '' });
  return {
    'own-serving': tls('apiserver'),
    'own-client-ca': authority('client-ca'),
    'own-account-key': { 'sa.key': files['service-account.key'] ?? '' },
    'own-proxy-ca': authority('front-proxy-ca'),
    'own-proxy-client': tls('front-proxy-client'),
    'own-encryption': { 'encryption.yaml': files['encryption.yaml'] ?? '' },
    'own-controller-config': { 'client.conf': files['admin.conf'] ?? '' },
    'own-client-signing': tls('client-ca'),
    'own-serving-ca': authority('serving-ca'),
    'own-tokens': { 'tokens.csv': 'secret-token,robot,robot-id\n' },
  };
};

/** The files of `orch init`. */
async function initFiles(args: readonly string[]): Promise<SecretFiles> {
  using folder = temporaryFolder();
  const dir = join(folder.path, 'pki');
  const { code, stderr } = await run(join(root, 'bin', 'orch'), ['init', `--dir=${dir}`, ...args]);
  assert.equal(code, 0, stderr);
  return Object.fromEntries(readdirSync(dir).map((name) => [name, readFileSync(join(dir, name), 'utf8')]));
}

/** Secrets among the rendered objects. */
const renderedSecrets = (objects: readonly ApiObject[]): Readonly<Record<string, SecretFiles>> =>
  Object.fromEntries(
    objects
      .filter(({ kind }) => kind === 'Secret')
      .map((object) => [object.metadata.name, asObject(object['stringData']) as SecretFiles]),
  );

const tlsFiles = ({ tls }: EtcdCluster): SecretFiles => {
  assert.ok(tls);
  return { 'ca.crt': tls.ca, 'tls.crt': tls.cert, 'tls.key': tls.key };
};

describe('programs with the flags and files of the chart', { skip, timeout: 240_000 }, () => {
  let plain: EtcdCluster;
  let secured: EtcdCluster;

  before(async () => {
    [plain, secured] = await Promise.all([startEtcd(), startEtcd({ tls: true })]);
  });
  after(async () => {
    await Promise.all([plain[Symbol.asyncDispose](), secured[Symbol.asyncDispose]()]);
  });

  /** The workloads of a case, with a separate prefix in etcd. */
  async function planeOf(one: ProgramCase): Promise<InstalledPlane> {
    const [etcd, other] = one.etcd === 'tls' ? [secured, plain] : [plain, secured];
    const values = (one.values ?? []).map((value) =>
      value.replace('ETCD', etcd.endpoints[0] ?? '').replace('OTHER', other.endpoints[0] ?? ''),
    );
    const objects = await rendered(
      `--values=${valueSets.get(one.set) ?? assert.fail(one.set)}`,
      ...[...values, `etcd.prefix=/${one.set}`].map((value) => `--set=${value}`),
    );
    const files = await initFiles([`--server=${one.server}`, ...(one.init ?? [])]);
    const secrets: Readonly<Record<string, SecretFiles>> = {
      ...separate(files),
      ...renderedSecrets(objects),
      'etcd-client': tlsFiles(secured),
    };
    return InstalledPlane.create({
      objects,
      secret: async (name) => secrets[name] ?? files,
      ports: one.ports ?? defaultPorts,
      server: one.server,
    });
  }

  for (const one of cases)
    it(`both programs become ready with the ${one.set} values`, async () => {
      await using plane = await planeOf(one);
      if (one.etcd === 'bundled') await plane.startEtcd();
      await plane.startProgram('apiserver');
      if (one.hasControllers !== false) await plane.startProgram('controllers');
    });

  it('a replica serves the console where it is on, and becomes unready after a stop signal before it ends', async () => {
    const small = cases.find(({ set }) => set === 'small') ?? assert.fail();
    const values = [...(small.values ?? []), 'apiServer.shutdownDelaySeconds=1', 'apiServer.console=true'];
    await using plane = await planeOf({ ...small, values });
    const server = await plane.startProgram('apiserver');
    assert.deepEqual(await plane.consolePage(), [200, 'text/html; charset=utf-8']);
    const ended = server.stop('SIGTERM');
    await poll('the replica is unready', 10_000, async () => (await plane.readiness('apiserver')) === 500);
    assert.deepEqual(await ended, { code: 0, signal: null });
  });
});
