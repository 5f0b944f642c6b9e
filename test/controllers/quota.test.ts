import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { namings } from '@orch/machinery';
import { eventually } from '@orch/machinery/testing';
import { representativeKubectls, run } from '@orch/testkit';
import { expectCode, podObject } from '../api/fixture.ts';
import { type Controlled, controlled } from './roles-fixture.ts';

type Amounts = Readonly<Record<string, string>>;
interface Quota {
  readonly metadata: { readonly resourceVersion: string };
  readonly status: { readonly hard?: Amounts; readonly used?: Amounts };
}

const merge = { contentType: 'application/merge-patch+json' };

/** Operations of a test in its namespace. */
class Place {
  readonly #cluster: Controlled;
  readonly #namespace: string;

  constructor(cluster: Controlled, namespace: string) {
    this.#cluster = cluster;
    this.#namespace = namespace;
  }

  static async make(cluster: Controlled, namespace: string): Promise<Place> {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
    expectCode(201, await cluster.client.post('/api/v1/namespaces', body));
    return new Place(cluster, namespace);
  }

  path(resource: string, name = '', group = ''): string {
    const base = group === '' ? '/api/v1' : `/apis/${group}/v1`;
    return `${base}/namespaces/${this.#namespace}/${resource}${name === '' ? '' : `/${name}`}`;
  }

  async create(resource: string, object: object, group = ''): Promise<void> {
    expectCode(201, await this.#cluster.client.post(this.path(resource, '', group), object));
  }

  async remove(resource: string, name: string, group = ''): Promise<void> {
    const { status } = await this.#cluster.client.delete(
      `${this.path(resource, name, group)}?gracePeriodSeconds=0`,
    );
    assert.ok(status === 200 || status === 202, String(status));
  }

  async patch(path: string, body: object): Promise<void> {
    expectCode(200, await this.#cluster.client.send('PATCH', path, { ...merge, body }));
  }

  quota(name: string, hard: Amounts, rest: object = {}): Promise<void> {
    return this.create('resourcequotas', {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name },
      spec: { hard, ...rest },
    });
  }

