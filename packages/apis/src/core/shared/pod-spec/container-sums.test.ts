import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Container } from '@orch/kinds/core';
import { formatQuantity } from '@orch/machinery/quantity';
import { seededRandom } from '@orch/machinery/testing';
import { containerSums } from './container-sums.ts';

const names = ['cpu', 'memory', 'hugepages-2Mi'];

/** The sums by their definition: what runs at each moment, and the most of each resource. */
function sumsByMoments(
  containers: readonly Container[],
  inits: readonly Container[],
): Record<string, number> {
  const amount = (container: Container, name: string): number =>
    Number(container.resources?.requests?.[name] ?? 0);
  const isKept = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always';
  const moments = [
    [...containers, ...inits.filter(isKept)],
    ...inits.map((own, i) => [own, ...inits.slice(0, i).filter(isKept)]),
  ];
  const known = names.filter((name) =>
    [...containers, ...inits].some(({ resources }) => resources?.requests?.[name] !== undefined),
  );
  return Object.fromEntries(
    known.map((name) => [
      name,
      Math.max(...moments.map((running) => running.reduce((sum, one) => sum + amount(one, name), 0))),
    ]),
  );
}

describe('the amounts of the containers of a pod', () => {
  it('sums of containers are the most that runs at a moment, for random pods', () => {
    const random = seededRandom(7);
    const container = (isInit: boolean): Container => ({
      name: 'c',
      ...(isInit && random.int(2) === 0 ? { restartPolicy: 'Always' } : {}),
      resources: {
        requests: Object.fromEntries(
          names.filter(() => random.int(2) === 0).map((name) => [name, String(1 + random.int(9))]),
        ),
      },
    });
    for (let round = 0; round < 300; round++) {
      const containers = Array.from({ length: 1 + random.int(3) }, () => container(false));
      const initContainers = Array.from({ length: random.int(6) }, () => container(true));
      const sums = containerSums({ containers, initContainers }, 'requests');
      assert.deepEqual(
        Object.fromEntries(
          names.flatMap((name) => {
            const sum = sums.get(name);
            return sum === undefined ? [] : [[name, Number(formatQuantity(sum))]];
          }),
        ),
        sumsByMoments(containers, initContainers),
      );
    }
  });
});
