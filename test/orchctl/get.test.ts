import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type CommandCluster, commandCluster } from './cluster.ts';

const map = (name: string, data: object, labels: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', labels },
  data,
});

const pod = (name: string, app: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', labels: { app, tier: 'back' } },
  spec: { containers: [{ name: 'c', image: 'example.com/image:1' }] },
});

async function prepare({ server, folder }: CommandCluster): Promise<void> {
  const post = async (path: string, body: object) => {
    const { status } = await server.client.post(path, body);
    assert.equal(status, 201);
  };
  await post('/api/v1/namespaces/default/configmaps', map('first', { key: 'a', size: '10' }, { app: 'x' }));
  await post('/api/v1/namespaces/default/configmaps', map('second', { key: 'b c', size: '9' }, { app: 'y' }));
  await post('/api/v1/namespaces/default/pods', pod('web', 'x'));
  await post('/api/v1/namespaces/default/pods', pod('api-server-with-a-long-name', 'y'));
  await post('/apis/apps/v1/namespaces/default/deployments', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      selector: { matchLabels: { app: 'x' } },
      template: { metadata: { labels: { app: 'x' } }, spec: pod('', '').spec },
    },
  });
  const event = (name: string, times: object) => ({
    metadata: { name, namespace: 'default' },
    involvedObject: { apiVersion: 'v1', kind: 'Pod', name: 'web', namespace: 'default' },
    ...{ reason: 'Started', message: name, type: 'Normal', action: 'Start' },
    ...{ reportingComponent: 'test', reportingInstance: 'one' },
    ...times,
  });
  const events = '/api/v1/namespaces/default/events';
  await post(events, event('early', { lastTimestamp: '2026-01-01T00:00:00Z' }));
  await post(events, event('late', { lastTimestamp: '2026-02-01T00:00:00Z' }));
  await post(events, event('without', { eventTime: '2026-01-15T00:00:00.000000Z' }));
  writeFileSync(join(folder, 'map.yaml'), JSON.stringify(map('first', {})));
  writeFileSync(
    join(folder, 'stream.json'),
    `${JSON.stringify(map('first', {}))}${JSON.stringify(map('second', {}), undefined, 2)}\n`,
  );
}

/** Command lines whose output must be that of kubectl. */
const sameOutput: readonly string[] = [
  'get pods',
  'get pods -o wide',
  'get po,deploy',
  'get all',
  'get all --no-headers',
  'get deployments.apps web',
  'get deployments.v1.apps/web',
  'get pod/web deployment/web',
  'get pods web missing',
  'get pods missing --ignore-not-found',
  'get pods missing',
  'get pods -l app=x --show-labels',
  'get pods -L app,tier,none',
  'get pods --show-kind',
  'get pods -A',
  'get pods --no-headers -A',
  'get pods -n empty',
  'get pods -l app=none',
  'get pods --field-selector=metadata.name=web',
  'get pods --sort-by=.metadata.name',
  'get cm --sort-by=.data.size -l app',
  'get pods -o name',
  'get all -o name',
  'get pods -o json',
  'get pod web -o json',
  'get pod web -ojson --show-managed-fields',
  'get cm -l app -o jsonpath={.items[*].metadata.name}',
  'get cm -l app -o jsonpath={range.items[*]}{.metadata.name}{"\\t"}{.data.key}{"\\n"}{end}',
  'get pod web -o jsonpath={.spec.containers[?(@.name=="c")].image}',
  'get pod web -o jsonpath={.metadata.labels}',
  'get pod web -o jsonpath={.metadata.missing}',
  'get pod web -o jsonpath-as-json={.metadata.labels}',
  'get cm -l app -o custom-columns=NAME:.metadata.name,KEY:.data.key,NONE:.data.none',
  'get cm -l app -o custom-columns=NAME:metadata.name,SIZE:.data.size --no-headers',
  'get deployment web --subresource=status',
  'get deployment web --subresource=scale',
  'get deployment --subresource=scale',
  'get pods --server-print=false',
  'get pods,deployments -A --server-print=false --show-labels',
  'get deployment web --sort-by=.metadata.none',
  'get pods --request-timeout=30',
  'get pods -w missing',
  'get pods,deployments -w',
  'get --raw /none',
  'get --raw readyz',
  'get --raw /readyz pods',
  'get -f map.yaml',
  'get -f map.yaml -o name',
  'get ns,nodes',
  'get --raw /readyz',
  'get --raw /api/v1/namespaces/default',
  'get pods --chunk-size=1',
  'get nosuchtype',
  'get pods pod/web',
  'get pods -o xml',
  'get pods --cache-dir=cache',
  'api-resources -o name --cached',
  'api-resources surplus',
  'api-versions surplus',
  'version surplus',
  'config view surplus',
  'auth whoami surplus',
  'plugin list surplus',
  'get cm -l =app',
  'get clusterroles',
  'get events --sort-by=.lastTimestamp',
  'get pods -o JSON',
  'get pods -o Name',
  'get pod web -o jsonpath-as-json={.spec}',
  'get pod web -o jsonpath=.metadata.name',
  'get pods -o custom-columns=NAME:.metadata.name,LABELS:.metadata.labels,SPEC:.spec.containers',
  'get pods missing none --ignore-not-found -o yaml',
  'get -f stream.json',
  'get --raw /readyz -o json',
  'api-resources --api-group=',
];

describe('orchctl get compared with kubectl get', () => {
  let cluster: CommandCluster;
  before(async () => {
    cluster = await commandCluster('kubernetes');
    await prepare(cluster);
  });
  after(() => cluster[Symbol.asyncDispose]());

  /** Ages differ by the time between the two runs. */
  const comparable = (text: string): string =>
    text.replace(/(?<= )\d+(?:s|m|m\d+s)(?=\s) */g, 'AGE ').replaceAll('kubectl', 'orchctl');

  for (const line of sameOutput)
    it(`"${line}" prints what kubectl prints`, async () => {
      const argv = line.split(' ').map((word) => word.replaceAll('\\n', '\\n'));
      const [own, other] = await Promise.all([cluster.orchctl(argv), cluster.kubectl(argv)]);
      assert.equal(comparable(own.out), comparable(other.out), other.err);
      assert.equal(own.status === 0, other.status === 0, own.err);
      if (other.status === 0) assert.equal(comparable(own.err), comparable(other.err));
    });
});
