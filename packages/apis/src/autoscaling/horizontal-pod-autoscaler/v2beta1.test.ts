import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writePath } from '../../testing/write-path.ts';
import { horizontalPodAutoscalers as type } from './index.ts';
import { cpu, gates, hubOf, prefix } from './testing/hub-of.ts';

const v2beta1 = writePath(undefined, '1.24', { version: 'autoscaling/v2beta1', ...gates });

describe('autoscalers in v2beta1', () => {
  const described = { kind: 'Ingress', name: 'main' };
  const selector = { matchLabels: { a: 'b' } };
  const pairs: readonly (readonly [title: string, hub: object, older: object])[] = [
    ['percentages', cpu(50), { type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: 50 } }],
    [
      'amounts',
      {
        type: 'Resource',
        resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } },
      },
      { type: 'Resource', resource: { name: 'memory', targetAverageValue: '1Gi' } },
    ],
    [
      'amounts of a container',
      {
        type: 'ContainerResource',
        containerResource: {
          name: 'cpu',
          target: { type: 'Utilization', averageUtilization: 5 },
          container: 'c',
        },
      },
      {
        type: 'ContainerResource',
        containerResource: { name: 'cpu', targetAverageUtilization: 5, container: 'c' },
      },
    ],
    [
      'metrics of pods',
      {
        type: 'Pods',
        pods: { metric: { name: 'm', selector }, target: { type: 'AverageValue', averageValue: '1' } },
      },
      { type: 'Pods', pods: { metricName: 'm', targetAverageValue: '1', selector } },
    ],
    [
      'values of objects',
      {
        type: 'Object',
        object: { describedObject: described, target: { type: 'Value', value: '5' }, metric: { name: 'm' } },
      },
      { type: 'Object', object: { target: described, metricName: 'm', targetValue: '5' } },
    ],
    [
      'averages of objects',
      {
        type: 'Object',
        object: {
          describedObject: described,
          target: { type: 'AverageValue', averageValue: '5' },
          metric: { name: 'm' },
        },
      },
      {
        type: 'Object',
        object: { target: described, metricName: 'm', targetValue: '0', averageValue: '5' },
      },
    ],
    [
      'values from outside',
      {
        type: 'External',
        external: { metric: { name: 'm', selector }, target: { type: 'Value', value: '5' } },
      },
      { type: 'External', external: { metricName: 'm', metricSelector: selector, targetValue: '5' } },
    ],
  ];
  for (const [title, hub, older] of pairs) {
    it(`autoscalers in v2beta1 convert ${title} to flat fields and back without annotations`, () => {
      const stored = hubOf({ metrics: [hub] });
      const object = v2beta1.show(type, stored);
      assert.deepEqual((object['spec'] as Record<string, unknown>)['metrics'], [older]);
      assert.equal(object.metadata.annotations, undefined);
      assert.deepEqual(v2beta1.update(type, stored, object).object, stored);
      assert.equal(stored.metadata.annotations, undefined);
    });
  }

  it('autoscalers in v2beta1 keep what only the hub can express in an annotation', () => {
    const target = { type: 'AverageValue', value: '7', averageUtilization: 50 };
    const stored = hubOf({ metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }] });
    const object = v2beta1.show(type, stored);
    assert.deepEqual(Object.keys(object.metadata.annotations ?? {}), [
      'non-convertible.orch.io/autoscaling.v2.HorizontalPodAutoscaler',
    ]);
    assert.deepEqual(v2beta1.update(type, stored, object).object, stored);
  });

  it('autoscalers in v2beta1 keep behavior in an annotation', () => {
    const stored = hubOf({ behavior: { scaleUp: { selectPolicy: 'Disabled' } } });
    const object = v2beta1.show(type, stored);
    assert.deepEqual(Object.keys(object.metadata.annotations ?? {}), [`${prefix}/behavior`]);
    assert.deepEqual(v2beta1.update(type, stored, object).object, stored);
  });

  it('autoscalers in v2beta1 have current metrics as flat fields', () => {
    const currentMetrics = [
      { type: 'Pods', pods: { metric: { name: 'm' }, current: { averageValue: '3' } } },
      { type: 'External', external: { metric: { name: 'm' }, current: { averageValue: '4' } } },
    ];
    const object = v2beta1.show(type, hubOf({}, { currentMetrics }));
    assert.deepEqual((object['status'] as Record<string, unknown>)['currentMetrics'], [
      { type: 'Pods', pods: { metricName: 'm', currentAverageValue: '3' } },
      { type: 'External', external: { metricName: 'm', currentValue: '0', currentAverageValue: '4' } },
    ]);
    assert.equal(object.metadata.annotations, undefined);
  });
});
