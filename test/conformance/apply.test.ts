import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type LaunchedServer, launchServer, representativeKubectls } from '@orch/testkit';
import { KubectlSession } from './kubectl-session.ts';

/**
 * Every way of writing that kubectl knows, with the real program in the oldest and the newest release that is on this machine: both forms of
 * apply, three-way merges, patches, edits, and the commands that read what was applied.
 */

const root = join(import.meta.dirname, '..', '..');
const kubectls = await representativeKubectls(root);

const deployment = (image: string, spec: object = {}): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image, ports: [{ containerPort: 80 }] }] },
    },
    ...spec,
  },
});

const map = (name: string, data: Record<string, string>, labels: Record<string, string> = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels },
  data,
});

interface Owned {
  readonly metadata: {
    readonly managedFields?: readonly {
      readonly manager: string;
      readonly operation: string;
      readonly subresource?: string;
    }[];
  };
}

const managers = ({ metadata }: Owned): string[] =>
  (metadata.managedFields ?? []).map(({ manager, operation, subresource }) =>
    [manager, operation, subresource].filter((part) => part !== undefined).join(' '),
  );

if (kubectls.length === 0) {
  describe('writes of kubectl', () => {
    it.skip('kubectl writes in every way: no kubectl on this machine', () => {});
  });
}

