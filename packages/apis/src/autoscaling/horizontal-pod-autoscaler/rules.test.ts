import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { cloneJson } from '@orch/machinery/json';
import { typesAt } from '../../lifecycle.ts';
import type { Cell } from '../../resource-type.ts';
import { setPath } from '../../testing/set-path.ts';
import { writePath } from '../../testing/write-path.ts';
import { horizontalPodAutoscalers as type } from './index.ts';

const path = writePath(undefined, '1.24', { openGates: new Set(['HPAContainerMetrics']) });

const base = {
  metadata: { name: 'x' },
  spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, maxReplicas: 3 },
};

const create = (metrics: unknown): string[] =>
  path
    .create(type, { ...base, spec: { ...base.spec, metrics } })
    .errors.map(({ type: reason, field }) => `${reason.slice('FieldValue'.length)} ${field}`);

const metric = { name: 'm' };
const at = 'spec.metrics[0]';

describe('metrics of autoscalers', () => {
  const rows: readonly (readonly [title: string, metric: object, errors: readonly string[]])[] = [
    [
      'an external one has one target',
      {
        type: 'External',
        external: { metric, target: { type: 'Value', value: '1', averageValue: '1' } },
      },
      [`Forbidden ${at}.external.target.value`],
    ],
    [
      'one with several sources has the errors of the first: an external one is looked for before pods',
      {
        type: 'Object',
        pods: { target: { type: 'b' } },
        external: { metric, target: { type: 'Value' } },
      },
      [
        `Required ${at}.object`,
        `Required ${at}.external.target.averageValue`,
        `Forbidden ${at}.pods`,
        `Forbidden ${at}.external`,
      ],
    ],
    [
      'an external one has a target',
      { type: 'External', external: { metric, target: { type: 'Value' } } },
      [`Required ${at}.external.target.averageValue`],
    ],
    [
      'an object is named',
      { type: 'Object', object: { metric, target: { type: 'Value', value: '1' } } },
      [`Required ${at}.object.describedObject.kind`, `Required ${at}.object.describedObject.name`],
    ],
    [
      'a container is named',
      {
        type: 'ContainerResource',
        containerResource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 1 } },
      },
      [`Required ${at}.containerResource.container`],
    ],
    [
      'a resource of a container is one that containers have',
      {
        type: 'ContainerResource',
        containerResource: {
          name: 'x',
          container: 'c',
          target: { type: 'Utilization', averageUtilization: 1 },
        },
      },
      [`Invalid ${at}.containerResource.name`],
    ],
    [
      'targets are positive',
      { type: 'Pods', pods: { metric, target: { type: 'AverageValue', averageValue: '0' } } },
      [`Invalid ${at}.pods.target.averageValue`],
    ],
    [
      'the field of another type is too much',
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 1 } },
        external: { metric, target: { type: 'Value', value: '1' } },
      },
      [`Forbidden ${at}.external`],
    ],
    [
      'selectors of labels are well formed',
      {
        type: 'Pods',
        pods: {
          metric: { name: 'm', selector: { matchLabels: { 'a b': 'c' } } },
          target: { type: 'AverageValue', averageValue: '1' },
        },
      },
      [`Invalid ${at}.pods.metric.selector.matchLabels`],
    ],
  ];
  for (const [title, one, errors] of rows) it(title, () => assert.deepEqual(create([one]), errors));

  it('metrics of a container are for later releases, or for those that opened the gate', () => {
    const one = {
      type: 'ContainerResource',
      containerResource: {
        name: 'cpu',
        container: 'c',
        target: { type: 'Utilization', averageUtilization: 1 },
      },
    };
    const input = { ...base, spec: { ...base.spec, metrics: [one] } };
    const outcome = (release: string, gates: readonly string[] = []): unknown =>
      writePath(undefined, release, { openGates: new Set(gates) })
        .create(type, input)
        .errors.map(({ field }) => field);
    assert.deepEqual(
      [outcome('1.26'), outcome('1.26', ['HPAContainerMetrics']), outcome('1.27')],
      [[`${at}.containerResource`], [], []],
    );
  });
});

