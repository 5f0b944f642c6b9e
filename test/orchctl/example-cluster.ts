import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Names, namesFor } from '@orch/machinery';
import { until } from '@orch/machinery/testing';
import { encodeYaml, parseYaml } from '@orch/machinery/yaml';
import { testCertificate } from '@orch/pki/x509/testing';
import { type NodeCluster, nodeCluster } from './node-cluster.ts';

const names: Names = namesFor('orch');
const core = '/api/v1/namespaces';

const podSpec = {
  nodeName: 'n',
  terminationGracePeriodSeconds: 0,
  containers: [{ name: 'main', image: 'example.com/web:1' }],
};
const webPod = {
  ...{ apiVersion: 'v1', kind: 'Pod' },
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: podSpec,
};
const webDeployment = {
  metadata: { name: 'web' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: podSpec.containers } },
  },
};
const webService = {
  metadata: { name: 'web' },
  spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80 }] },
};
const smallWidget = {
  ...{ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'small' }, spec: { size: 1 } },
};
const widgets = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    ...{
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
    },
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true },
        schema: {
          openAPIV3Schema: { type: 'object', 'x-orch-preserve-unknown-fields': true },
        },
      },
    ],
  },
};
const ingress = (version: string) => ({
  ...{ apiVersion: `${names.group('networking')}/${version}`, kind: 'Ingress', metadata: { name: 'web' } },
  spec: { backend: { serviceName: 'web', servicePort: 80 } },
});
const cronJob = {
  ...{ apiVersion: 'batch/v1beta1', kind: 'CronJob', metadata: { name: 'nightly' } },
  spec: {
    schedule: '0 3 * * *',
    jobTemplate: {
      spec: { template: { spec: { restartPolicy: 'Never', containers: podSpec.containers } } },
    },
  },
};
const role = {
  ...{ apiVersion: `${names.group('rbac')}/v1`, kind: 'Role', metadata: { name: 'readers' } },
  rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
};

/** A cluster for the examples in the help: objects, files, a client configuration and a plugin. */
export async function exampleCluster(): Promise<NodeCluster> {
  const cluster = await nodeCluster('orch', () => 1, {
    args: ['--history-retention=1h'],
    runOther(argv, streams) {
      if (!['date', 'sh'].includes(argv[0] ?? '')) return false;
      streams.out(Buffer.from('ran\n'));
      streams.finish({ metadata: {}, status: 'Success' });
      return true;
    },
  });
  // No agent would end these when they are deleted.
  for (const name of ['one', 'two'])
    await cluster.server.client.delete(`${core}/default/pods/${name}?gracePeriodSeconds=0`);
  for (const name of ['dev', 'prod', 'shop']) await put(cluster, core, { metadata: { name } });
  await put(cluster, `/apis/${names.group('apiextensions')}/v1/customresourcedefinitions`, widgets);
  const served = '/apis/example.com/v1/namespaces/default/widgets';
  await until(async () => (await cluster.server.client.get(served)).status === 200, 'widgets are served');
  return cluster;
}

async function put({ server }: NodeCluster, path: string, body: object): Promise<void> {
  const { status, text } = await server.client.post(path, body);
  assert.ok(status === 201 || status === 409, text);
}

/** Restores the objects of the examples, which earlier ones may have changed or deleted. */
export async function restoreObjects(cluster: NodeCluster): Promise<void> {
  const { client } = cluster.server;
  const space = `${core}/default`;
  const restorePod = async (): Promise<void> => {
    await client.delete(`${space}/pods/web`);
    await put(cluster, `${space}/pods`, webPod);
    const conditions = [{ type: 'Ready', status: 'True' }];
    const running = { ...webPod, status: { phase: 'Running', conditions } };
    const { status, text } = await client.put(`${space}/pods/web/status`, running);
    assert.equal(status, 200, text);
  };
  const restoreDeployment = async (): Promise<void> => {
    await client.delete('/apis/apps/v1/namespaces/default/deployments/web');
    await put(cluster, '/apis/apps/v1/namespaces/default/deployments', webDeployment);
  };
  await Promise.all([
    restorePod(),
    restoreDeployment(),
    put(cluster, `${space}/services`, webService),
    put(cluster, `${space}/configmaps`, { metadata: { name: 'app' }, data: { a: 'b' } }),
    put(cluster, '/apis/example.com/v1/namespaces/default/widgets', smallWidget),
  ]);
}

/** Writes the files of the examples. */
export function writeExampleFiles({ folder, server }: NodeCluster): void {
  const { cert, key } = testCertificate({ commonName: 'ann', use: 'client' });
  const files: Readonly<Record<string, string>> = {
    'pod.yaml': encodeYaml(webPod),
    'manifests/pod.yaml': encodeYaml(webPod),
    'roles.yaml': encodeYaml(role),
    'ingress.yaml': encodeYaml(ingress('v1beta1')),
    'cronjob.yaml': encodeYaml(cronJob),
    ...{ 'ca.crt': cert, 'a.crt': cert, 'a.key': key },
    'plugins/orchctl-hello': '#!/bin/sh\n',
    config: configText(server.adminConfig),
  };
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  chmodSync(join(folder, 'plugins', 'orchctl-hello'), 0o755);
}

/** The configuration of the administrator with further contexts, clusters and users. */
function configText(adminConfig: string): string {
  const config = parseYaml(readFileSync(adminConfig)) as {
    readonly clusters: readonly { readonly name: string; readonly cluster: object }[];
    readonly contexts: readonly { readonly name: string; readonly context: object }[];
    readonly users: readonly { readonly name: string; readonly user: object }[];
  };
  const context = config.contexts[0]?.context ?? {};
  const others = ['old', 'dev', 'production'];
  return encodeYaml({
    ...config,
    contexts: [...config.contexts, ...others.map((name) => ({ name, context }))],
    clusters: [
      ...config.clusters,
      ...['old', 'local'].map((name) => ({ name, cluster: { server: 'https://x' } })),
    ],
    users: [...config.users, { name: 'old', user: {} }],
  });
}
