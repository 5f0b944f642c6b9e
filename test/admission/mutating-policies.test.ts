import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { poll } from '@orch/machinery/testing';
import { type ApiResponse, type LaunchedServer, launchServer } from '@orch/testkit';
import { cms, configMap, expectCode, item, podObject, pods, status } from '../api/fixture.ts';
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
  ): Promise<void> {
    const matchConstraints = {
      resourceRules: [resource],
      objectSelector: { matchLabels: { test: name } },
    };
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
      status(expectCode(422, await post(pods, atomic))).message,
      /invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: spec\.containers\[0\]\.args/,
    );
  });

  it('a policy cannot rename an object', async () => {
    await bind('renames', [patch("[JSONPatch{op: 'replace', path: '/metadata/name', value: 'other'}]")]);
    await changed(cms, labelled('renames', 'named'), () => false);
    const refused = expectCode(422, await post(cms, labelled('renames', 'named')));
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
});
