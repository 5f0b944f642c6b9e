import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Attributes, UserInfo } from '@orch/auth';
import { type FlowRule, matchesRequest, matchesUser } from './flow-table.ts';

const jane: UserInfo = { name: 'jane', uid: '', groups: ['devs'], extra: {} };

const get = (namespace: string): Attributes => ({
  user: jane,
  isResource: true,
  verb: 'get',
  group: '',
  version: 'v1',
  resource: 'nodes',
  subresource: '',
  namespace,
  name: 'n',
});

describe('the rules of flow schemas', () => {
  it('a rule of cluster-scoped resources, which is stored with null namespaces, matches no request in a namespace', () => {
    const every = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
    const rule: FlowRule = { resourceRules: [{ ...every, clusterScope: true, namespaces: null }] };
    assert.equal(matchesRequest(rule, get('')), true);
    assert.equal(matchesRequest(rule, get('default')), false);
  });

  it('a rule whose lists are null matches neither users nor requests', () => {
    const rule: FlowRule = {
      subjects: null,
      resourceRules: [{ verbs: null, apiGroups: null, resources: null }],
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: null }],
    };
    assert.equal(matchesUser(rule, jane, 'system:serviceaccount:'), false);
    assert.equal(matchesRequest(rule, get('')), false);
    assert.equal(
      matchesRequest(rule, { user: jane, isResource: false, verb: 'get', path: '/readyz' }),
      false,
    );
  });
});
