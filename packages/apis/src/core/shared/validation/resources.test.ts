import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FieldError, namesFor } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import type { CheckContext, PostponedChecks } from '@orch/schema';
import { checkContainer } from '../pod-spec/validation/container.ts';
import { checkContainerResources } from './resources.ts';

const names = namesFor('orch');

const listOf = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`example.com/r${i}`, '1']));

/** The lowest CPU time of several checks, ms. */
function cpuOf(count: number): number {
  const resources = { limits: listOf(count), requests: listOf(count) };
  const costs = Array.from({ length: 5 }, () => {
    const start = process.cpuUsage();
    assert.deepEqual(checkContainerResources('spec', resources, names), []);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  });
  return Math.min(...costs);
}

describe('resources of containers', () => {
  it('the check of requests and limits costs CPU in proportion to their number', () => {
    const [few, many] = [cpuOf(4_000), cpuOf(32_000)];
    // Eight times as many; each request beside each limit would cost 64 times as much.
    assert.ok(many < 30 * Math.max(few, 1), `${few} ms and ${many} ms`);
  });

  it('thousands of amounts are checked in pieces, whose number is in proportion, with the same errors', () => {
    const pieces = [4_000, 8_000].map((count) => {
      const resources = { limits: listOf(count), requests: { ...listOf(count), cpu: '-1' } };
      const postponed: PostponedChecks = [];
      const context: CheckContext = {
        ...{ path: 'c', old: undefined, operation: 'create' as const, root: {}, names, since: () => true },
        ...{ postponed, isDivided: true },
      };
      const container = { name: 'c', image: 'i', terminationMessagePolicy: 'File', resources };
      assert.deepEqual(checkContainer(container, context), []);
      const [work, ...others] = postponed;
      assert.ok(work !== undefined && others.length === 0);
      const { errors, yields } = finished(work);
      assert.deepEqual(errors, checkContainerResources('c.resources', resources, names));
      assert.equal(errors.length, 1);
      return yields;
    });
    const [few = 0, many = 0] = pieces;
    assert.ok(few >= 4 && many > 1.5 * few && many < 2.5 * few, `${few} and ${many} pieces`);
  });
});

/** The errors of work, and how often it yielded. */
function finished(work: Work<readonly FieldError[]>): { errors: readonly FieldError[]; yields: number } {
  for (let yields = 0; ; yields++) {
    const step = work.next();
    if (step.done === true) return { errors: step.value, yields };
  }
}
