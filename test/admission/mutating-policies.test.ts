import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { poll } from '@orch/machinery/testing';
import { type ApiResponse, type LaunchedServer, launchServer } from '@orch/testkit';
import { cms, configMap, create, expectCode, item, podObject, pods, status } from '../api/fixture.ts';
import { definition, establish, WIDGETS, widget } from '../custom-resources/widgets.ts';
import { servesPolicies } from './policies.ts';

const apiVersion = `${namesFor('orch').groups.admissionregistration}/v1`;
const root = `/apis/${apiVersion}`;

const rule = (apiGroup: string, resource: string): object => ({
  operations: ['CREATE', 'UPDATE'],
  apiGroups: [apiGroup],
  apiVersions: ['v1'],
  resources: [resource],
});

const apply = (expression: string): object => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
});
const patch = (expression: string): object => ({ patchType: 'JSONPatch', jsonPatch: { expression } });

describe('mutating admission policies of a server', { timeout: 180_000 }, () => {
  let server: LaunchedServer;
  before(async () => {
    server = await launchServer({ args: [servesPolicies] });
  });
  after(() => server[Symbol.asyncDispose]());

  const post = (path: string, object: object): Promise<ApiResponse> => server.client.post(path, object);

  /** Creates a policy about objects with its name as a label, and its binding. */
  async function bind(
    name: string,
    mutations: readonly object[],
    resource = rule('', 'configmaps'),
    selector: object = { matchLabels: { test: name } },
  ): Promise<void> {
    const matchConstraints = { resourceRules: [resource], objectSelector: selector };
    const spec = { matchConstraints, mutations, reinvocationPolicy: 'Never' };
    expectCode(201, await post(`${root}/mutatingadmissionpolicies`, { metadata: { name }, spec }));
    const binding = { metadata: { name }, spec: { policyName: name } };
    expectCode(201, await post(`${root}/mutatingadmissionpolicybindings`, binding));
  }

  const labelled = (test: string, name: string, data: Record<string, string> = {}): object =>
    configMap(name, data, { labels: { test } });

  /** Waits until a policy has changed an object, as a dry run. */
  const changed = (path: string, object: object, is: (answer: ApiResponse) => boolean): Promise<true> =>
    poll('a change by the policy', 20_000, async () => {
      const answer = await post(`${path}?dryRun=All`, object);
      return answer.status !== 201 || is(answer) ? true : undefined;
    });

  it('a policy changes what is created, updated, patched and applied', async () => {
    await bind('stamps', [
      apply("Object{data: Object.data{stamp: 'by ' + request.userInfo.username}}"),
      patch("[JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a/b'), value: 'c'}]"),
    ]);
    await changed(cms, labelled('stamps', 'a'), (answer) => item(answer).data !== undefined);
    const stamp = (code: number, answer: ApiResponse): readonly unknown[] => {
      const { data, metadata } = item(expectCode(code, answer));
      return [data?.['stamp']?.slice(0, 3), metadata.labels?.['a/b']];
    };
    const path = `${cms}/a`;
    assert.deepEqual(stamp(201, await post(cms, labelled('stamps', 'a', { k: '1' }))), ['by ', 'c']);
    const body = labelled('stamps', 'a', { k: '2' });
    assert.deepEqual(stamp(200, await server.client.send('PUT', path, { body })), ['by ', 'c']);
    const merge = {
      body: { data: { k: '3', stamp: 'forged' } },
      contentType: 'application/merge-patch+json',
    };
    assert.deepEqual(stamp(200, await server.client.send('PATCH', path, merge)), ['by ', 'c']);
    const applied = await server.client.send('PATCH', `${cms}/applied?fieldManager=t`, {
      body: labelled('stamps', 'applied', { k: '1' }),
      contentType: 'application/apply-patch+yaml',
    });
    assert.deepEqual(stamp(201, applied), ['by ', 'c']);
    assert.deepEqual(stamp(200, await server.client.get(path)), ['by ', 'c']);
  });

  it('items of lists with keys are merged by their keys, and what is added gets its defaults', async () => {
    const sidecar =
      "Object.spec.containers{name: 'sidecar', image: 'registry.example/proxy:1', ports: [Object.spec.containers.ports{containerPort: 80}]}";
    await bind(
      'sidecar',
      [
        apply(`Object{spec: Object.spec{containers: [${sidecar}]}}`),
        apply(
          "Object{spec: Object.spec{containers: [Object.spec.containers{name: 'main', imagePullPolicy: 'Always'}]}}",
        ),
      ],
      rule('', 'pods'),
    );
    interface Container {
      readonly name: string;
      readonly imagePullPolicy?: string;
      readonly image?: string;
      readonly ports?: unknown;
    }
    const containersOf = (answer: ApiResponse): readonly Container[] =>
      item(answer).spec['containers'] as readonly Container[];
    const pod = podObject('p', { labels: { test: 'sidecar' } });
    await changed(pods, pod, (answer) => containersOf(answer).length === 2);
    const containers = containersOf(expectCode(201, await post(pods, pod)));
    assert.deepEqual(
      containers.map(({ name, image, imagePullPolicy, ports }) => ({ name, image, imagePullPolicy, ports })),
      [
        { name: 'main', image: 'registry.example/app:1', imagePullPolicy: 'Always', ports: undefined },
        {
          name: 'sidecar',
          image: 'registry.example/proxy:1',
          imagePullPolicy: 'IfNotPresent',
          ports: [{ containerPort: 80, protocol: 'TCP' }],
        },
      ],
    );
  });

  it('the result of a policy is validated, and what is replaced as a whole must be patched', async () => {
    await bind(
      'invalid',
      [patch("[JSONPatch{op: 'replace', path: '/spec/restartPolicy', value: 'Sometimes'}]")],
      rule('', 'pods'),
    );
    const invalid = podObject('invalid', { labels: { test: 'invalid' } });
    await changed(pods, invalid, () => false);
    const refused = expectCode(422, await post(pods, invalid));
    assert.match(status(refused).message, /spec\.restartPolicy/);
    const args = "Object.spec.containers{name: 'main', args: ['a']}";
    await bind('atomic', [apply(`Object{spec: Object.spec{containers: [${args}]}}`)], rule('', 'pods'));
    const atomic = podObject('atomic', { labels: { test: 'atomic' } });
    await changed(pods, atomic, () => false);
    assert.match(
      status(expectCode(403, await post(pods, atomic))).message,
      /invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: spec\.containers\[0\]\.args/,
    );
  });

  it('a policy cannot rename an object', async () => {
    await bind('renames', [patch("[JSONPatch{op: 'replace', path: '/metadata/name', value: 'other'}]")]);
    await changed(cms, labelled('renames', 'named'), () => false);
    const refused = expectCode(403, await post(cms, labelled('renames', 'named')));
    assert.match(status(refused).message, /must not change metadata\.name/);
    expectCode(404, await server.client.get(`${cms}/other`));
  });

  it('objects of custom resources are changed by policies', async () => {
    expectCode(201, await establish(server.client, definition()));
    await bind(
      'custom',
      [apply('Object{spec: Object.spec{size: object.spec.size + 6}}')],
      rule('stable.example.com', 'widgets'),
    );
    const object = { ...widget('w'), metadata: { name: 'w', labels: { test: 'custom' } } };
    await changed(WIDGETS, object, (answer) => item(answer).spec['size'] === 7);
    assert.equal(item(expectCode(201, await post(WIDGETS, object))).spec['size'], 7);
  });

  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  const merge = 'application/merge-patch+json';
  const deployment = (name: string, test: string): object => {
    const labels = { app: name };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const metadata = { name, labels: { test } };
    return { metadata, spec: { replicas: 1, selector: { matchLabels: labels }, template } };
  };

  it('a policy about scales bounds the replicas of each write through the subresource, and of no other', async () => {
    await create(server.client, deployments, deployment('bounded', 'none'));
    const path = `${deployments}/bounded/scale`;
    const most = patch(
      "object.spec.replicas > 3 ? [JSONPatch{op: 'replace', path: '/spec/replicas', value: 3}] : []",
    );
    // A Scale has no labels by which a policy could select it.
    await bind('scales', [most], { ...rule('apps', 'deployments/scale'), resourceNames: ['bounded'] }, {});
    const body = { spec: { replicas: 9 } };
    await poll('a bounded scale', 20_000, async () => {
      const scaled = await server.client.send('PATCH', `${path}?dryRun=All`, { body, contentType: merge });
      return item(scaled).spec['replicas'] === 3 ? true : undefined;
    });
    const { metadata } = item(expectCode(200, await server.client.get(path)));
    const applied = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'bounded' }, ...body };
    for (const [method, query, options] of [
      ['PATCH', '', { body, contentType: merge }],
      ['PUT', '', { body: { metadata: { name: 'bounded', namespace: metadata.namespace }, ...body } }],
      ['PATCH', '?fieldManager=t&force=true', { body: applied, contentType: 'application/apply-patch+yaml' }],
    ] as const) {
      const answer = expectCode(200, await server.client.send(method, path + query, options));
      assert.equal(item(answer).spec['replicas'], 3, `${method} ${options.contentType ?? ''}`);
      const stored = item(expectCode(200, await server.client.get(`${deployments}/bounded`)));
      assert.equal(stored.spec['replicas'], 3);
    }
    const direct = await server.client.send('PATCH', `${deployments}/bounded`, { body, contentType: merge });
    assert.equal(item(expectCode(200, direct)).spec['replicas'], 9);
  });

  it('a policy about the status changes only the status', async () => {
    await create(server.client, deployments, deployment('reported', 'status'));
    const path = `${deployments}/reported`;
    await bind(
      'status',
      [
        apply(
          'Object{spec: Object.spec{replicas: 7}, status: Object.status{replicas: object.status.replicas + 1}}',
        ),
      ],
      rule('apps', 'deployments/status'),
    );
    const report = (query = ''): Promise<ApiResponse> =>
      server.client.send('PATCH', `${path}/status${query}`, {
        body: { status: { replicas: 1 } },
        contentType: merge,
      });
    await poll('a changed status', 20_000, async () =>
      item(await report('?dryRun=All')).status?.['replicas'] === 2 ? true : undefined,
    );
    expectCode(200, await report());
    const { spec, status: reported } = item(expectCode(200, await server.client.get(path)));
    assert.deepEqual([spec['replicas'], reported?.['replicas']], [1, 2]);
  });

  it('a policy about connections changes their options by JSON patches, and cannot merge into them', async () => {
    await create(server.client, pods, podObject('shell'));
    const connects = { ...rule('', 'pods/exec'), operations: ['CONNECT'], resourceNames: ['shell'] };
    const exec = (): Promise<ApiResponse> => server.client.post(`${pods}/shell/exec?command=ls`, {});
    const before = await exec();
    assert.doesNotMatch(before.text, /other/);
    await bind('exec', [patch("[JSONPatch{op: 'add', path: '/container', value: 'other'}]")], connects, {});
    // The pod has another container.
    const answer = await poll('changed options', 20_000, async () => {
      const response = await exec();
      return response.text === before.text ? undefined : response;
    });
    assert.match(status(expectCode(400, answer)).message, /other/);
    expectCode(200, await server.client.send('DELETE', `${root}/mutatingadmissionpolicybindings/exec`));
    await bind('merged', [apply("Object{container: 'other'}")], connects, {});
    const refused = await poll('a refusal', 20_000, async () => {
      const response = await exec();
      return response.status === 403 ? response : undefined;
    });
    assert.match(
      status(refused).message,
      /'merged' with binding 'merged' denied request: invalid ApplyConfiguration: .*PodExecOptions cannot be merged/,
    );
    expectCode(200, await server.client.send('DELETE', `${root}/mutatingadmissionpolicybindings/merged`));
  });

  it('a policy about deletions cannot be created', async () => {
    for (const operation of ['DELETE', '*']) {
      const resourceRules = [{ ...rule('', 'configmaps'), operations: [operation] }];
      const spec = {
        matchConstraints: { resourceRules, objectSelector: { matchLabels: { test: 'none' } } },
        mutations: [apply("Object{data: Object.data{a: 'b'}}")],
        reinvocationPolicy: 'Never',
      };
      const answer = await post(`${root}/mutatingadmissionpolicies?dryRun=All`, {
        metadata: { name: 'd' },
        spec,
      });
      expectCode(operation === 'DELETE' ? 422 : 201, answer);
    }
  });
});
