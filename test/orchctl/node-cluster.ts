import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Naming, namesFor } from '@orch/machinery';
import { testCertificate } from '@orch/pki/x509/testing';
import { type NodeAgent, type NodeAgentOptions, startNodeAgent, temporaryFolder } from '@orch/testkit';
import { type CommandCluster, commandCluster } from './cluster.ts';

/** A cluster with a node whose agent runs in this process, and the pods `one` (container `c`) and `two` (`a`, `b`). */
export interface NodeCluster extends CommandCluster {
  readonly agent: NodeAgent;
}

const pod = (name: string, containers: readonly string[]) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', labels: { app: 'web', name } },
  spec: {
    nodeName: 'n',
    containers: containers.map((one) => ({
      name: one,
      image: 'x',
      ports: [{ name: `http-${one}`, containerPort: 80 }],
    })),
  },
  status: { phase: 'Running', podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] },
});

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    selector: { matchLabels: { name: 'one' } },
    template: { metadata: { labels: { name: 'one' } }, spec: { containers: [{ name: 'c', image: 'x' }] } },
  },
};

const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'default' },
  spec: { selector: { name: 'one' }, ports: [{ name: 'http', port: 8080, targetPort: 'http-c' }] },
};

interface NodeClusterOptions {
  readonly runOther?: NonNullable<NodeAgentOptions['runOther']>;
  /** Further flags of the server. */
  readonly args?: readonly string[];
}

/** `portOf`: where ports of pods are on this machine. */
export async function nodeCluster(
  naming: Naming,
  portOf: (port: number) => number,
  { runOther = () => false, args = [] }: NodeClusterOptions = {},
): Promise<NodeCluster> {
  const names = namesFor(naming);
  const authority = testCertificate({ commonName: 'nodes', use: 'authority' });
  const serving = testCertificate({ commonName: 'agent', use: 'server' }, authority);
  const client = testCertificate({ commonName: 'api', use: 'client' }, authority);
  using temporary = temporaryFolder();
  const folder = temporary.path;
  for (const [name, text] of Object.entries({ ca: authority.cert, cert: client.cert, key: client.key }))
    writeFileSync(join(folder, name), text);
  const agent = await startNodeAgent({ names, ...serving, clientCa: authority.cert, portOf, runOther });
  const cluster = await commandCluster(naming, {
    args: [
      ...args,
      `--nodeagent-certificate-authority=${folder}/ca`,
      `--nodeagent-client-certificate=${folder}/cert`,
      `--nodeagent-client-key=${folder}/key`,
    ],
  });
  const put = async (path: string, object: { metadata: { name: string }; status?: object }) => {
    const made = await cluster.server.client.post(path, object);
    assert.equal(made.status, 201, made.text);
    if (object.status === undefined) return;
    const set = await cluster.server.client.put(`${path}/${object.metadata.name}/status`, object);
    assert.equal(set.status, 200, set.text);
  };
  await put('/api/v1/nodes', {
    ...{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } },
    status: {
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { [names.field('nodeagentEndpoint')]: { Port: agent.port } },
    },
  });
  for (const one of [pod('one', ['c']), pod('two', ['a', 'b'])])
    await put('/api/v1/namespaces/default/pods', one);
  await put('/apis/apps/v1/namespaces/default/deployments', deployment);
  await put('/api/v1/namespaces/default/services', service);
  return {
    ...cluster,
    agent,
    async [Symbol.asyncDispose]() {
      await cluster[Symbol.asyncDispose]();
      await agent[Symbol.asyncDispose]();
    },
  };
}
