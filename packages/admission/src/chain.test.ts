import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError, createMetrics, namesFor } from '@orch/machinery';
import { FakeClock } from '@orch/machinery/testing';
import { AdmissionChain } from './chain.ts';
import { pluginNames } from './plugins.ts';
import type { AdmissionAttributes, AdmissionPlugin, Refusal } from './types.ts';

const names = namesFor('orch');
const write: AdmissionAttributes = {
  operation: 'UPDATE',
  group: 'coordination',
  resource: 'leases',
  subresource: '',
  user: { name: 'alice', uid: '', groups: [], extra: {} },
  namespace: 'ns',
  name: 'l',
  dryRun: false,
  object: { metadata: { name: 'l' } },
  oldObject: { metadata: { name: 'l' } },
  signal: new AbortController().signal,
};

function chainOf(...refusals: readonly (Refusal | undefined | 'unconcerned')[]) {
  const asked: string[] = [];
  const metrics = createMetrics();
  const plugins = refusals.map(
    (refusal, index): AdmissionPlugin => ({
      name: `p${index}`,
      handles: () => refusal !== 'unconcerned',
      validate() {
        asked.push(`p${index}`);
        return refusal;
      },
    }),
  );
  return { chain: new AdmissionChain(plugins, { names, metrics, clock: new FakeClock() }), asked, metrics };
}

describe('admission chain of plugins', () => {
  it('the chain handles the writes that one of its plugins handles', () => {
    assert.equal(chainOf().chain.handles(write), false);
    assert.equal(chainOf('unconcerned').chain.handles(write), false);
    assert.equal(chainOf('unconcerned', undefined).chain.handles(write), true);
  });

  it('plugins that handle the write are called in order until one refuses', async () => {
    const { chain, asked } = chainOf(undefined, 'unconcerned', 'no', 'never');
    await assert.rejects(chain.admit(write), (error) => {
      assert.ok(error instanceof ApiError);
      assert.equal(error.status.code, 403);
      assert.equal(error.status.reason, 'Forbidden');
      assert.equal(error.status.message, `leases.${names.group('coordination')} "l" is forbidden: no`);
      return true;
    });
    assert.deepEqual(asked, ['p0', 'p2']);
  });

  it('a write that no plugin refuses is admitted', async () => {
    const { chain, asked } = chainOf(undefined, undefined);
    await chain.admit(write);
    assert.deepEqual(asked, ['p0', 'p1']);
  });

  it('plugins are measured by operation and outcome', async () => {
    const { chain, metrics } = chainOf(undefined, 'no');
    await assert.rejects(chain.admit(write));
    const text = metrics.text();
    const family = 'apiserver_admission_controller_admission_duration_seconds_count';
    assert.match(
      text,
      new RegExp(`${family}\\{name="p0",operation="UPDATE",rejected="false",type="validate"\\} 1`),
    );
    assert.match(
      text,
      new RegExp(`${family}\\{name="p1",operation="UPDATE",rejected="true",type="validate"\\} 1`),
    );
  });

  it('the chain has the plugin names that flags use', () => {
    assert.deepEqual(pluginNames, [
      'NodeRestriction',
      'OwnerReferencesPermissionEnforcement',
      'CertificateApproval',
      'CertificateSigning',
      'CertificateSubjectRestriction',
    ]);
  });
});
