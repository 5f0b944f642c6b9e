import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';

import { runCommandLine } from '@orch/orchctl/testing';
import { testCertificate } from '@orch/pki/x509/testing';
import { type CommandCluster, commandCluster } from './cluster.ts';

const widgetDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

describe('requests of orchctl', () => {
  let cluster: CommandCluster;
  before(async () => {
    cluster = await commandCluster('kubernetes');
    writeFileSync(
      join(cluster.folder, 'old.yaml'),
      'apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: a, namespace: default}\nspec: {minAvailable: 1}\n',
    );
    writeFileSync(
      join(cluster.folder, 'secret.yaml'),
      'apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: default}\nstringData: {password: hunter2}\n',
    );
  });
  after(() => cluster[Symbol.asyncDispose]());

  it('warnings of the server are written to standard error, and are errors with --warnings-as-errors', async () => {
    const lenient = await cluster.orchctl(['apply', '-f', 'old.yaml']);
    assert.equal(lenient.status, 0);
    assert.match(lenient.err, /^Warning: policy\/v1beta1 PodDisruptionBudget is deprecated/);
    const strict = await cluster.orchctl(['apply', '-f', 'old.yaml', '--warnings-as-errors']);
    assert.equal(strict.status, 1);
    assert.match(strict.err, /\nerror: 1 warning received\n$/);
    assert.equal((await cluster.orchctl(['get', 'pods', '--warnings-as-errors'])).status, 0);
  });

  it('--v=6 logs requests, and --v=8 their bodies, without credentials and values of secrets', async () => {
    const requests = await cluster.orchctl(['get', 'namespaces', '--v=6']);
    assert.match(requests.err, /^GET \/api\/v1\/namespaces\?limit=500 200 in \d+ ms$/m);
    const refused = await cluster.orchctl(['get', 'pods', '--v=8', '--token=secret-token']);
    assert.match(refused.err, /^GET \/api\/v1\/namespaces\/default\/pods\?limit=500 401 in/m);
    assert.doesNotMatch(refused.err, /secret-token/);
    const bodies = await cluster.orchctl(['create', '-f', 'secret.yaml', '--v=8']);
    assert.match(bodies.err, /^POST \/api\/v1\/namespaces\/default\/secrets/m);
    assert.match(bodies.err, /^ {2}<withheld>$/m);
    assert.doesNotMatch(bodies.err, /hunter2/);
    const apply = await cluster.orchctl(['apply', '-f', 'old.yaml', '--v=8']);
    assert.match(apply.err, /^ {2}\{.*"minAvailable":1.*\}$/m);
  });

  it('the second command sends the request for its objects only, and a new resource is found', async () => {
    await cluster.orchctl(['get', 'pods']);
    const again = await cluster.orchctl(['get', 'pods', '--v=6']);
    assert.deepEqual(
      [...again.err.matchAll(/^GET (\S+) 200/gm)].map(([, target]) => target),
      ['/api/v1/namespaces/default/pods?limit=500'],
    );
    writeFileSync(join(cluster.folder, 'definition.json'), JSON.stringify(widgetDefinition));
    const viaKubectl = await cluster.kubectl(['apply', '-f', 'definition.json']);
    assert.equal(viaKubectl.status, 0, viaKubectl.err);
    await cluster.kubectl(['wait', '--for=condition=Established', 'crd/widgets.example.com']);
    const { status, out, err } = await cluster.orchctl(['get', 'widgets', '-o', 'name']);
    assert.deepEqual([status, out, err], [0, '', '']);
    const unknown = await cluster.orchctl(['get', 'gadgets']);
    assert.match(unknown.err, /doesn't have a resource type "gadgets"/);
    const near = await cluster.orchctl(['get', 'deploymnets']);
    assert.match(near.err, /doesn't have a resource type "deploymnets"; did you mean deployments\?$/m);
  });

  it('the deletion of a missing object of a file names the file', async () => {
    const missing = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'missing' } };
    writeFileSync(join(cluster.folder, 'missing.json'), JSON.stringify(missing));
    const { status, err } = await cluster.orchctl(['delete', '-f', 'missing.json']);
    assert.equal(status, 1);
    assert.match(
      err,
      /^Error from server \(NotFound\): error when deleting "missing\.json": .*"missing" not found$/m,
    );
  });

  it('a resource whose definition was replaced by one of another version is found by the second command', async () => {
    const definitions = `/apis/${namesFor('kubernetes').group('apiextensions')}/v1/customresourcedefinitions`;
    const named = async (version: string): Promise<void> => {
      const [first] = widgetDefinition.spec.versions;
      const spec = { ...widgetDefinition.spec, versions: [{ ...first, name: version }] };
      const created = await cluster.server.client.post(definitions, { ...widgetDefinition, spec });
      assert.equal(created.status, 201, created.text);
      await cluster.kubectl(['wait', '--for=condition=Established', 'crd/widgets.example.com']);
    };
    const remove = async (): Promise<void> => {
      await cluster.kubectl(['delete', 'crd', 'widgets.example.com', '--ignore-not-found']);
    };
    await remove();
    await named('v1alpha1');
    // An earlier test can have read another definition.
    await cluster.orchctl(['api-resources']);
    assert.equal((await cluster.orchctl(['get', 'widgets', '-o', 'name'])).status, 0);
    await remove();
    await named('v2');
    const first = await cluster.orchctl(['get', 'widgets', '-o', 'name']);
    assert.deepEqual(
      [first.status, first.err],
      [1, 'Error from server (NotFound): the server could not find the requested resource\n'],
    );
    assert.deepEqual(await cluster.orchctl(['get', 'widgets', '-o', 'name']), {
      status: 0,
      out: '',
      err: '',
    });
    const missing = await cluster.orchctl(['get', 'widgets', 'none']);
    assert.match(missing.err, /widgets.example.com "none" not found/);
  });

  it('a configuration without a context needs the address of the server only', async () => {
    const { url, config } = cluster.server;
    for (const [name, text] of Object.entries({ ca: config.ca, cert: config.cert, key: config.key }))
      writeFileSync(join(cluster.folder, name), text ?? '');
    writeFileSync(join(cluster.folder, 'damaged.conf'), 'contexts: [');
    const flags = [
      '--certificate-authority=ca',
      '--client-certificate=cert',
      '--client-key=key',
      `--server=${url}`,
    ];
    const get = (...more: string[]) =>
      runCommandLine(['get', 'namespace', 'default', '-o', 'name', ...more], {
        folder: cluster.folder,
        homeFolder: join(cluster.folder, 'home'),
      });
    for (const file of [[], ['--kubeconfig=/dev/null']]) {
      const { status, out, err } = await get(...flags, ...file);
      assert.deepEqual([status, out], [0, 'namespace/default\n'], err);
    }
    for (const file of ['damaged.conf', 'missing.conf'])
      assert.equal((await get(...flags, `--kubeconfig=${file}`)).status, 1, file);
    assert.equal((await get(...flags, '--context=none')).status, 1);
    assert.equal((await get()).status, 1);
  });

  for (const [flag, status] of [
    ['--request-timeout=30', 0],
    ['--request-timeout=30s', 0],
    ['--request-timeout=0', 0],
    ['--request-timeout=x', 2],
    ['--request-timeout=-1', 2],
  ] as const)
    it(`${flag} ends with status ${status}`, async () => {
      assert.equal((await cluster.orchctl(['get', 'namespaces', flag])).status, status);
    });

  it('a watch ends with status 0 when its request timeout has passed', async () => {
    const { status, out, err } = await cluster.orchctl([
      'get',
      'namespaces',
      '-w',
      '-o',
      'name',
      '--request-timeout=2s',
    ]);
    assert.equal(status, 0, err);
    assert.match(out, /^namespace\/default$/m);
  });

  it('a server that does not answer in time is reported as an unknown outcome', async () => {
    const { status, err } = await cluster.orchctl([
      'get',
      'pods',
      '--request-timeout=1ms',
      '--server=https://192.0.2.1',
    ]);
    assert.equal(status, 1);
    assert.match(err, /^The connection to the server failed/);
  });

  it('a server that cannot be reached is reported with what to check', async () => {
    const { status, err } = await cluster.orchctl(['get', 'pods', '--server=https://127.0.0.1:1']);
    assert.equal(status, 1);
    assert.match(
      err,
      /ECONNREFUSED.*\nCheck that the server runs, and its address: orchctl config view --minify\n$/,
    );
  });

  it('a server whose certificate is not trusted is reported with what to check', async () => {
    const authority = join(cluster.folder, 'authority.pem');
    writeFileSync(authority, testCertificate({ commonName: 'elsewhere', use: 'authority' }).cert);
    for (const [flag, problem] of [
      [`--certificate-authority=${authority}`, 'unable to verify the first certificate'],
      ['--tls-server-name=elsewhere', '.* altnames: .*'],
    ] as const) {
      const { status, err } = await cluster.orchctl(['get', 'pods', flag]);
      assert.equal(status, 1);
      assert.match(
        err,
        new RegExp(`: ${problem}\nCheck the address of the server and the certificate authority`),
      );
    }
  });
});
