import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { writePath } from '../../testing/write-path.ts';
import { horizontalPodAutoscalers as type } from './index.ts';
import { bounds, cpu, hubOf, pods, prefix, v2 } from './testing/hub-of.ts';

const v1 = writePath(undefined, '1.24', { version: 'autoscaling/v1' });

const annotationsOf = (object: ApiObject): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(object.metadata.annotations ?? {}).map(([key, text]) => [key, JSON.parse(text)]),
  );

describe('autoscalers in v1', () => {
  const shown = (spec: object, status?: object): ApiObject => v1.show(type, hubOf(spec, status));

  it('autoscalers in v1 have the percentage of CPU in a field, and no annotation without other metrics', () => {
    const object = shown({ metrics: [cpu(50)] });
    assert.deepEqual(object['spec'], { ...bounds, targetCPUUtilizationPercentage: 50 });
    assert.equal(object.metadata.annotations, undefined);
  });

  it('autoscalers in v1 have other metrics, behavior and conditions in annotations', () => {
    const policies = [{ type: 'Pods', value: 1, periodSeconds: 60 }];
    const condition = { type: 'AbleToScale', status: 'True', lastTransitionTime: '2024-01-01T00:00:00Z' };
    const object = shown(
      { metrics: [pods, cpu(50)], behavior: { scaleUp: { policies } } },
      { conditions: [condition] },
    );
    assert.deepEqual(object['spec'], { ...bounds, targetCPUUtilizationPercentage: 50 });
    const annotations = annotationsOf(object);
    assert.deepEqual(Object.keys(annotations).sort(), [
      `${prefix}/behavior`,
      `${prefix}/conditions`,
      `${prefix}/metrics`,
    ]);
    assert.deepEqual(annotations[`${prefix}/metrics`], [
      { type: 'Pods', pods: { metricName: 'requests', targetAverageValue: '10' } },
    ]);
    assert.deepEqual(annotations[`${prefix}/conditions`], [condition]);
    assert.deepEqual((annotations[`${prefix}/behavior`] as { scaleUp: object }).scaleUp, {
      stabilizationWindowSeconds: 0,
      selectPolicy: 'Max',
      policies,
    });
  });

  it('autoscalers in v1 have the current percentage in a field, and all current metrics in an annotation', () => {
    const current = { averageValue: '200m', averageUtilization: 40 };
    const object = shown({}, { currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current } }] });
    assert.equal((object['status'] as Record<string, unknown>)['currentCPUUtilizationPercentage'], 40);
    assert.deepEqual(annotationsOf(object), {
      [`${prefix}/current-metrics`]: [
        {
          type: 'Resource',
          resource: { name: 'cpu', currentAverageUtilization: 40, currentAverageValue: '200m' },
        },
      ],
    });
  });

  it('autoscalers in v1 keep the order of metrics when a client writes what it read', () => {
    for (const metrics of [
      [cpu(50), pods],
      [pods, cpu(50)],
      [cpu(50), cpu(60)],
      [pods, cpu(50), pods],
      [pods],
    ]) {
      const hub = hubOf({ metrics });
      assert.deepEqual(v1.update(type, hub, v1.show(type, hub)).object, hub);
    }
  });

  it('autoscalers in v1 set and unset the percentage among other metrics', () => {
    const hub = hubOf({ metrics: [cpu(50), pods] });
    const write = (target: number | undefined): unknown => {
      const input = v1.show(type, hub);
      const spec = { ...(input['spec'] as object), targetCPUUtilizationPercentage: target };
      return (v1.update(type, hub, { ...input, spec }).object['spec'] as Record<string, unknown>)['metrics'];
    };
    assert.deepEqual([write(70), write(undefined)], [[cpu(70), pods], [pods]]);
  });

  it('autoscalers in v1 scale by CPU unless the annotation has other metrics', () => {
    const create = (annotations: Record<string, string>): unknown => {
      const { object } = v1.create(type, { metadata: { name: 'x', annotations }, spec: bounds });
      return (object['spec'] as Record<string, unknown>)['metrics'];
    };
    const others = JSON.stringify([
      { type: 'Pods', pods: { metricName: 'requests', targetAverageValue: '10' } },
    ]);
    assert.deepEqual(create({}), [cpu(80)]);
    assert.deepEqual(create({ [`${prefix}/metrics`]: others }), [pods]);
    for (const text of ['[]', 'no', '{}', 'null', '[1]']) {
      assert.deepEqual(create({ [`${prefix}/metrics`]: text }), [cpu(80)], text);
    }
  });

  it('autoscalers in v1 read behavior that was written with capitals', () => {
    const text = JSON.stringify({ ScaleUp: { Policies: [{ Type: 'Pods', Value: 2, PeriodSeconds: 9 }] } });
    const { object, errors } = v1.create(type, {
      metadata: { name: 'x', annotations: { [`${prefix}/behavior`]: text } },
      spec: bounds,
    });
    assert.deepEqual(errors, []);
    assert.deepEqual((object['spec'] as Record<string, unknown>)['behavior'], {
      scaleUp: { policies: [{ type: 'Pods', value: 2, periodSeconds: 9 }] },
    });
  });

  for (const [title, key, text] of [
    ['a number for a metric', 'metrics', '[5]'],
    ['a metric of the wrong types', 'metrics', '[{"type":5}]'],
    ['nonsense deep down', 'metrics', '[{"type":"Pods","pods":{"metricName":{"a":1}}}]'],
    ['behavior that is a list', 'behavior', '[1]'],
    ['policies that are none', 'behavior', '{"scaleUp":{"policies":"x"}}'],
    ['conditions that are none', 'conditions', '{"a":1}'],
    ['nesting without end', 'metrics', '['.repeat(100_000)],
  ] as const) {
    it(`autoscalers in v1 do not take ${title} from an annotation`, () => {
      const { object, problems, errors } = v1.create(type, {
        metadata: { name: 'x', annotations: { [`${prefix}/${key}`]: text, 'a.b/c': 'd' } },
        spec: { ...bounds, targetCPUUtilizationPercentage: 60 },
      });
      assert.deepEqual([problems, errors], [[], []]);
      assert.deepEqual(object['spec'], { ...bounds, metrics: [cpu(60)] });
      assert.deepEqual(object.metadata.annotations, { 'a.b/c': 'd' });
    });
  }

  it('autoscalers in v1 validate the metrics of annotations, under the paths of the hub', () => {
    const metrics = [
      {
        type: 'Pods',
        pods: {
          metricName: 'a/b',
          targetAverageValue: '-1',
          selector: { matchExpressions: [{ key: 'k', operator: 'In' }] },
        },
      },
      { type: 'External' },
    ];
    const { errors } = v1.create(type, {
      metadata: { name: 'x', annotations: { [`${prefix}/metrics`]: JSON.stringify(metrics) } },
      spec: { ...bounds, targetCPUUtilizationPercentage: 0 },
    });
    assert.deepEqual(
      errors.map(({ type: reason, field }) => `${reason} ${field}`),
      [
        'FieldValueInvalid spec.metrics[0].pods.metric.name',
        'FieldValueInvalid spec.metrics[0].pods.target.averageValue',
        'FieldValueRequired spec.metrics[1].external',
        'FieldValueInvalid spec.metrics[2].resource.target.averageUtilization',
        'FieldValueRequired spec.metrics[0].pods.metric.selector.matchExpressions[0].values',
      ],
    );
  });

  it('autoscalers in v1 use the names of the naming', () => {
    const kubernetes = writePath(namesFor('kubernetes'), '1.24', { version: 'autoscaling/v1' });
    const object = kubernetes.show(type, hubOf({ metrics: [pods] }));
    assert.deepEqual(Object.keys(annotationsOf(object)), ['autoscaling.alpha.kubernetes.io/metrics']);
  });
});

describe('autoscalers in v2', () => {
  it('autoscalers in v2 do not take annotations of older versions from clients', () => {
    const annotations = { [`${prefix}/metrics`]: '[]', [`${prefix}/behavior`]: '{}', 'a.b/c': 'd' };
    const { object } = v2.create(type, { metadata: { name: 'x', annotations }, spec: bounds });
    assert.deepEqual(object.metadata.annotations, { 'a.b/c': 'd' });
  });

  it('autoscalers in v2 have defaults for all of behavior once any of it is specified', () => {
    const { object } = v2.create(type, {
      metadata: { name: 'x' },
      spec: { ...bounds, behavior: { scaleDown: { selectPolicy: 'Min' } } },
    });
    const { behavior } = object['spec'] as { behavior: Record<string, Record<string, unknown>> };
    assert.deepEqual(behavior['scaleDown'], {
      selectPolicy: 'Min',
      policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
    });
    assert.equal(behavior['scaleUp']?.['stabilizationWindowSeconds'], 0);
  });

  it('autoscalers in v2 write no replicas that there are not, and no conditions', () => {
    assert.deepEqual(v2.show(type, hubOf({}))['status'], { desiredReplicas: 0, currentMetrics: null });
  });
});