describe('references of autoscalers', () => {
  const latest = writePath(undefined, '1.34');
  const described = { kind: 'Ingress', name: 'main' };
  const spec = (target: object, metricVersion?: string): object => ({
    maxReplicas: 3,
    scaleTargetRef: { kind: 'Deployment', name: 'web', ...target },
    ...(metricVersion === undefined
      ? {}
      : {
          metrics: [
            {
              type: 'Object',
              object: {
                describedObject: { ...described, apiVersion: metricVersion },
                metric,
                target: { type: 'Value', value: '1' },
              },
            },
          ],
        }),
  });
  const target = 'spec.scaleTargetRef.apiVersion';
  const ofMetric = `${at}.object.describedObject.apiVersion`;
  const written = (next: object, old?: object): string[] => {
    const stored = old && writePath(undefined, '1.33').create(type, { ...base, spec: old }).object;
    const input: ApiObject = stored === undefined ? { ...base } : cloneJson(stored);
    setPath(input, 'spec', next);
    const { errors } = stored === undefined ? latest.create(type, input) : latest.update(type, stored, input);
    return errors.map(({ field }) => field);
  };

  for (const [title, next, old, errors] of [
    ['without a group is refused', spec({}), undefined, [target]],
    ['of the core group is refused', spec({ apiVersion: 'v1' }), undefined, [target]],
    ['with an empty group is refused', spec({ apiVersion: '/v1' }), undefined, [target]],
    ['with a group is accepted', spec({ apiVersion: 'apps/v1' }), undefined, []],
    ['with two slashes is refused', spec({ apiVersion: 'a/b/c' }), undefined, [target]],
    ['of a ReplicationController is accepted', spec({ kind: 'ReplicationController' }), undefined, []],
    ['that stays is accepted', spec({ name: 'other' }), spec({}), []],
    ['of another kind is refused', spec({ kind: 'ReplicaSet' }), spec({}), [target]],
    ['and an object without a group is accepted', spec({ apiVersion: 'apps/v1' }, 'v1'), undefined, []],
    [
      'and an object with two slashes is refused',
      spec({ apiVersion: 'apps/v1' }, '//'),
      undefined,
      [ofMetric],
    ],
    ['and an object that was invalid is accepted', spec({}, '//'), spec({}, 'a/b/c'), []],
  ] as const)
    it(`from 1.34 on, a target ${title}`, () => assert.deepEqual(written(next, old), errors));

  it('a target without a group is accepted before 1.34', () =>
    assert.deepEqual(writePath(undefined, '1.33').create(type, base).errors, []));
});

describe('bounds of replicas', () => {
  it('bounds of replicas go down to nothing only where they already did, and something is there to scale by', () => {
    const { object: stored } = path.create(type, base);
    const old = cloneJson(stored);
    setPath(old, 'spec.minReplicas', 0);
    const errors = (metrics: unknown): unknown => {
      const input = cloneJson(old);
      setPath(input, 'spec.metrics', metrics);
      return path.update(type, old, input).errors.map(({ field }) => field);
    };
    const external = { type: 'External', external: { metric, target: { type: 'Value', value: '1' } } };
    assert.deepEqual(
      [errors([external]), errors((stored['spec'] as { metrics: unknown }).metrics)],
      [[], ['spec.metrics']],
    );
  });
});

describe('the gate of autoscalers that scale to zero', () => {
  const external = {
    type: 'External',
    external: { metric: { name: 'm' }, target: { type: 'Value', value: '1' } },
  };
  const input = cloneJson(base);
  setPath(input, 'spec.scaleTargetRef.apiVersion', 'apps/v1');
  setPath(input, 'spec.minReplicas', 0);
  setPath(input, 'spec.metrics', [external]);
  for (const [release, gates, expected] of [
    ['1.36', [], ['spec.minReplicas']],
    ['1.36', ['HPAScaleToZero'], []],
    ['1.37', [], []],
  ] as const)
    it(`no replicas are ${expected.length === 0 ? 'allowed' : 'refused'} in release ${release} with the gates [${gates}]`, () => {
      const { errors } = writePath(undefined, release, { openGates: new Set(gates) }).create(type, input);
      assert.deepEqual(
        errors.map(({ field }) => field),
        expected,
      );
    });
});

