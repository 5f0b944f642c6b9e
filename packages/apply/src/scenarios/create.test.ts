import { describe, it } from 'node:test';
import { apply, replace, runScenario, type Scenario, timeOfStep, update } from '../testing/scenario.ts';

const a = { name: 'a', image: 'one' };
const containerA = ['.containers[name="a"]', '.containers[name="a"].image', '.containers[name="a"].name'];

const scenarios: readonly Scenario[] = [
  {
    title: 'apply creates the object and owns what the configuration says',
    steps: [apply('alice', { replicas: 3, mode: 'Slow' })],
    object: { 'spec.replicas': 3, 'spec.mode': 'Slow', 'metadata.name': 'd' },
    owners: { alice: ['.replicas', '.mode'] },
    times: { alice: timeOfStep(1) },
  },
  {
    title: 'the defaults of an object that apply creates have no owner',
    steps: [apply('alice', { containers: [a] })],
    object: { 'spec.replicas': 1, 'spec.containers.0.policy': 'Always' },
    owners: { alice: containerA },
  },
  {
    title: 'identity and fields that the server writes have no owner',
    steps: [
      apply('alice', {
        metadata: {
          labels: { x: '1' },
          creationTimestamp: null,
          generation: 7,
          uid: 'u',
          resourceVersion: '3',
        },
      }),
    ],
    object: { 'metadata.labels': { x: '1' }, 'metadata.generation': undefined, 'metadata.uid': undefined },
    owners: { alice: ['.metadata.labels.x'] },
  },
  {
    title: 'the name of a template inside the object can be owned, unlike the name of the object',
    steps: [apply('alice', { template: { metadata: { name: 'inner', labels: { x: '1' } }, note: 'n' } })],
    owners: { alice: ['.template.metadata.name', '.template.metadata.labels.x', '.template.note'] },
  },
  {
    title: 'apply without any field creates the object and owns nothing',
    steps: [apply('alice', {})],
    object: { 'spec.replicas': 1 },
    owners: {},
  },
  {
    title: 'a create makes its manager an updater that owns defaults too',
    steps: [update('carol', { replicas: 2 })],
    owners: { 'carol:update': ['.replicas', '.mode', '.strategy.type'] },
    times: { 'carol:update': timeOfStep(1) },
  },
  {
    title: 'a create owns containers of what it sets, except those that every object has',
    steps: [
      update('carol', {
        metadata: { labels: { x: '1' } },
        spec: { containers: [a], data: { k: 'v' }, strategy: { rolling: { unavailable: 2 } } },
      }),
    ],
    owners: {
      'carol:update': [
        '.metadata.labels',
        '.metadata.labels.x',
        '.replicas',
        '.mode',
        '.strategy.type',
        '.strategy.rolling',
        '.strategy.rolling.surge',
        '.strategy.rolling.unavailable',
        ...containerA,
        '.containers[name="a"].policy',
        '.data',
        '.data.k',
      ],
    },
  },
  {
    title: 'apply after apply adds to what the manager owns',
    steps: [apply('alice', { replicas: 3 }), apply('alice', { replicas: 3, mode: 'Slow' })],
    owners: { alice: ['.replicas', '.mode'] },
    times: { alice: timeOfStep(2) },
  },
  {
    title: 'applying the same again changes nothing and keeps the time',
    steps: [apply('alice', { replicas: 3 }), apply('alice', { replicas: 3 }, { expect: 'unchanged' })],
    owners: { alice: ['.replicas'] },
    times: { alice: timeOfStep(1) },
  },
  {
    title: 'applying the same with force changes nothing either',
    steps: [
      apply('alice', { replicas: 3 }),
      apply('alice', { replicas: 3 }, { force: true, expect: 'unchanged' }),
    ],
    times: { alice: timeOfStep(1) },
  },
  {
    title: 'applying what the object has anyway takes ownership of it',
    steps: [apply('alice', { replicas: 3 }), apply('alice', { replicas: 3, mode: 'Fast' })],
    owners: { alice: ['.replicas', '.mode'] },
  },
  {
    title: 'an update that changes nothing owns nothing and is not stored',
    steps: [apply('alice', { replicas: 3 }), update('bob', { replicas: 3 }, { expect: 'unchanged' })],
    owners: { alice: ['.replicas'] },
    times: { alice: timeOfStep(1) },
  },
  {
    title: 'apply after create by the same name makes a second entry, of another operation',
    steps: [update('carol', { replicas: 2 }), apply('carol', { replicas: 2 })],
    owners: { carol: ['.replicas'], 'carol:update': ['.replicas', '.mode', '.strategy.type'] },
  },
  {
    title: 'a configuration with an empty list says nothing about its items',
    steps: [apply('alice', { tags: [], replicas: 2 })],
    owners: { alice: ['.replicas'] },
  },
  {
    title: 'an empty struct is owned as such',
    steps: [apply('alice', { selector: {}, strategy: { rolling: {} } })],
    owners: { alice: ['.selector', '.strategy.rolling'] },
    object: { 'spec.strategy.rolling': { surge: 1 } },
  },
  {
    title: 'replacing an object by itself changes nothing',
    steps: [
      apply('alice', { replicas: 3 }),
      { ...replace('bob', { replicas: 3 }), run: (c) => void c.put('bob', c.live ?? {}) },
    ],
    owners: { alice: ['.replicas'] },
  },
];

describe('who owns a new object', () => {
  for (const scenario of scenarios) it(scenario.title, () => runScenario(scenario));
});