  async seen(name: string): Promise<Quota> {
    return expectCode(200, await this.#cluster.client.get(this.path('resourcequotas', name))).json as Quota;
  }

  used(name: string, wanted: Amounts): Promise<Quota> {
    return eventually(
      () => this.seen(name),
      ({ status }) => Object.entries(wanted).every(([bound, amount]) => status.used?.[bound] === amount),
    );
  }
}

const pod = (name: string, requests: object = {}, spec: object = {}): object =>
  podObject(name, {}, { containers: [{ name: 'main', image: 'i', resources: { requests } }], ...spec });
const configMap = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

for (const naming of namings) {
  describe(`usage of quotas, ${naming}`, { timeout: 240_000 }, () => {
    let cluster: Controlled;
    let storage: string;

    before(async () => {
      cluster = await controlled({ naming });
      storage = cluster.names.group('storage');
      await cluster.run('resourcequota');
      // Deleted claims are kept until this controller finds that no pod uses them.
      await cluster.run('pvc-protection');
    });
    after(() => cluster[Symbol.asyncDispose]());

    it('quota usage counts pods, services, claims and objects under every resource name of a quota', async () => {
      const place = await Place.make(cluster, 'all');
      const hard = {
        pods: '10',
        'requests.cpu': '4',
        'limits.memory': '4Gi',
        services: '5',
        'services.nodeports': '5',
        'services.loadbalancers': '2',
        'requests.storage': '10Gi',
        [`gold.storageclass.${storage}/requests.storage`]: '5Gi',
        configmaps: '3',
        'count/deployments.apps': '2',
        'count/secrets': '4',
        'count/widgets.example.com': '1',
      };
      await place.quota('all', hard);
      const nothing = await place.used('all', { pods: '0', 'count/deployments.apps': '0' });
      assert.deepEqual(nothing.status.hard, hard);
      assert.deepEqual(
        Object.keys(nothing.status.used ?? {}).sort(),
        Object.keys(hard)
          .filter((name) => !name.includes('widgets'))
          .sort(),
      );

      const limits = { memory: '1Gi' };
      const resources = { requests: { cpu: '500m' }, limits };
      await place.create('pods', pod('one', {}, { containers: [{ name: 'c', image: 'i', resources }] }));
      await place.create(
        'pods',
        pod(
          'two',
          { cpu: '1' },
          {
            containers: [
              {
                name: 'c',
                image: 'i',
                resources: { requests: { cpu: '1' }, limits: { cpu: '2', memory: '1Gi' } },
              },
            ],
          },
        ),
      );
      await place.create('services', {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'lb' },
        spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
      });
      const claim = (name: string, storageClassName: string): object => ({
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name },
        spec: {
          storageClassName,
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '2Gi' } },
        },
      });
      await place.create('persistentvolumeclaims', claim('g', 'gold'));
      await place.create('persistentvolumeclaims', claim('s', 'silver'));
      await place.create('configmaps', configMap('c'));
      await place.create(
        'deployments',
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: 'd' },
          spec: {
            selector: { matchLabels: { a: 'b' } },
            template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
          },
        },
        'apps',
      );
      await place.used('all', {
        pods: '2',
        'requests.cpu': '1500m',
        'limits.memory': '2Gi',
        services: '1',
        'services.nodeports': '1',
        'services.loadbalancers': '1',
        'requests.storage': '4Gi',
        [`gold.storageclass.${storage}/requests.storage`]: '2Gi',
        configmaps: '1',
        'count/deployments.apps': '1',
        'count/secrets': '0',
      });

      await place.remove('pods', 'two');
      await place.patch(place.path('services', 'lb'), { spec: { type: 'ClusterIP' } });
      await place.remove('persistentvolumeclaims', 'g');
      await place.remove('deployments', 'd', 'apps');
      await place.patch(`${place.path('pods', 'one')}/status`, { status: { phase: 'Succeeded' } });
      await place.used('all', {
        pods: '0',
        'requests.cpu': '0',
        'limits.memory': '0',
        services: '1',
        'services.nodeports': '0',
        'services.loadbalancers': '0',
        'requests.storage': '2Gi',
        [`gold.storageclass.${storage}/requests.storage`]: '0',
        'count/deployments.apps': '0',
      });
    });

    it('quota usage counts pods by the scopes of the quota', async () => {
      const place = await Place.make(cluster, 'scopes');
      const classes = (values: string[]): object => ({
        scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values }] },
      });
      await place.quota('best', { pods: '5' }, { scopes: ['BestEffort'] });
      await place.quota(
        'ending',
        { pods: '5', 'requests.cpu': '5' },
        { scopes: ['Terminating', 'NotBestEffort'] },
      );
      await place.quota('critical', { pods: '5' }, classes(['system-cluster-critical']));
      await place.create('pods', pod('plain'));
      await place.create('pods', pod('ending', { cpu: '1' }, { activeDeadlineSeconds: 60 }));
      await place.create(
        'pods',
        pod('critical', { cpu: '1' }, { priorityClassName: 'system-cluster-critical' }),
      );
      await place.used('best', { pods: '1' });
      await place.used('ending', { pods: '1', 'requests.cpu': '1' });
      await place.used('critical', { pods: '1' });
      // A pod that is given a deadline later moves from one scope to another.
      await place.patch(place.path('pods', 'critical'), { spec: { activeDeadlineSeconds: 60 } });
      await place.used('ending', { pods: '2', 'requests.cpu': '2' });
    });

    it('quota usage is exact after concurrent creations and deletions by many writers', async () => {
      const place = await Place.make(cluster, 'busy');
      await place.quota('busy', { pods: '1k', 'requests.cpu': '1k', configmaps: '1k' });
      const writer = async (id: number): Promise<void> => {
        for (let i = 0; i < 12; i++) {
          await place.create('pods', pod(`p-${id}-${i}`, { cpu: '100m' }));
          await place.create('configmaps', configMap(`c-${id}-${i}`));
          if (i % 3 === 0) await place.remove('pods', `p-${id}-${i}`);
        }
      };
      await Promise.all(Array.from({ length: 12 }, (_, id) => writer(id)));
      await place.used('busy', { pods: '96', 'requests.cpu': '9600m', configmaps: '144' });
    });

    it('quota usage follows changes of the quota and omits resources that are no longer limited', async () => {
      const place = await Place.make(cluster, 'changing');
      await place.quota('q', { pods: '5' });
      await place.used('q', { pods: '0' });
      await place.patch(place.path('resourcequotas', 'q'), {
        spec: { hard: { pods: null, 'count/configmaps': '2' } },
      });
      await place.create('configmaps', configMap('c'));
      const { status } = await place.used('q', { 'count/configmaps': '1' });
      assert.deepEqual(status, { hard: { 'count/configmaps': '2' }, used: { 'count/configmaps': '1' } });
    });

    it('usage that a client has increased in advance is kept when another counted object is deleted', async () => {
      const place = await Place.make(cluster, 'ahead');
      await place.quota('q', { configmaps: '10' });
      await place.used('q', { configmaps: '0' });
      await place.create('configmaps', configMap('a'));
      await place.used('q', { configmaps: '1' });
      await place.patch(`${place.path('resourcequotas', 'q')}/status`, {
        status: { used: { configmaps: '5' } },
      });
      await place.create('configmaps', configMap('b'));
      await place.create('configmaps', configMap('c'));
      // Another quota that counted them both shows that they were seen.
      await place.quota('witness', { configmaps: '10' });
      await place.used('witness', { configmaps: '3' });
      assert.equal((await place.seen('q')).status.used?.['configmaps'], '7');
      await place.remove('configmaps', 'a');
      await place.used('q', { configmaps: '6' });
    });
  });
}

