import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { launchServer } from '@orch/testkit';
import { Exchange, serverOf } from './exchange.ts';
import { compareInvalidObjects, refusal } from './invalid-objects.ts';
import { compareMinimalObjects } from './minimal-objects.ts';
import { normalised } from './normalise.ts';
import { compareDiscovery, compareLists } from './served-resources.ts';

const policy = '/apis/policy/v1';

describe('the sections of a comparison', () => {
  it('two servers of the same release answer without differences', async () => {
    await using one = await launchServer({ naming: 'kubernetes' });
    await using other = await launchServer({ naming: 'kubernetes' });
    const exchange = new Exchange({ reference: serverOf(one.client), server: serverOf(other.client) });
    const resources = await compareDiscovery(exchange);
    const few = resources.filter(
      ({ base, kind }) => base === policy || kind === 'Service' || kind === 'Node',
    );
    await compareLists(exchange, few);
    await compareMinimalObjects(exchange, few);
    await compareInvalidObjects(
      exchange,
      few.filter(({ base }) => base === policy),
    );
    assert.deepEqual(exchange.differences, []);
    assert.ok(few.some(({ kind }) => kind === 'PodDisruptionBudget'));
  });

  it('refusals with the same causes in another order and in other words are equal', () => {
    let words = 0;
    const refused = (...causes: readonly string[]) => ({
      reason: 'Invalid',
      message: causes.join(),
      details: {
        causes: causes.map((field) => ({ reason: 'FieldValueInvalid', field, message: `${words++}` })),
      },
    });
    const seen = (...causes: readonly string[]) => normalised(refusal(refused(...causes)));
    assert.deepEqual(seen('a', 'b'), seen('b', 'a', 'b'));
    assert.notDeepEqual(seen('a'), seen('a', 'b'));
  });
});
