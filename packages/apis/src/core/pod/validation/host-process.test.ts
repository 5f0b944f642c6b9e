import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject, FieldError } from '@orch/machinery';
import { cloneJson } from '@orch/machinery/json';
import { deployments } from '../../../apps/deployment/index.ts';
import { writePath } from '../../../testing/write-path.ts';
import { pods } from '../index.ts';

const path = writePath();
const hostProcess = (value: boolean): object => ({ windowsOptions: { hostProcess: value } });
const container = (name: string, value?: boolean): object => ({
  name,
  image: 'i',
  ...(value === undefined ? {} : { securityContext: hostProcess(value) }),
});
const pod = (spec: object): object => ({
  metadata: { name: 'p' },
  spec: { serviceAccountName: 'default', ...spec },
});
const shown = (errors: readonly FieldError[]): readonly string[] =>
  errors.map(({ field, message }) => `${field}: ${message}`);

const unmixed =
  'Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers';
const network =
  'spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers';
const differs = (list: string, value: boolean): string =>
  `spec.${list}.securityContext.windowsOptions.hostProcess: Invalid value: ${value}: pod hostProcess value must be identical if both are specified, was ${!value}`;

const mixed = pod({ hostNetwork: true, containers: [container('a', true), container('b')] });

const cases: readonly (readonly [title: string, spec: object, expected: readonly string[]])[] = [
  [
    'one whose containers all inherit the value of the pod is valid',
    {
      hostNetwork: true,
      securityContext: hostProcess(true),
      initContainers: [container('i')],
      containers: [container('a'), container('b', true)],
    },
    [],
  ],
  [
    'one without the network of the node is invalid',
    { securityContext: hostProcess(true), containers: [container('a')] },
    [network],
  ],
  [
    'one with a container that is not a HostProcess container is invalid',
    { hostNetwork: true, containers: [container('a', true), container('b')] },
    [`spec: ${unmixed}`],
  ],
  [
    'one with an init container that is not a HostProcess container is invalid',
    { hostNetwork: true, initContainers: [container('i')], containers: [container('a', true)] },
    [`spec: ${unmixed}`],
  ],
  [
    'one whose only HostProcess container is an init container is invalid',
    { initContainers: [container('i', true)], containers: [container('a')] },
    [`spec: ${unmixed}`, network],
  ],
  [
    'a container whose value differs from that of the pod is invalid',
    {
      hostNetwork: true,
      securityContext: hostProcess(true),
      initContainers: [container('i', false)],
      containers: [container('a')],
    },
    [differs('initContainers[0]', false), `spec: ${unmixed}`],
  ],
  [
    'a container that is one although the pod excludes it is invalid',
    { hostNetwork: true, securityContext: hostProcess(false), containers: [container('a', true)] },
    [differs('containers[0]', true)],
  ],
  [
    'a pod that sets the value to false is not a HostProcess pod',
    { securityContext: hostProcess(false), containers: [container('a', false), container('b')] },
    [],
  ],
];

describe('HostProcess pods', () => {
  for (const [title, spec, expected] of cases) {
    it(`among HostProcess pods, ${title}`, () => {
      const { problems, errors } = path.create(pods, pod(spec));
      assert.deepEqual([problems, shown(errors)], [[], expected]);
    });
  }

  it('a template of a workload is validated as a HostProcess pod is', () => {
    const { errors } = path.create(deployments, {
      metadata: { name: 'd' },
      spec: {
        selector: { matchLabels: { app: 'a' } },
        template: {
          metadata: { labels: { app: 'a' } },
          spec: { containers: [container('a', true), container('b')] },
        },
      },
    });
    assert.deepEqual(
      errors.map(({ field }) => field),
      ['spec.template.spec', 'spec.template.spec.hostNetwork'],
    );
  });

  it('an ephemeral container of a HostProcess pod has to be a HostProcess container', () => {
    const { object } = path.create(pods, pod({ hostNetwork: true, containers: [container('a', true)] }));
    const added = (value?: boolean): readonly string[] => {
      const next = withSpec(object, { ephemeralContainers: [container('e', value)] });
      return shown(path.update(pods, object, next, 'ephemeralcontainers').errors);
    };
    assert.deepEqual([added(true), added()], [[], [`spec: ${unmixed}`]]);
  });

  it('a stored pod that breaks a rule of HostProcess pods can be updated, but break no further rule', () => {
    const { object } = path.create(pods, mixed);
    const labelled = cloneJson(object);
    labelled.metadata.labels = { a: 'b' };
    assert.deepEqual(path.update(pods, object, labelled).errors, []);
    const next = withSpec(object, { hostNetwork: false });
    assert.ok(shown(path.update(pods, object, next).errors).includes(network));
  });
});

function withSpec(object: ApiObject, change: object): ApiObject {
  const next = cloneJson(object);
  return { ...next, spec: { ...(next['spec'] as object), ...change } };
}
