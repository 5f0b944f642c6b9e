import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Attributes } from '@orch/auth';
import { namesFor } from '@orch/machinery';
import { auditPolicyEvaluator } from './policy.ts';
import { readAuditPolicy } from './read-policy.ts';

const user = { name: 'alice', uid: '', groups: [], extra: {} };
const names = namesFor('orch');
const page = readFileSync(new URL('../../../../../docs/audit.md', import.meta.url), 'utf8');
const [, text = ''] = /```yaml\n(apiVersion[\s\S]*?)```/.exec(page) ?? [];

const request = (verb: string, resource: string, subresource = '', group = ''): Attributes => ({
  user,
  isResource: true,
  verb,
  group,
  version: 'v1',
  resource,
  subresource,
  namespace: 'a',
  name: 'x',
});

describe('the example policy of docs/audit.md', () => {
  const evaluate = auditPolicyEvaluator(readAuditPolicy({ text, file: 'policy.yaml' }, names, ['v1']));
  for (const [attributes, level] of [
    [request('create', 'secrets'), 'Metadata'],
    [request('create', 'serviceaccounts', 'token'), 'Metadata'],
    [request('create', 'tokenreviews', '', names.group('authentication')), 'Metadata'],
    [request('list', 'pods'), 'Metadata'],
    [request('create', 'pods', 'exec'), 'Metadata'],
    [request('create', 'pods'), 'Request'],
  ] as const) {
    it(`the policy records ${attributes.verb} of ${attributes.isResource ? `${attributes.resource}/${attributes.subresource}` : ''} at level ${level}`, () => {
      assert.equal(evaluate(attributes).level, level);
    });
  }

  it('the policy does not record health checks', () => {
    assert.equal(evaluate({ user, isResource: false, verb: 'get', path: '/readyz/ping' }).level, 'None');
  });
});
