import { describe, it } from 'node:test';
import { apply, replace, runScenario, type Scenario, timeOfStep, update } from '../testing/scenario.ts';

const scenarios: readonly Scenario[] = [
  {
    title: 'an update that changes a field owns it alone, without conflict',
    steps: [apply('alice', { replicas: 3, mode: 'Slow' }), update('bob', { replicas: 4 })],
    object: { 'spec.replicas': 4 },
    owners: { alice: ['.mode'], 'bob:update': ['.replicas'] },
    times: { alice: timeOfStep(1), 'bob:update': timeOfStep(2) },
  },
  {
    title: 'an update takes a shared field from all its owners',
    steps: [
      apply('alice', { replicas: 3, mode: 'Slow' }),
      apply('bob', { replicas: 3, mode: 'Slow' }),
      update('carol', { replicas: 4 }),
    ],
    owners: { alice: ['.mode'], bob: ['.mode'], 'carol:update': ['.replicas'] },
  },
  {
    title: 'a manager whose last field an update sets is no longer listed',
    steps: [apply('alice', { replicas: 3 }), update('bob', { replicas: 4 })],
    owners: { 'bob:update': ['.replicas'] },
  },
  {
    title: 'an update does not own what it sends unchanged',
    steps: [apply('alice', { replicas: 3, mode: 'Slow' }), update('bob', { replicas: 3, mode: 'Fast' })],
    owners: { alice: ['.replicas'], 'bob:update': ['.mode'] },
  },
  {
    title: 'updates of one manager add up',
    steps: [
      apply('alice', { replicas: 3 }),
      update('bob', { mode: 'Slow' }),
      update('bob', { metadata: { labels: { x: '1' } } }),
    ],
    owners: { alice: ['.replicas'], 'bob:update': ['.mode', '.metadata.labels', '.metadata.labels.x'] },
    times: { 'bob:update': timeOfStep(3) },
  },
  {
    title: 'an update that changes its own field moves its time',
    steps: [apply('alice', { mode: 'Slow' }), update('bob', { replicas: 3 }), update('bob', { replicas: 4 })],
    owners: { alice: ['.mode'], 'bob:update': ['.replicas'] },
    times: { alice: timeOfStep(1), 'bob:update': timeOfStep(3) },
  },
  {
    title: 'a field that an update removes has no owner',
    steps: [
      apply('alice', { metadata: { labels: { a: '1', b: '2' } } }),
      update('bob', { metadata: { labels: { a: null } } }),
    ],
    object: { 'metadata.labels': { b: '2' } },
    owners: { alice: ['.metadata.labels.b'] },
    times: { alice: timeOfStep(1) },
  },
  {
    title: 'a container that an update removes takes the ownership of all in it along',
    steps: [
      apply('alice', { containers: [{ name: 'x', image: '1', args: ['a'] }], mode: 'Slow' }),
      replace('bob', { mode: 'Slow' }),
    ],
    owners: { alice: ['.mode'] },
  },
  {
    title: 'an updater that removes its own field gives it up and moves its time',
    steps: [
      apply('alice', { mode: 'Slow' }),
      update('bob', { metadata: { labels: { a: '1', b: '2' } } }),
      update('bob', { metadata: { labels: { a: null } } }),
    ],
    owners: { alice: ['.mode'], 'bob:update': ['.metadata.labels', '.metadata.labels.b'] },
    times: { 'bob:update': timeOfStep(3) },
  },
  {
    title: 'a removed field that gets its default again is set by the one who removed it',
    steps: [apply('alice', { mode: 'Slow', replicas: 2 }), update('bob', { mode: null })],
    object: { 'spec.mode': 'Fast' },
    owners: { alice: ['.replicas'], 'bob:update': ['.mode'] },
  },
  {
    title: 'an applier that lost a field to an update gets it back only by force',
    steps: [
      apply('alice', { replicas: 3 }),
      update('bob', { replicas: 4 }),
      apply('alice', { replicas: 3 }, { expect: { conflicts: ['bob .spec.replicas'] } }),
      apply('alice', { replicas: 3 }, { force: true }),
    ],
    object: { 'spec.replicas': 3 },
    owners: { alice: ['.replicas'] },
  },
  {
    title: 'an applier may share what an update set in its place',
    steps: [apply('alice', { replicas: 3 }), update('bob', { replicas: 4 }), apply('alice', { replicas: 4 })],
    owners: { alice: ['.replicas'], 'bob:update': ['.replicas'] },
  },
  {
    title: 'an update back to the former value does not give the field back',
    steps: [apply('alice', { replicas: 3 }), update('bob', { replicas: 4 }), update('bob', { replicas: 3 })],
    owners: { 'bob:update': ['.replicas'] },
  },
  {
    title: 'updates of two managers hand a field over',
    steps: [
      apply('alice', { mode: 'Slow' }),
      update('bob', { replicas: 4 }),
      update('carol', { replicas: 5 }),
    ],
    owners: { alice: ['.mode'], 'carol:update': ['.replicas'] },
  },
  {
    title: 'an update of one field of a list item owns that field only',
    steps: [
      apply('alice', { containers: [{ name: 'x', image: '1' }] }),
      update('bob', { containers: [{ name: 'x', image: '2' }] }),
    ],
    owners: {
      alice: ['.containers[name="x"]', '.containers[name="x"].name'],
      'bob:update': ['.containers[name="x"].image'],
    },
  },
  {
    title: 'an update that adds a list item owns all of it, defaults included',
    steps: [
      apply('alice', { containers: [{ name: 'x', image: '1' }] }),
      update('bob', {
        containers: [
          { name: 'x', image: '1' },
          { name: 'y', image: '2' },
        ],
      }),
    ],
    owners: {
      alice: ['.containers[name="x"]', '.containers[name="x"].name', '.containers[name="x"].image'],
      'bob:update': [
        '.containers[name="y"]',
        '.containers[name="y"].name',
        '.containers[name="y"].image',
        '.containers[name="y"].policy',
      ],
    },
  },
  {
    title: 'an update that only moves list items owns nothing',
    steps: [
      apply('alice', { containers: [{ name: 'x' }, { name: 'y' }] }),
      update('bob', { containers: [{ name: 'y' }, { name: 'x' }] }),
    ],
    object: { 'spec.containers.0.name': 'y' },
    owners: { alice: '*' },
  },
  {
    title: 'an update that moves items of an atomic list owns the list',
    steps: [apply('alice', { args: ['x', 'y'], mode: 'Slow' }), update('bob', { args: ['y', 'x'] })],
    owners: { alice: ['.mode'], 'bob:update': ['.args'] },
  },
  {
    title: 'an update of an annotation leaves other annotations with their owners',
    steps: [
      apply('alice', { metadata: { annotations: { a: '1', b: '1' } } }),
      update('bob', { metadata: { annotations: { b: '2' } } }),
    ],
    owners: { alice: ['.metadata.annotations.a'], 'bob:update': ['.metadata.annotations.b'] },
  },
  {
    title: 'an updater loses its entry when an apply takes its last field',
    steps: [
      apply('alice', { mode: 'Slow' }),
      update('bob', { replicas: 4 }),
      apply('carol', { replicas: 5 }, { force: true }),
    ],
    owners: { alice: ['.mode'], carol: ['.replicas'] },
  },
];

describe('writes other than apply', () => {
  for (const scenario of scenarios) it(scenario.title, () => runScenario(scenario));
});
