import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allControllers, type ControllerDescriptor } from '@orch/controllers';
import { selectControllers } from './selection.ts';

const one = (name: string, onByDefault = true): ControllerDescriptor => ({
  name,
  onByDefault,
  build: () => 'nothing',
});

const some = [one('namespace'), one('podgc'), one('tokencleaner', false)];

describe('selection of controllers by --controllers', () => {
  for (const [words, expected] of [
    [['*'], ['namespace', 'podgc']],
    [
      ['*', 'tokencleaner'],
      ['namespace', 'podgc', 'tokencleaner'],
    ],
    [
      ['tokencleaner', '*'],
      ['namespace', 'podgc', 'tokencleaner'],
    ],
    [['*', '-podgc'], ['namespace']],
    [['-podgc', '*'], ['namespace']],
    [['podgc'], ['podgc']],
    [['podgc', '-podgc'], ['podgc']],
    [['-podgc', 'podgc', '*'], ['namespace']],
    [['-podgc'], []],
    [[], []],
  ] as const) {
    it(`--controllers=${words.join(',')} enables the controllers: ${expected.join(', ') || 'none'}`, () => {
      assert.deepEqual(
        selectControllers(words, some).map(({ name }) => name),
        expected,
      );
    });
  }

  for (const word of ['namespaces', '-namespaces', '', '-', '--podgc', '-*', 'toString']) {
    it(`--controllers rejects ${JSON.stringify(word)} and lists the controllers`, () => {
      assert.throws(() => selectControllers(['*', word], some), {
        name: 'UsageError',
        message: /--controllers: must be \*, or one of namespace, podgc, tokencleaner/,
      });
    });
  }

  it('controllers have unique names, and those of workloads and bootstrap tokens are not enabled by *', () => {
    const names = allControllers.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(
      allControllers.filter(({ onByDefault }) => !onByDefault).map(({ name }) => name),
      [
        ...['bootstrapsigner', 'tokencleaner', 'replicaset', 'deployment'],
        ...['job', 'statefulset', 'endpointslice', 'daemonset', 'cronjob'],
      ].filter((name) => names.includes(name)),
    );
  });
});