describe('usage of quotas over time', { timeout: 240_000 }, () => {
  let cluster: Controlled;
  before(async () => {
    cluster = await controlled();
  });
  after(() => cluster[Symbol.asyncDispose]());

  it('the periodic resync corrects wrong quota usage and does not write correct usage', async () => {
    await cluster.run('resourcequota', { resourceQuota: { resyncMs: 300 } });
    const place = await Place.make(cluster, 'resync');
    await place.quota('wrong', { configmaps: '9' });
    await place.quota('right', { configmaps: '9' });
    const right = await place.used('right', { configmaps: '0' });
    for (const lie of ['7', '3']) {
      await place.used('wrong', { configmaps: '0' });
      await place.patch(`${place.path('resourcequotas', 'wrong')}/status`, {
        status: { used: { configmaps: lie } },
      });
    }
    await place.used('wrong', { configmaps: '0' });
    assert.equal((await place.seen('right')).metadata.resourceVersion, right.metadata.resourceVersion);
    await cluster.stop();
  });

  it('failed creations take no quota, and a usage that is too high is corrected when the controller starts and by its periodic count', async () => {
    const place = await Place.make(cluster, 'failing');
    const again = async (code: number): Promise<void> => {
      expectCode(code, await cluster.client.post(place.path('configmaps'), configMap('a')));
    };
    const overstate = async (): Promise<void> => {
      const { metadata: _, ...found } = await place.seen('q');
      const status = { hard: { configmaps: '3' }, used: { configmaps: '3' } };
      const body = { ...found, metadata: { name: 'q' }, status };
      expectCode(200, await cluster.client.put(`${place.path('resourcequotas')}/q/status`, body));
    };
    await cluster.run('resourcequota');
    await place.quota('q', { configmaps: '3' });
    await place.used('q', { configmaps: '0' });
    await cluster.stop();
    await place.create('configmaps', configMap('a'));
    await again(409);
    await again(409);
    assert.equal((await place.seen('q')).status.used?.['configmaps'], '1');
    await overstate();
    await again(403);
    await cluster.run('resourcequota', { resourceQuota: { resyncMs: 300 } });
    await place.used('q', { configmaps: '1' });
    await overstate();
    await place.used('q', { configmaps: '1' });
    await place.create('configmaps', configMap('b'));
    await cluster.stop();
  });

  it('quota usage includes changes from before the controller has started', async () => {
    const place = await Place.make(cluster, 'away');
    await place.quota('q', { configmaps: '9', pods: '9' });
    await place.create('configmaps', configMap('a'));
    await place.create('pods', pod('p'));
    await cluster.run('resourcequota');
    await place.used('q', { configmaps: '1', pods: '1' });
    await cluster.stop();
    await place.remove('configmaps', 'a');
    await cluster.run('resourcequota');
    await place.used('q', { configmaps: '0', pods: '1' });
    await cluster.stop();
  });
});

const root = join(import.meta.dirname, '..', '..');
const kubectls = await representativeKubectls(root);
if (kubectls.length === 0) {
  describe('kubectl describe quota', () => {
    it.skip('kubectl describe shows quota usage: no kubectl on this machine', () => {});
  });
} else {
  describe('kubectl describe quota', { timeout: 240_000 }, () => {
    const home = mkdtempSync(join(tmpdir(), 'kubectl-quota-'));
    let cluster: Controlled;
    before(async () => {
      cluster = await controlled();
      await cluster.run('resourcequota');
      const place = await Place.make(cluster, 'shown');
      await place.quota(
        'compute',
        { pods: '4', 'requests.cpu': '2', 'count/configmaps': '5' },
        { scopes: [] },
      );
      await place.create('configmaps', configMap('c'));
      await place.create('pods', pod('p', { cpu: '250m' }));
      await place.used('compute', { pods: '1', 'requests.cpu': '250m', 'count/configmaps': '1' });
    });
    after(async () => {
      await cluster[Symbol.asyncDispose]();
      rmSync(home, { recursive: true, force: true });
    });

    for (const kubectl of kubectls) {
      it(`kubectl ${kubectl.release} describe quota and describe namespace show quota usage`, async () => {
        const kube = (...args: string[]) =>
          run(kubectl.path, args, { env: { KUBECONFIG: cluster.server.adminConfig, HOME: home } });
        const described = await kube('-n', 'shown', 'describe', 'quota');
        assert.equal(described.code, 0, described.stderr);
        assert.match(described.stdout, /pods\s+1\s+4\n/);
        assert.match(described.stdout, /requests\.cpu\s+250m\s+2\n/);
        assert.match(described.stdout, /count\/configmaps\s+1\s+5\n/);
        const ofNamespace = await kube('describe', 'namespace', 'shown');
        assert.match(ofNamespace.stdout, /Resource Quotas/);
        assert.match(ofNamespace.stdout, /requests\.cpu\s+250m\s+2\n/);
      });
    }
  });
}
