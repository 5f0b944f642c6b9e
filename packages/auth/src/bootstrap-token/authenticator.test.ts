import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { FakeClock } from '@orch/machinery/testing';
import { MemoryObjectSource } from '../testing/memory-object-source.ts';
import { credentials, resultOf } from '../testing/token-fixture.ts';
import { bootstrapTokenAuthenticator } from './authenticator.ts';

const names = namesFor('orch');
const token = 'abcdef.0123456789abcdef';
const whole = {
  'token-id': 'abcdef',
  'token-secret': '0123456789abcdef',
  'usage-bootstrap-authentication': 'true',
};

function open(data: Record<string, string | undefined> = {}, rest: Record<string, unknown> = {}) {
  const source = new MemoryObjectSource();
  const clock = new FakeClock();
  const encoded = Object.entries({ ...whole, ...data }).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, Buffer.from(value).toString('base64')]],
  );
  const { metadata, ...others } = rest;
  source.put('secrets', {
    type: 'bootstrap.orch.io/token',
    data: Object.fromEntries(encoded),
    ...others,
    metadata: {
      name: 'bootstrap-token-abcdef',
      namespace: 'orch-system',
      ...(metadata as object | undefined),
    },
  });
  const authenticator = bootstrapTokenAuthenticator({ names, clock, source });
  return {
    source,
    clock,
    authenticate: async (presented: string | undefined) => authenticator.authenticate(credentials(presented)),
  };
}

describe('bootstrap tokens', () => {
  it('a bootstrap token identifies its user and the groups', async () => {
    const { authenticate } = open({
      'auth-extra-groups': 'system:bootstrappers:a, system:bootstrappers:workers:x',
    });
    assert.deepEqual(await authenticate(token), {
      kind: 'user',
      user: {
        name: 'system:bootstrap:abcdef',
        uid: '',
        groups: [
          'system:bootstrappers',
          'system:bootstrappers:a',
          'system:bootstrappers:workers:x',
          'system:authenticated',
        ],
        extra: {},
      },
    });
  });

  for (const [what, data, rest, answer] of [
    [
      'with another secret half',
      { 'token-secret': '0123456789abcdeg' },
      {},
      'the bootstrap token does not match its secret',
    ],
    [
      'with a longer secret half',
      { 'token-secret': '0123456789abcdef0' },
      {},
      'the bootstrap token does not match its secret',
    ],
    [
      'without a secret half',
      { 'token-secret': undefined },
      {},
      'the bootstrap token does not match its secret',
    ],
    [
      'with another id in it',
      { 'token-id': 'abcdeg' },
      {},
      'the id of the bootstrap token does not match its secret',
    ],
    [
      'without an id',
      { 'token-id': undefined },
      {},
      'the id of the bootstrap token does not match its secret',
    ],
    [
      'that are for signing',
      { 'usage-bootstrap-authentication': undefined, 'usage-bootstrap-signing': 'true' },
      {},
      'the bootstrap token is not for authentication',
    ],
    [
      'that are for nothing',
      { 'usage-bootstrap-authentication': 'false' },
      {},
      'the bootstrap token is not for authentication',
    ],
    [
      'that are almost for authentication',
      { 'usage-bootstrap-authentication': 'True' },
      {},
      'the bootstrap token is not for authentication',
    ],
    ['of another type', {}, { type: 'Opaque' }, 'the secret is not a bootstrap token'],
    ['in another namespace', {}, { metadata: { namespace: 'default' } }, 'there is no such bootstrap token'],
    [
      'under another name',
      {},
      { metadata: { name: 'bootstrap-token-x' } },
      'there is no such bootstrap token',
    ],
    [
      'that are being deleted',
      {},
      { metadata: { deletionTimestamp: '2030-01-01T00:00:00Z' } },
      'the bootstrap token is being deleted',
    ],
    ['that are over', { expiration: '2023-12-31T23:59:59Z' }, {}, 'the bootstrap token has expired'],
    ['whose end is not a time', { expiration: 'tomorrow' }, {}, 'the bootstrap token has expired'],
    ['that end later', { expiration: '2024-01-01T00:00:01+00:00' }, {}, 'system:bootstrap:abcdef'],
    [
      'of the administrators',
      { 'auth-extra-groups': 'system:masters' },
      {},
      'the bootstrap token has a group that is not allowed for bootstrap tokens',
    ],
    [
      'of a group that only begins so',
      { 'auth-extra-groups': 'system:bootstrappers' },
      {},
      'the bootstrap token has a group that is not allowed for bootstrap tokens',
    ],
    [
      'of one good and one bad group',
      { 'auth-extra-groups': 'system:bootstrappers:a,b' },
      {},
      'the bootstrap token has a group that is not allowed for bootstrap tokens',
    ],
    [
      'of a group with an odd name',
      { 'auth-extra-groups': 'system:bootstrappers:A' },
      {},
      'the bootstrap token has a group that is not allowed for bootstrap tokens',
    ],
    [
      'whose group ends oddly',
      { 'auth-extra-groups': 'system:bootstrappers:a-' },
      {},
      'the bootstrap token has a group that is not allowed for bootstrap tokens',
    ],
  ] as readonly [string, Record<string, string | undefined>, Record<string, unknown>, string][]) {
    it(`the answer for a token ${what} is ${answer}`, async () =>
      assert.equal(resultOf(await open(data, rest).authenticate(token)), answer));
  }

  for (const presented of [
    undefined,
    'abcdef',
    'abcdef.',
    'abcdef.0123456789abcde',
    'abcdef.0123456789abcdef0',
    'ABCDEF.0123456789abcdef',
    'abcdef.0123456789abcdef.x',
    'abcde/.0123456789abcdef',
    'xabcdef.0123456789abcdef',
  ]) {
    it(`a token of another format is left to other authenticators: ${presented ?? 'none'}`, async () =>
      assert.equal(resultOf(await open().authenticate(presented)), 'none'));
  }

  it('a token becomes invalid at its expiration and with its secret', async () => {
    const { authenticate, clock, source } = open({ expiration: '2024-01-01T00:00:10Z' });
    assert.equal((await authenticate(token)).kind, 'user');
    clock.advance(10_000);
    assert.equal((await authenticate(token)).kind, 'rejected');
    source.delete('secrets', 'orch-system/bootstrap-token-abcdef');
    assert.equal(resultOf(await authenticate(token)), 'there is no such bootstrap token');
  });
});