describe('the status of an autoscaler', () => {
  const { object: stored } = path.create(type, base);

  it('the status of an autoscaler is written through its subresource only', () => {
    const input: ApiObject = cloneJson(stored);
    setPath(input, 'status.desiredReplicas', 2);
    setPath(input, 'spec.maxReplicas', 9);
    const whole = path.update(type, stored, input).object;
    assert.deepEqual(whole['status'], stored['status']);
    const status = path.update(type, stored, input, 'status').object;
    assert.deepEqual(
      [status['spec'], (status['status'] as object)['desiredReplicas' as never]],
      [stored['spec'], 2],
    );
  });

  it('the status of an autoscaler counts no fewer than none', () => {
    const input = cloneJson(stored);
    setPath(input, 'status.desiredReplicas', -1);
    setPath(input, 'status.currentReplicas', -1);
    assert.deepEqual(
      path.update(type, stored, input, 'status').errors.map(({ field }) => field),
      ['status.currentReplicas', 'status.desiredReplicas'],
    );
  });
});

describe('rows of autoscalers', () => {
  const row = (
    metrics: unknown,
    currentMetrics?: unknown,
    spec: object = {},
    release = '1.30',
  ): readonly Cell[] => {
    const object = {
      metadata: { name: 'x', creationTimestamp: '2024-01-01T00:00:00Z' },
      spec: { ...base.spec, metrics, ...spec },
      status: { currentReplicas: 2, currentMetrics },
    };
    return typesAt(release, [type])[0]?.table?.cells(object, namesFor('orch')) ?? [];
  };
  const use = (averageUtilization?: number): object => ({
    type: 'Resource',
    resource: { name: 'cpu', current: { averageUtilization, averageValue: '5m' } },
  });
  const cpu = {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
  };
  const memory = {
    type: 'Resource',
    resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } },
  };
  const ofContainer = {
    type: 'ContainerResource',
    containerResource: { name: 'cpu', container: 'c', target: { averageUtilization: 70 } },
  };
  const podsMetric = { type: 'Pods', pods: { metric, target: { averageValue: '10' } } };
  const external = { type: 'External', external: { metric, target: { averageValue: '10' } } };
  const ofObject = { type: 'Object', object: { metric, target: { value: '10' } } };

  it('rows of autoscalers show what is scaled, within which bounds, and how far it is', () => {
    const age = { age: '2024-01-01T00:00:00Z' };
    assert.deepEqual(row([cpu], [use(40)]), ['x', 'Deployment/web', 'cpu: 40%/80%', '<unset>', 3, 2, age]);
    assert.equal(row([cpu], [], { minReplicas: 1 })[3], '1');
    assert.equal(type.table?.columns.length, 7);
  });

  for (const [title, metrics, states, text] of [
    ['nothing', [], [], '<none>'],
    ['what is not known yet', [cpu], null, 'cpu: <unknown>/80%'],
    [
      'two of more',
      [cpu, memory, external, ofObject],
      [use(40)],
      'cpu: 40%/80%, memory: <unknown>/1Gi + 2 more...',
    ],
    ['a resource of one container', [ofContainer], [], 'cpu: <unknown>/70%'],
    ['amounts', [memory], [use()], 'memory: 5m/1Gi'],
    ['pods', [podsMetric], [{ type: 'Pods', pods: { current: { averageValue: '7' } } }], '7/10'],
    [
      'averages',
      [external],
      [{ type: 'External', external: { current: { averageValue: '7' } } }],
      '7/10 (avg)',
    ],
    ['values', [ofObject], [{ type: 'Object', object: { current: { value: '7' } } }], '7/10'],
    ['an unknown value', [{ type: 'X' }], [], '<unknown type>'],
  ] as const) {
    it(`rows of autoscalers show ${title}`, () => assert.equal(row(metrics, states)[2], text));
  }

  it('rows of autoscalers do not name the resources of metrics before 1.30', () => {
    const shown = row([cpu, ofContainer], [use(40)], {}, '1.29')[2];
    assert.equal(shown, '40%/80%, <unknown>/70%');
  });
});
