import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
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
});
