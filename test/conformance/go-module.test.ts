import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkGoModule, programPath } from '@orch/testkit';

const skip = programPath('go') === undefined ? 'go not found' : false;

describe('Go module of the tests', { skip }, () => {
  it('gofmt and go vet report nothing about the programs in Go', { timeout: 600_000 }, async () => {
    assert.equal(await checkGoModule(), '');
  });
});
