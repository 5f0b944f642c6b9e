import assert from 'node:assert/strict';
import { it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { describeLensLaws } from '../testing/lens-laws.ts';
import { resourceClaimLens } from './v1alpha1/resource-claim.ts';
import { resourceClaims } from './v1alpha2/resource-claim.ts';

describeLensLaws(resourceClaims);

it('a handle that says nothing comes back from the older form', () => {
  const claim = { metadata: {}, status: { allocation: { resourceHandles: [{}] } } };
  const scope = { names: namesFor('orch'), root: claim };
  resourceClaimLens.fromHub(claim, scope);
  resourceClaimLens.toHub(claim, scope);
  assert.deepEqual(claim, { metadata: {}, status: { allocation: { resourceHandles: [{}] } } });
});
