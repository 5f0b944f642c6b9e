import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MutableJsonObject } from '@orch/machinery/json';
import { metadataOf } from '../managed/encode.ts';
import { apply, event, runScenario, type Scenario, type Step, update } from '../testing/scenario.ts';

const annotation = 'tool/last-applied';
const tool = { lastApplied: annotation } as const;

const config = (spec: MutableJsonObject, apiVersion = 'test/v1'): string =>
  `${JSON.stringify({ apiVersion, kind: 'Deck', metadata: { name: 'd' }, spec })}\n`;

/** The client-side work of the tool: it patches the object and records the configuration in the annotation. */
const clientSide = (spec: MutableJsonObject, apiVersion?: string): Step =>
  update('client-side', { metadata: { annotations: { [annotation]: config(spec, apiVersion) } }, spec });

const recorded = (spec: MutableJsonObject): Step =>
  event('the annotation holds the configuration', ({ live }) => {
    const { annotations } = metadataOf(live) as { annotations: MutableJsonObject };
    assert.deepEqual(JSON.parse(String(annotations[annotation])), JSON.parse(config(spec)));
  });

const scenarios: readonly Scenario[] = [
  {
    title: 'the same tool takes over what it had set, without conflicts',
    steps: [clientSide({ replicas: 3, title: 't' }), apply('tool', { replicas: 4, title: 't' }, tool)],
    object: { 'spec.replicas': 4 },
    owners: { tool: ['.replicas', '.title'], 'client-side:update': '*' },
  },
  {
    title: 'another manager name opts out: it meets the conflicts',
    steps: [
      clientSide({ replicas: 3 }),
      apply('other', { replicas: 4 }, { expect: { conflicts: ['client-side .spec.replicas'] } }),
    ],
  },
  {
    title: 'fields that somebody else changed since are conflicts still',
    steps: [
      clientSide({ replicas: 3, title: 't' }),
      update('bob', { replicas: 9 }),
      apply('tool', { replicas: 4, title: 'u' }, { ...tool, expect: { conflicts: ['bob .spec.replicas'] } }),
    ],
    object: { 'spec.replicas': 9, 'spec.title': 't' },
  },
  {
    title: 'only those fields are listed as conflicts',
    steps: [
      clientSide({ replicas: 3, data: { a: '1', b: '1' } }),
      update('bob', { data: { a: '9' } }),
      apply(
        'tool',
        { replicas: 4, data: { a: '2', b: '2' } },
        { ...tool, expect: { conflicts: ['bob .spec.data.a'] } },
      ),
    ],
  },
  {
    title: 'fields that client-side apply never set are conflicts',
    steps: [
      clientSide({ replicas: 3 }),
      update('bob', { title: 'x' }),
      apply('tool', { replicas: 3, title: 't' }, { ...tool, expect: { conflicts: ['bob .spec.title'] } }),
    ],
  },
  {
    title: 'list items that client-side apply set are taken over by their key',
    steps: [
      clientSide({ containers: [{ name: 'x', image: '1' }] }),
      apply('tool', { containers: [{ name: 'x', image: '2' }] }, tool),
    ],
    object: { 'spec.containers.0.image': '2' },
  },
  {
    title: 'the annotation follows what is applied, so that a downgrade works',
    steps: [
      clientSide({ replicas: 3, title: 't' }),
      apply('tool', { replicas: 4 }, tool),
      recorded({ replicas: 4 }),
    ],
  },
  {
    title: 'the annotation follows also where nothing else changes',
    steps: [
      clientSide({ replicas: 3, title: 't' }),
      apply('tool', { replicas: 3 }, tool),
      recorded({ replicas: 3 }),
    ],
    object: { 'spec.title': 't' },
  },
  {
    title: 'applying the same again writes nothing, annotation and all',
    steps: [
      clientSide({ replicas: 3 }),
      apply('tool', { replicas: 3 }, tool),
      apply('tool', { replicas: 3 }, { ...tool, expect: 'unchanged' }),
    ],
  },
  {
    title: 'another manager leaves the annotation alone',
    steps: [clientSide({ replicas: 3 }), apply('other', { title: 't' }), recorded({ replicas: 3 })],
  },
  {
    title: 'an object without the annotation does not get one',
    steps: [apply('tool', { replicas: 3 }, tool)],
    object: { 'metadata.annotations': undefined },
  },
  {
    title: 'the annotation keeps its owner',
    steps: [clientSide({ replicas: 3 }), apply('tool', { replicas: 4 }, tool)],
    owners: {
      tool: ['.replicas'],
      'client-side:update': [
        '.metadata.annotations',
        `.metadata.annotations.${annotation}`,
        '.mode',
        '.strategy.type',
      ],
    },
  },
  {
    title: 'an annotation of another version is not a reason to take anything over',
    steps: [
      clientSide({ replicas: 3 }, 'test/v2'),
      apply('tool', { replicas: 4 }, { ...tool, expect: { conflicts: ['client-side .spec.replicas'] } }),
    ],
  },
  {
    title: 'an annotation that is not JSON is not a reason either',
    steps: [
      update('client-side', {
        metadata: { annotations: { [annotation]: '{"spec"' } },
        spec: { replicas: 3 },
      }),
      apply('tool', { replicas: 4 }, { ...tool, expect: { conflicts: ['client-side .spec.replicas'] } }),
    ],
  },
  {
    title: 'an annotation that does not fit the kind is not a reason either',
    steps: [
      update('client-side', {
        metadata: { annotations: { [annotation]: config({ replicas: 'three' }) } },
        spec: { replicas: 3 },
      }),
      apply('tool', { replicas: 4 }, { ...tool, expect: { conflicts: ['client-side .spec.replicas'] } }),
    ],
  },
  {
    title: 'a configuration that is too large for the annotation leaves an empty one',
    steps: [clientSide({ replicas: 3 }), apply('tool', { data: { big: 'x'.repeat(300_000) } }, tool)],
    object: { 'metadata.annotations': { [annotation]: '' } },
  },
  {
    title: 'after the migration what is dropped stays as long as the client-side entry owns it',
    steps: [
      clientSide({ replicas: 3, title: 't' }),
      apply('tool', { replicas: 3, title: 't' }, tool),
      apply('tool', { replicas: 3 }, tool),
    ],
    object: { 'spec.title': 't' },
  },
];

describe('migration from client-side apply', () => {
  for (const scenario of scenarios) it(scenario.title, () => runScenario(scenario));
});
