import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '@orch/machinery/testing';
import { launchServer } from '@orch/testkit';
import { Exchange, serverOf } from '../exchange.ts';
import { requestGroups } from './index.ts';
import { RandomSchemas } from './random-schemas.ts';
import { combinations, queryOf } from './request-case.ts';

describe('odd requests', () => {
  it('two servers of the same release answer odd requests in the same way', async () => {
    await using one = await launchServer({ naming: 'kubernetes' });
    await using other = await launchServer({ naming: 'kubernetes' });
    const exchange = new Exchange({ reference: serverOf(one.client), server: serverOf(other.client) });
    for (const name of ['definitions', 'policies', 'bodies'])
      await requestGroups[name]?.(exchange, { count: 3, seed: 1 });
    assert.deepEqual(exchange.differences, []);
    assert.ok(exchange.requests > 900, String(exchange.requests));
  });

  it('a seed always gives the same schemas', () => {
    const schemaOf = (seed: number): object => new RandomSchemas(seededRandom(seed)).schema();
    assert.deepEqual(schemaOf(7), schemaOf(7));
    assert.notDeepEqual(schemaOf(7), schemaOf(8));
  });

  it('a query has the parameters with a value in every combination', () => {
    const lists = [
      [undefined, 'a b'],
      ['1', ''],
    ];
    assert.deepEqual(
      combinations(lists).map(([a, b]) => queryOf({ a, b })),
      ['?b=1', '?b=', '?a=a%20b&b=1', '?a=a%20b&b='],
    );
    assert.equal(queryOf({ a: undefined }), '');
  });
});
