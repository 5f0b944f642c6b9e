import assert from 'node:assert/strict';
import { it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { describeLensLaws } from '../../../testing/lens-laws.ts';
import { classicResourceClaims } from './index.ts';
import { resourceClaimLens } from './v1alpha1.ts';

describeLensLaws(classicResourceClaims);

it('an empty handle survives the conversion to the older version and back', () => {
  const claim = { metadata: {}, status: { allocation: { resourceHandles: [{}] } } };
  const scope = { names: namesFor('orch'), root: claim };
  resourceClaimLens.fromHub(claim, scope);
  resourceClaimLens.toHub(claim, scope);
  assert.deepEqual(claim, { metadata: {}, status: { allocation: { resourceHandles: [{}] } } });
});
