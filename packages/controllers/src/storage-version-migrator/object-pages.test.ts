import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TransportResponse } from '@orch/client';
import { configMap, configMaps, testClient } from '@orch/client/testing';
import { ApiError, errors } from '@orch/machinery';
import { isLater, pageAt } from './object-pages.ts';

const { signal } = new AbortController();

function refusal(error: ApiError): TransportResponse {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(JSON.stringify(error.status));
  }
  return { status: error.status.code, headers: { 'content-type': 'application/json' }, body: body() };
}

/** The names of a page of three objects at the token `old`, to which the server responds with an error. */
async function namesAfter(error: ApiError): Promise<readonly string[]> {
  const { api, client } = testClient({
    between: async (request, _signal, send) =>
      request.target.includes('continue=old') ? refusal(error) : await send(),
  });
  for (const name of ['a', 'b', 'c']) {
    const place = { collection: '/configmaps', namespace: 'default', name };
    api.objects.create(place, configMap(name), '2024-01-01T00:00:00Z');
  }
  const { items } = await pageAt(client.metadata(configMaps), 'old', signal);
  return items.map(({ metadata }) => metadata.name ?? '');
}

describe('pages of objects to be migrated', () => {
  it('a list whose token has expired continues at the token that the server returns', async () => {
    assert.deepEqual(await namesAfter(errors.expired('too old', '4:2')), ['c']);
  });

  it('a list whose token has expired, and for which the server returns none, starts again', async () => {
    assert.deepEqual(await namesAfter(errors.expired('too old')), ['a', 'b', 'c']);
  });

  it('a list whose token is invalid starts again', async () => {
    assert.deepEqual(await namesAfter(errors.badRequest('continue is not valid')), ['a', 'b', 'c']);
  });

  it('other failures of a list are thrown', async () => {
    await assert.rejects(namesAfter(errors.internal(new Error('x'))), ApiError);
  });

  for (const [version, other, expected] of [
    ['10', '9', true],
    ['9', '10', false],
    ['9', '9', false],
    ['9007199254740993', '9007199254740992', true],
    ['', '9', false],
    ['9', '', false],
    ['abc', '9', false],
    ['-1', '9', false],
  ] as const) {
    it(`the resourceVersion ${JSON.stringify(version)} is ${expected ? '' : 'not '}later than ${JSON.stringify(other)}`, () =>
      assert.equal(isLater(version, other), expected));
  }
});
