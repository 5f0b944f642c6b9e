import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { LATEST, NEWEST_RELEASE } from '@orch/apis';
import {
  type CommandResult,
  findKubectls,
  type Kubectl,
  type LaunchedServer,
  launchServer,
  run,
  start,
} from '@orch/testkit';

const root = join(import.meta.dirname, '..', '..');
const kubectls = await findKubectls(root);

const podManifest = (name: string, labels: Record<string, string> = {}, graceSeconds = 30): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels },
  spec: {
    terminationGracePeriodSeconds: graceSeconds,
    containers: [{ name: 'web', image: 'nginx:1.25', ports: [{ containerPort: 80 }] }],
  },
});

/** kubectl bound to one server and one namespace. */
class Session {
  readonly #kubectl: Kubectl;
  readonly #env: NodeJS.ProcessEnv;
  readonly namespace: string;

  constructor(kubectl: Kubectl, server: LaunchedServer, home: string) {
    this.#kubectl = kubectl;
    this.namespace = `k${kubectl.release.replace('.', '-')}`;
    // A separate home folder, since the discovery cache of another server or release must not be used.
    this.#env = { KUBECONFIG: server.adminConfig, HOME: join(home, this.namespace) };
  }

  env(): NodeJS.ProcessEnv {
    return { ...process.env, ...this.#env };
  }

  path(): string {
    return this.#kubectl.path;
  }

  raw(
    args: readonly string[],
    options: { input?: string; env?: NodeJS.ProcessEnv } = {},
  ): Promise<CommandResult> {
    return run(this.#kubectl.path, args, { ...options, env: { ...this.#env, ...options.env } });
  }

  /** Runs a command that must succeed, and returns what it prints. */
  async ok(...args: string[]): Promise<string> {
    return this.okWith({}, ...args);
  }

  async okWith(options: { input?: string; env?: NodeJS.ProcessEnv }, ...args: string[]): Promise<string> {
    const result = await this.raw(['-n', this.namespace, ...args], options);
    assert.equal(result.code, 0, `kubectl ${args.join(' ')}\n${result.stdout}\n${result.stderr}`);
    return result.stdout;
  }

  create(...manifests: readonly object[]): Promise<string> {
    const input = manifests.map((one) => JSON.stringify(one)).join('\n');
    return this.okWith({ input }, 'create', '-f', '-');
  }
}

/** The releases between the oldest and the newest share the tests: each creates objects and runs one in six of the others. */
const SHARES = 6;
const newest = kubectls.at(-1);

if (kubectls.length === 0) {
  describe('kubectl without changes', () => {
    it.skip('kubectl works unmodified: no kubectl on this machine', () => {});
  });
}

/** One server for all releases, each of which has a namespace, and one of the newest emulated release for the newest. */
let server: LaunchedServer;
let latest: LaunchedServer;
const home = mkdtempSync(join(tmpdir(), 'kubectl-'));
before(async () => {
  if (kubectls.length === 0) return;
  server = await launchServer({ naming: 'kubernetes' });
  latest = await launchServer({ naming: 'kubernetes', release: LATEST });
});
after(async () => {
  await Promise.all([server, latest].map((one) => one?.[Symbol.asyncDispose]()));
  rmSync(home, { recursive: true, force: true });
});

for (const [index, kubectl] of kubectls.entries()) {
  describe(`kubectl ${kubectl.release}, unmodified`, { timeout: 240_000 }, () => {
    const minor = Number(kubectl.release.split('.')[1]);
    let k: Session;
    let turn = index;
    const isOuter = kubectl === kubectls[0] || kubectl === newest || process.env['TEST_KUBECTLS'] === 'all';
    const inTurn = (title: string, test: () => Promise<void>): void => {
      if (isOuter || turn++ % SHARES === 0) it(title, test);
    };

    before(async () => {
      k = new Session(kubectl, kubectl === newest ? latest : server, home);
      const created = await k.raw(['create', 'namespace', k.namespace]);
      assert.equal(created.code, 0, created.stderr);
    });

    it(`kubectl ${kubectl.release} api-resources and api-versions list resources and versions`, async () => {
      const resources = await k.ok('api-resources');
      assert.match(resources, /^pods\s+po\s+v1\s+true\s+Pod$/m);
      assert.match(resources, /^leases\s+coordination\.k8s\.io\/v1\s+true\s+Lease$/m);
      const versions = (await k.ok('api-versions')).trim().split('\n');
      assert.ok(versions.includes('v1') && versions.includes('coordination.k8s.io/v1'), versions.join());
      const emulated = kubectl === newest ? NEWEST_RELEASE : '1.24';
      assert.ok((await k.ok('version')).includes(`v${emulated}.`));
    });

    it(`kubectl ${kubectl.release} creates objects from manifests and from generators`, async () => {
      const controller = {
        apiVersion: 'v1',
        kind: 'ReplicationController',
        metadata: { name: 'rc' },
        spec: {
          replicas: 1,
          selector: { app: 'rc' },
          template: {
            metadata: { labels: { app: 'rc' } },
            spec: { containers: [{ name: 'c', image: 'x' }] },
          },
        },
      };
      const created = await k.create(
        podManifest('web-1', { app: 'web', tier: 'a' }, 10),
        podManifest('web-2', { app: 'web', tier: 'b' }),
        podManifest('db-1', { app: 'db' }, 20),
        controller,
      );
      const names = ['pod/web-1', 'pod/web-2', 'pod/db-1', 'replicationcontroller/rc'];
      assert.equal(created, names.map((name) => `${name} created\n`).join(''));
      assert.match(
        await k.ok('create', 'configmap', 'settings', '--from-literal=a=1', '--from-literal=b=2'),
        /created/,
      );
      assert.match(await k.ok('create', 'secret', 'generic', 'password', '--from-literal=p=x'), /created/);
      assert.match(await k.ok('create', 'serviceaccount', 'robot'), /created/);
    });

    inTurn(`kubectl ${kubectl.release} shows the field and the reason of an invalid manifest`, async () => {
      const bad = { ...podManifest('bad'), spec: { containers: [{ name: 'Bad_Name', image: 'x' }] } };
      const invalid = await k.raw(['-n', k.namespace, 'create', '-f', '-'], { input: JSON.stringify(bad) });
      assert.equal(invalid.code, 1);
      assert.match(invalid.stderr, /spec\.containers\[0\]\.name/);
      const unknown = { ...podManifest('bad'), spec: { containers: [{ name: 'a', image: 'x' }], bogus: 1 } };
      const refused = await k.raw(['-n', k.namespace, 'create', '-f', '-'], {
        input: JSON.stringify(unknown),
      });
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /bogus/);
    });

    inTurn(
      `kubectl ${kubectl.release} get prints tables, wide tables, YAML, JSON, JSONPath and custom columns`,
      async () => {
        const table = await k.ok('get', 'pods');
        assert.match(table, /^NAME\s+READY\s+STATUS\s+RESTARTS\s+AGE$/m);
        assert.match(table, /^web-1\s+0\/1\s+Pending\s+0\s+\d+s$/m);
        assert.match(await k.ok('get', 'pods', '-o', 'wide'), /IP\s+NODE\s+NOMINATED NODE\s+READINESS GATES/);
        assert.match(await k.ok('get', 'pod', 'web-1', '-o', 'yaml'), /^kind: Pod$/m);
        const json = JSON.parse(await k.ok('get', 'pods', '-o', 'json')) as { items: unknown[] };
        assert.equal(json.items.length, 3);
        assert.equal(
          await k.ok('get', 'pod', 'web-1', '-o', 'jsonpath={.spec.containers[0].image}'),
          'nginx:1.25',
        );
        assert.match(
          await k.ok('get', 'pods', '-o', 'custom-columns=N:.metadata.name,I:.spec.containers[*].image'),
          /web-2\s+nginx:1\.25/,
        );
        assert.match(
          await k.ok('get', 'cm,secret,sa'),
          /configmap\/settings[\s\S]*secret\/password[\s\S]*serviceaccount\/robot/,
        );
        assert.match(await k.ok('get', 'namespaces'), /^default\s+Active/m);
      },
    );

    inTurn(
      `kubectl ${kubectl.release} get selects by label and field, sorts and reads in chunks`,
      async () => {
        assert.equal(
          (await k.ok('get', 'pods', '-l', 'app=web', '-o', 'name')).trim(),
          'pod/web-1\npod/web-2',
        );
        assert.equal(
          (await k.ok('get', 'pods', '-l', 'app in (db),tier notin (a)', '-o', 'name')).trim(),
          'pod/db-1',
        );
        assert.equal(
          (await k.ok('get', 'pods', '--field-selector', 'metadata.name=web-2', '-o', 'name')).trim(),
          'pod/web-2',
        );
        const sorted = await k.ok(
          'get',
          'pods',
          '--sort-by=.spec.terminationGracePeriodSeconds',
          '--no-headers',
        );
        assert.match(sorted, /^web-1[\s\S]*db-1[\s\S]*web-2/);
        assert.equal(
          (await k.ok('get', 'pods', '--chunk-size=1', '-o', 'name')).trim().split('\n').length,
          3,
        );
      },
    );

    inTurn(`kubectl ${kubectl.release} get -w prints changes as they happen`, async () => {
      await using watch = start(k.path(), ['-n', k.namespace, 'get', 'pods', '-w', '--no-headers'], {
        env: k.env(),
      });
      await watch.waitFor(/web-2/, 20_000);
      await k.create(podManifest('late'));
      await watch.waitFor(/^late\s/m, 20_000);
    });

    inTurn(`kubectl ${kubectl.release} describe and explain print objects and kinds`, async () => {
      const text = await k.ok('describe', 'pod', 'web-1');
      assert.match(text, /^Name:\s+web-1$/m);
      assert.match(text, /Image:\s+nginx:1\.25/);
      const explained = await k.ok('explain', 'pod.spec.containers');
      assert.match(explained, /image/);
      assert.match(explained, /DESCRIPTION/);
      assert.match(await k.ok('explain', 'lease'), /KIND:\s+Lease/);
    });

    inTurn(`kubectl ${kubectl.release} label, annotate and patch change objects`, async () => {
      assert.match(await k.ok('label', 'pod', 'web-1', 'tier=c', '--overwrite'), /labeled/);
      assert.match(await k.ok('annotate', 'pod', 'web-1', 'note=hello'), /annotate/);
      await k.ok(
        'patch',
        'pod',
        'web-1',
        '--type',
        'json',
        '-p',
        '[{"op":"replace","path":"/metadata/labels/tier","value":"d"}]',
      );
      await k.ok(
        'patch',
        'pod',
        'web-1',
        '--type',
        'merge',
        '-p',
        '{"metadata":{"annotations":{"note":null,"other":"x"}}}',
      );
      const pod = JSON.parse(await k.ok('get', 'pod', 'web-1', '-o', 'json')) as {
        metadata: { labels: Record<string, string>; annotations: Record<string, string> };
      };
      assert.equal(pod.metadata.labels['tier'], 'd');
      assert.deepEqual(pod.metadata.annotations, { other: 'x' });
    });

    inTurn(`kubectl ${kubectl.release} edit and replace write whole objects`, async () => {
      const editor = join(home, 'editor.sh');
      writeFileSync(editor, '#!/bin/sh\nsed -i \'s/a: "1"/a: "changed"/\' "$1"\n');
      chmodSync(editor, 0o755);
      assert.match(
        await k.okWith({ env: { KUBE_EDITOR: editor } }, 'edit', 'configmap', 'settings'),
        /edited/,
      );
      assert.equal(await k.ok('get', 'cm', 'settings', '-o', 'jsonpath={.data.a}'), 'changed');
      const current = await k.ok('get', 'cm', 'settings', '-o', 'yaml');
      await k.okWith({ input: current.replace('changed', 'again') }, 'replace', '-f', '-');
      assert.equal(await k.ok('get', 'cm', 'settings', '-o', 'jsonpath={.data.a}'), 'again');
      const stale = await k.raw(['-n', k.namespace, 'replace', '-f', '-'], { input: current });
      assert.equal(stale.code, 1);
      assert.match(stale.stderr, /Conflict|object has been modified/);
    });

    inTurn(`kubectl ${kubectl.release} scale changes the number of replicas`, async () => {
      assert.match(await k.ok('scale', 'rc/rc', '--replicas=3'), /scaled/);
      assert.equal(
        await k.ok('get', 'rc', 'rc', '-o', 'jsonpath={.spec.replicas} {.metadata.generation}'),
        '3 2',
      );
    });

    inTurn(`kubectl ${kubectl.release} wait returns on a condition and on deletion`, async () => {
      const pod = JSON.parse(await k.ok('get', 'pod', 'web-2', '-o', 'json')) as {
        status: Record<string, unknown>;
      };
      pod.status['conditions'] = [
        { type: 'Ready', status: 'True', lastTransitionTime: null, lastProbeTime: null },
      ];
      await k.okWith(
        { input: JSON.stringify(pod) },
        'replace',
        '--raw',
        `/api/v1/namespaces/${k.namespace}/pods/web-2/status`,
        '-f',
        '-',
      );
      assert.match(
        await k.ok('wait', '--for=condition=Ready', 'pod/web-2', '--timeout=20s'),
        /condition met/,
      );
      await k.create(podManifest('db-2'));
      // It logs its requests, so that the deletion comes when it has seen the object.
      const waitForDelete = ['-n', k.namespace, 'wait', '--for=delete', 'pod/db-2', '--timeout=20s', '-v=6'];
      await using waiting = start(k.path(), waitForDelete, { env: k.env() });
      await waiting.waitFor(/pods[^\n]*200 OK/, 20_000);
      await k.ok('delete', 'pod', 'db-2');
      await waiting.waitFor(/condition met/, 20_000);
    });

    inTurn(
      `kubectl ${kubectl.release} delete works by name, by selector, with and without cascade, and waits`,
      async () => {
        const orphan = minor < 20 ? '--cascade=false' : '--cascade=orphan';
        assert.match(await k.ok('delete', 'pod', 'web-1', '--wait=true'), /deleted/);
        assert.match(await k.ok('delete', 'rc', 'rc', '--cascade=background'), /deleted/);
        assert.match(await k.ok('delete', 'pods', '-l', 'app=web'), /"web-2" deleted/);
        assert.match(await k.ok('delete', 'configmap', 'settings', '--wait=false'), /deleted/);
        const kept = await k.raw(['-n', k.namespace, 'delete', 'secret', 'password', orphan, '--wait=false']);
        assert.equal(kept.code, 0, kept.stderr);
        assert.match((await k.raw(['-n', k.namespace, 'get', 'pod', 'web-1'])).stderr, /NotFound/);
      },
    );

    inTurn(`kubectl ${kubectl.release} reads raw paths, its configuration and events`, async () => {
      assert.equal((await k.ok('get', '--raw', '/readyz')).trim(), 'ok');
      assert.match(await k.ok('get', '--raw', '/readyz?verbose'), /\[\+\]ping ok/);
      assert.match(await k.ok('get', '--raw', '/metrics'), /^apiserver_request_total\{/m);
      assert.match(await k.ok('config', 'view'), /current-context/);
      assert.notEqual((await k.ok('config', 'current-context')).trim(), '');
      await k.create({
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: 'db-1.1' },
        involvedObject: {
          apiVersion: 'v1',
          kind: 'Pod',
          name: 'db-1',
          namespace: k.namespace,
          uid: await k.ok('get', 'pod', 'db-1', '-o', 'jsonpath={.metadata.uid}'),
        },
        reason: 'Pulled',
        message: 'image is present',
        type: 'Normal',
      });
      assert.match(await k.ok('get', 'events'), /Normal\s+Pulled\s+pod\/db-1\s+image is present/);
      if (kubectl === newest) assert.match(await k.ok('events', '--for', 'pod/db-1'), /image is present/);
      assert.match(await k.ok('describe', 'pod', 'db-1'), /Pulled/);
    });
  });
}
