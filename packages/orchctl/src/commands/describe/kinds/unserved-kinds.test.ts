import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import type { DescribeContext } from '../describer.ts';
import { describers } from '../registry.ts';
import { Description } from '../text/description.ts';

const context = { names: namesFor('kubernetes') } as DescribeContext;

async function textOf(kind: string, object: Omit<ApiObject, 'metadata'>): Promise<string> {
  const describer = describers.find((one) => one.kind === kind);
  const out = new Description();
  await describer?.describe(out, { metadata: { name: 'a' }, ...object }, context);
  return out.toString();
}

describe('descriptions of kinds that only servers of other releases have', () => {
  it('a ServiceCIDR is described by its ranges and conditions', async () => {
    const conditions = [{ type: 'Ready', status: 'True', reason: 'r', message: 'm' }];
    assert.equal(
      await textOf('ServiceCIDR', { spec: { cidrs: ['10.0.0.0/8', 'fd00::/8'] }, status: { conditions } }),
      [
        'Name:         a\nLabels:       <none>\nAnnotations:  <none>\nCIDRs:        10.0.0.0/8, fd00::/8\n',
        'Status:\nConditions:\n  Type   Status  LastTransitionTime               Reason  Message\n',
        '  ----   ------  ------------------               ------  -------\n',
        '  Ready  True    Mon, 01 Jan 0001 00:00:00 +0000  r       m\n',
      ].join(''),
    );
  });

  it('an IPAddress is described by its parent', async () => {
    const parentRef = { group: '', resource: 'services', namespace: 'n', name: 's' };
    assert.match(
      await textOf('IPAddress', { spec: { parentRef } }),
      /^Parent Reference:\n {2}Group: +\n {2}Resource: +services\n {2}Namespace: +n\n {2}Name: +s\n/m,
    );
  });

  it('a VolumeAttributesClass is described by its driver and parameters', async () => {
    assert.equal(
      await textOf('VolumeAttributesClass', { driverName: 'd', parameters: { b: '2', a: '1' } }),
      'Name:         a\nAnnotations:  <none>\nDriverName:   d\nParameters:   a=1,b=2\n',
    );
  });
});
