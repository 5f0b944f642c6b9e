import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findType } from './registry.ts';

/**
 * Group, resource, scope, short names, categories, status subresource, columns (those of the wide view in brackets).
 */
const rows: readonly (readonly [string, string, string, string, string, boolean, string])[] = [
  [
    'autoscaling',
    'horizontalpodautoscalers',
    'namespace',
    'hpa',
    'all',
    true,
    'Name,Reference,Targets,MinPods,MaxPods,Replicas,Age',
  ],
  ['discovery', 'endpointslices', 'namespace', '', '', false, 'Name,AddressType,Ports,Endpoints,Age'],
  [
    'networking',
    'clustercidrs',
    'cluster',
    'cc',
    '',
    false,
    'Name,PerNodeHostBits,IPv4,IPv6,Age,[NodeSelector]',
  ],
  ['networking', 'ingressclasses', 'cluster', '', '', false, 'Name,Controller,Parameters,Age'],
  ['networking', 'ingresses', 'namespace', 'ing', '', true, 'Name,Class,Hosts,Address,Ports,Age'],
  ['networking', 'ipaddresses', 'cluster', 'ip', '', false, 'Name,ParentRef'],
  ['networking', 'networkpolicies', 'namespace', 'netpol', '', true, 'Name,Pod-Selector,Age'],
  [
    'policy',
    'poddisruptionbudgets',
    'namespace',
    'pdb',
    '',
    true,
    'Name,Min Available,Max Unavailable,Allowed Disruptions,Age',
  ],
  [
    'policy',
    'podsecuritypolicies',
    'cluster',
    'psp',
    '',
    false,
    'Name,Priv,Caps,SELinux,RunAsUser,FsGroup,SupGroup,ReadOnlyRootFs,Volumes',
  ],
  ['settings', 'podpresets', 'namespace', '', '', false, ''],
];

describe('rows of autoscaling, discovery, networking, policy and settings', () => {
  for (const [group, resource, scope, shortNames, categories, hasStatus, columns] of rows) {
    it(`the rows of ${group} ${resource} have the expected cells`, () => {
      const type = findType(group, resource);
      assert.ok(type);
      assert.deepEqual(
        [
          type.namespaced ? 'namespace' : 'cluster',
          type.shortNames.join(),
          type.categories.join(),
          type.subresources.map(({ name }) => name),
          (type.table?.columns ?? [])
            .map(({ name, priority }) => (priority === 0 ? name : `[${name}]`))
            .join(),
          type.verbs.length,
        ],
        [scope, shortNames, categories, hasStatus ? ['status'] : [], columns, 8],
      );
    });
  }
});
