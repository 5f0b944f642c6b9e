import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testWrite, validated } from '../testing/plugin-calls.ts';
import { alwaysAdmit, alwaysDeny } from './always.ts';

describe('admission plugins AlwaysAdmit and AlwaysDeny', () => {
  for (const operation of ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const)
    it(`AlwaysAdmit admits and AlwaysDeny refuses the operation ${operation}`, () => {
      const write = testWrite({ operation });
      assert.equal(validated(alwaysAdmit(), write), undefined);
      assert.match(String(validated(alwaysDeny(), write)), /refuses all writes$/);
    });
});
