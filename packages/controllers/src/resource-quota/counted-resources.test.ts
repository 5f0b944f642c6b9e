import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DiscoveredResource } from '@orch/client';
import { namesFor } from '@orch/machinery';
import { countedResources, countingAny } from './counted-resources.ts';

const all = ['create', 'delete', 'get', 'list', 'watch'];
const found = (
  group: string,
  resource: string,
  rest: Partial<DiscoveredResource> = {},
): DiscoveredResource => ({
  group,
  version: 'v1',
  singular: '',
  resource,
  kind: resource,
  namespaced: true,
  verbs: all,
  shortNames: [],
  categories: [],
  subresources: [],
  ...rest,
});

describe('resources that quotas count', () => {
  const preferred = [
    found('', 'pods'),
    found('', 'services'),
    found('', 'configmaps'),
    found('', 'events'),
    found('', 'nodes', { namespaced: false }),
    found('', 'bindings', { verbs: ['create'] }),
    found('apps', 'deployments'),
    found('example.com', 'readings', { verbs: ['get', 'list', 'watch'] }),
  ];
  const counted = countedResources({ all: preferred, preferred, failed: new Map() }, namesFor('orch'));

  it('quotas count namespaced resources that can be created, deleted and watched, except events', () => {
    assert.deepEqual(
      counted.map(({ resource }) => resource.resource),
      ['pods', 'services', 'configmaps', 'deployments'],
    );
  });

  for (const [bounds, expected] of [
    [['pods'], ['pods']],
    [['requests.cpu', 'count/pods'], ['pods']],
    [
      ['services.nodeports', 'count/deployments.apps'],
      ['services', 'deployments'],
    ],
    [['count/nodes', 'count/events', 'unheard/of'], []],
    [[], []],
  ] as const) {
    it(`${expected.join(' and ') || 'no resource'} must be counted for ${bounds.join(' and ') || 'no bound'}`, () => {
      assert.deepEqual(
        countingAny(counted, bounds).map(({ resource }) => resource.resource),
        expected,
      );
    });
  }
});