for (const kubectl of kubectls) {
  describe(`writes of kubectl ${kubectl.release}`, { timeout: 300_000 }, () => {
    let server: LaunchedServer;
    let home: string;
    let count = 0;
    before(async () => {
      home = mkdtempSync(join(tmpdir(), 'orch-apply-'));
      server = await launchServer({ args: ['--naming=kubernetes', '--emulated-version=1.24'] });
    });
    after(async () => {
      await server[Symbol.asyncDispose]();
      rmSync(home, { recursive: true, force: true });
    });
    const open = (): Promise<KubectlSession> => KubectlSession.open(kubectl, server, home, `t${count++}`);

    it(`kubectl ${kubectl.release} apply creates, leaves unchanged and updates objects, removes omitted fields and keeps fields of others`, async () => {
      const k = await open();
      const manifest = deployment('nginx:1.24', { replicas: 2, minReadySeconds: 5 });
      assert.match(await k.apply(manifest), /deployment.apps\/web created/);
      assert.match(await k.apply(manifest), /deployment.apps\/web unchanged/);
      await k.ok('label', 'deployment', 'web', 'team=blue');
      assert.match(
        await k.apply(deployment('nginx:1.25', { replicas: 2 })),
        /deployment.apps\/web configured/,
      );
      const { spec, metadata } = await k.get('deployment', 'web');
      assert.equal(spec.template.spec.containers[0].image, 'nginx:1.25');
      assert.equal(spec.minReadySeconds, undefined);
      assert.deepEqual(metadata.labels, { app: 'web', team: 'blue' });
      assert.match(await k.ok('apply', 'view-last-applied', 'deployment/web'), /image: nginx:1\.25/);
    });

    it(`kubectl ${kubectl.release} apply edit-last-applied and set-last-applied write the last-applied annotation`, async () => {
      const k = await open();
      await k.okWith(map('m', { a: '1' }), 'create', '-f', '-');
      await k.okWith(map('m', { a: '1' }), 'apply', 'set-last-applied', '--create-annotation', '-f', '-');
      assert.match(await k.ok('apply', 'view-last-applied', 'configmap/m', '-o', 'json'), /"a": "1"/);
      const edited = await k.withEditor(
        'sed -i \'s/^  a:/  z:/\' "$1"',
        'apply',
        'edit-last-applied',
        'configmap/m',
      );
      assert.equal(edited.code, 0, edited.stderr);
      assert.match(await k.ok('apply', 'view-last-applied', 'configmap/m', '-o', 'json'), /"z": "1"/);
      assert.deepEqual((await k.get('configmap', 'm')).data, { a: '1' });
      await k.okWith(map('m', { a: '1' }), 'apply', 'set-last-applied', '-f', '-');
      await k.apply(map('m', { b: '2' }));
      assert.deepEqual((await k.get('configmap', 'm')).data, { b: '2' });
    });

    it(`kubectl ${kubectl.release} apply --server-side records owners, reports conflicts with their fields, and forces them`, async () => {
      const k = await open();
      const manifest = deployment('nginx:1.24', { replicas: 2 });
      assert.match(await k.apply(manifest, '--server-side'), /deployment.apps\/web serverside-applied/);
      assert.deepEqual(managers(await k.get('deployment', 'web')), ['kubectl Apply']);
      assert.match(await k.apply(manifest, '--server-side'), /deployment.apps\/web serverside-applied/);
      const other = deployment('nginx:1.25', { replicas: 3 });
      const refused = await k.expect(
        1,
        ['apply', '--server-side', '--field-manager=other', '-f', '-'],
        other,
      );
      assert.match(refused.stderr, /Apply failed with 2 conflicts: conflicts with "kubectl"/);
      assert.match(refused.stderr, /- \.spec\.replicas/);
      assert.match(refused.stderr, /- \.spec\.template\.spec\.containers\[name="web"\]\.image/);
      await k.apply(other, '--server-side', '--field-manager=other', '--force-conflicts');
      const forced = await k.get('deployment', 'web');
      assert.equal(forced.spec.replicas, 3);
      assert.deepEqual(managers(forced), ['kubectl Apply', 'other Apply']);
    });

    // The releases between the oldest and the newest write in the same ways.
    if (kubectl !== kubectls[0] && kubectl !== kubectls.at(-1)) return;

    it(`kubectl ${kubectl.release} apply --server-side after a client-side apply, and the reverse, have no conflicts`, async () => {
      const k = await open();
      await k.apply(map('m', { a: '1', b: '2' }));
      await k.apply(map('m', { a: '3' }), '--server-side');
      const { data, metadata } = await k.get('configmap', 'm');
      assert.equal(data.a, '3');
      const annotation = metadata.annotations['kubectl.kubernetes.io/last-applied-configuration'];
      assert.deepEqual(JSON.parse(annotation).data, { a: '3' });
      // And back again.
      await k.apply(map('m', { a: '4' }));
      assert.equal((await k.get('configmap', 'm')).data.a, '4');
    });

    it(`kubectl ${kubectl.release} apply --prune deletes objects that are no longer among the manifests`, async () => {
      const k = await open();
      const list = (...items: object[]): object => ({ apiVersion: 'v1', kind: 'List', items });
      const labels = { set: 'one' };
      await k.apply(list(map('a', { k: '1' }, labels), map('b', { k: '1' }, labels)));
      await k.apply(
        list(map('a', { k: '2' }, labels)),
        '--prune',
        '-l',
        'set=one',
        ...(k.minor >= 26
          ? ['--prune-allowlist=core/v1/ConfigMap']
          : ['--prune-whitelist=core/v1/ConfigMap']),
      );
      assert.equal((await k.ok('get', 'configmaps', '-l', 'set=one', '-o', 'name')).trim(), 'configmap/a');
    });

    it(`kubectl ${kubectl.release} diff shows changes and writes nothing`, async () => {
      const k = await open();
      await k.apply(map('m', { a: '1' }));
      await k.expect(0, ['diff', '-f', '-'], map('m', { a: '1' }));
      for (const mode of [[], ['--server-side', '--force-conflicts']]) {
        const { stdout } = await k.expect(1, ['diff', ...mode, '-f', '-'], map('m', { a: '2' }));
        assert.match(stdout, /^\+ {2}a: "2"$/m, mode.join(' '));
        assert.match(stdout, /^- {2}a: "1"$/m, mode.join(' '));
      }
      const absent = await k.expect(1, ['diff', '-f', '-'], map('other', { a: '2' }));
      assert.match(absent.stdout, /\+ {2}a: "2"/);
      assert.equal((await k.get('configmap', 'm')).data.a, '1');
    });

    it(`kubectl ${kubectl.release} edit writes the edited object with its own field manager`, async () => {
      const k = await open();
      await k.apply(map('m', { a: 'before' }));
      const edited = await k.edit('sed -i "s/a: before/a: after/" "$1"', 'configmap', 'm');
      assert.equal(edited.code, 0, edited.stderr);
      const { data, metadata } = await k.get('configmap', 'm');
      assert.equal(data.a, 'after');
      assert.ok(
        managers({ metadata }).includes('kubectl-edit Update'),
        JSON.stringify(metadata.managedFields),
      );
    });

    it(`kubectl ${kubectl.release} patch applies strategic, merge and JSON patches`, async () => {
      const k = await open();
      await k.apply(deployment('nginx:1.24', { replicas: 1 }));
      const patch = (type: string, body: unknown): Promise<string> =>
        k.ok('patch', 'deployment', 'web', `--type=${type}`, '-p', JSON.stringify(body));
      const container = { name: 'side', image: 'envoy:1' };
      await patch('strategic', { spec: { template: { spec: { containers: [container] } } } });
      await patch('merge', { spec: { replicas: 3 } });
      await patch('json', [
        { op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'envoy:2' },
      ]);
      const { spec } = await k.get('deployment', 'web');
      assert.equal(spec.replicas, 3);
      assert.deepEqual(
        spec.template.spec.containers.map(({ image }: { image: string }) => image),
        ['envoy:2', 'nginx:1.24'],
      );
      assert.match(await patch('merge', { spec: { replicas: 3 } }), /patched \(no change\)/);
    });

    it(`kubectl ${kubectl.release} set changes image, environment, resources and service account of a deployment`, async () => {
      const k = await open();
      await k.apply(deployment('nginx:1.24'));
      await k.ok('set', 'image', 'deployment/web', 'web=nginx:1.26');
      await k.ok('set', 'env', 'deployment/web', 'MODE=fast');
      await k.ok('set', 'resources', 'deployment/web', '--limits=cpu=200m,memory=64Mi');
      await k.ok('set', 'serviceaccount', 'deployment/web', 'runner');
      const { spec, metadata } = await k.get('deployment', 'web');
      const pod = spec.template.spec;
      assert.equal(pod.containers[0].image, 'nginx:1.26');
      assert.deepEqual(pod.containers[0].env, [{ name: 'MODE', value: 'fast' }]);
      assert.deepEqual(pod.containers[0].resources, { limits: { cpu: '200m', memory: '64Mi' } });
      assert.equal(pod.serviceAccountName, 'runner');
      assert.ok(managers({ metadata }).includes('kubectl-set Update'), managers({ metadata }).join());
    });

    it(`kubectl ${kubectl.release} rollout history shows the revisions of a deployment`, async () => {
      const k = await open();
      await k.apply(deployment('nginx:1.24'));
      const { metadata, spec } = await k.get('deployment', 'web');
      const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: metadata.uid };
      for (const [revision, cause] of [
        ['1', 'first'],
        ['2', 'second'],
      ] as const) {
        const annotations = {
          'deployment.kubernetes.io/revision': revision,
          'kubernetes.io/change-cause': cause,
        };
        const labels = { app: 'web', 'pod-template-hash': revision };
        const template = { ...spec.template, metadata: { labels } };
        await k.okWith(
          {
            apiVersion: 'apps/v1',
            kind: 'ReplicaSet',
            metadata: {
              name: `web-${revision}`,
              labels,
              annotations,
              ownerReferences: [{ ...owner, controller: true }],
            },
            spec: { replicas: 0, selector: { matchLabels: labels }, template },
          },
          'create',
          '-f',
          '-',
        );
      }
      const history = await k.ok('rollout', 'history', 'deployment/web');
      assert.match(history, /1\s+first\n2\s+second/);
      assert.match(
        await k.ok('rollout', 'history', 'deployment/web', '--revision=2'),
        /revision #2[\s\S]*nginx:1\.24/,
      );
    });

    it(`kubectl ${kubectl.release} rollout pauses, resumes and restarts a deployment`, async () => {
      const k = await open();
      await k.apply(deployment('nginx:1.24'));
      await k.ok('rollout', 'pause', 'deployment/web');
      assert.equal((await k.get('deployment', 'web')).spec.paused, true);
      await k.ok('rollout', 'resume', 'deployment/web');
      assert.equal((await k.get('deployment', 'web')).spec.paused, undefined);
      await k.ok('rollout', 'restart', 'deployment/web');
      const { spec, metadata } = await k.get('deployment', 'web');
      assert.ok(spec.template.metadata.annotations['kubectl.kubernetes.io/restartedAt']);
      assert.ok(managers({ metadata }).includes('kubectl-rollout Update'), managers({ metadata }).join());
    });

    it(`kubectl ${kubectl.release} scale, annotate and label write with separate field managers`, async () => {
      const k = await open();
      await k.apply(deployment('nginx:1.24', { replicas: 1 }), '--server-side');
      await k.ok('scale', 'deployment/web', '--replicas=4');
      await k.ok('annotate', 'deployment/web', 'note=x');
      await k.ok('label', 'deployment/web', 'tier=front');
      const object = await k.get('deployment', 'web');
      assert.deepEqual(
        [object.spec.replicas, object.metadata.annotations.note, object.metadata.labels.tier],
        [4, 'x', 'front'],
      );
      const found = managers(object);
      // The user agent of a program begins with the name of its file.
      assert.ok(
        found.some((manager) => /^kubectl\S* Update scale$/.test(manager)),
        found.join(),
      );
      for (const expected of ['kubectl-annotate Update', 'kubectl-label Update'])
        assert.ok(found.includes(expected), `${expected} is not among ${found.join()}`);
    });

    it(`kubectl ${kubectl.release} writes nothing with --dry-run=server`, async () => {
      const k = await open();
      const created = await k.okWith(
        map('m', { a: '1' }),
        'create',
        '--dry-run=server',
        '-o',
        'json',
        '-f',
        '-',
      );
      assert.ok(JSON.parse(created).metadata.uid);
      await k.apply(map('m', { a: '1' }), '--dry-run=server');
      await k.apply(map('m', { a: '1' }), '--server-side', '--dry-run=server');
      assert.equal((await k.ok('get', 'configmap', 'm', '--ignore-not-found')).trim(), '');
      await k.apply(map('m', { a: '1' }));
      await k.ok('patch', 'configmap', 'm', '--dry-run=server', '-p', '{"data":{"a":"2"}}');
      await k.ok('delete', 'configmap', 'm', '--dry-run=server');
      assert.equal((await k.get('configmap', 'm')).data.a, '1');
    });

    it(`kubectl ${kubectl.release} get hides managedFields unless they are requested`, async () => {
      const k = await open();
      await k.apply(map('m', { a: '1' }), '--server-side');
      const plain = JSON.parse(await k.ok('get', 'configmap', 'm', '-o', 'json'));
      assert.equal(plain.metadata.managedFields === undefined, k.minor >= 21);
      assert.deepEqual(managers(await k.get('configmap', 'm')), ['kubectl Apply']);
    });

    it(`kubectl ${kubectl.release} replace updates an object, replace --force recreates it, and delete --cascade=orphan adds the finalizer orphan`, async () => {
      const k = await open();
      await k.okWith(map('m', { a: '1' }), 'create', '-f', '-');
      await k.okWith(map('m', { a: '2' }), 'replace', '-f', '-');
      assert.equal((await k.get('configmap', 'm')).data.a, '2');
      await k.okWith(map('m', { a: '3' }), 'replace', '--force', '-f', '-');
      assert.equal((await k.get('configmap', 'm')).data.a, '3');
      await k.ok('delete', 'configmap', 'm', '--cascade=orphan', '--wait=false');
      const { metadata } = await k.get('configmap', 'm');
      assert.deepEqual(metadata.finalizers, ['orphan']);
      await k.ok(
        'patch',
        'configmap',
        'm',
        '--type=json',
        '-p',
        '[{"op":"remove","path":"/metadata/finalizers"}]',
      );
      assert.equal((await k.ok('get', 'configmap', 'm', '--ignore-not-found')).trim(), '');
    });
  });
}
