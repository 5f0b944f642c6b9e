import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import type { kinds } from '@orch/client';
import { namesFor } from '@orch/machinery';
import { formatTime } from '@orch/machinery/time';
import { expirationOf, readBootstrapToken } from './bootstrap-token.ts';
import { nextExpiration, signedConfigMap } from './reconcile.ts';

const names = namesFor('orch');
const now = Date.UTC(2026, 0, 1);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

interface Changes {
  readonly data?: Readonly<Record<string, string>>;
  readonly metadata?: object;
  readonly type?: string;
}

const token = (
  id: string,
  { data = {}, metadata = {}, type = names.secretTypes.bootstrapToken }: Changes = {},
) => {
  const all = {
    'token-id': id,
    'token-secret': '0123456789abcdef',
    'usage-bootstrap-signing': 'true',
    ...data,
  };
  const encoded = Object.entries(all).map(([key, value]) => [key, base64(value)]);
  return {
    metadata: { name: `bootstrap-token-${id}`, ...metadata },
    type,
    data: Object.fromEntries(encoded) as Record<string, string>,
  };
};

const map = (data: Readonly<Record<string, string>> | undefined): kinds.core.ConfigMap => ({
  metadata: { name: 'cluster-info' },
  ...(data === undefined ? {} : { data: { ...data } }),
});

const signatures = async (secrets: readonly kinds.core.Secret[]): Promise<readonly string[]> => {
  const signed = await signedConfigMap(map({ kubeconfig: 'text' }), secrets, { now, names });
  return Object.keys(signed?.data ?? {})
    .filter((key) => key !== 'kubeconfig')
    .map((key) => key.slice('jws-kubeconfig-'.length));
};

describe('bootstrap tokens in secrets', () => {
  const past = formatTime(now - 1000);
  const later = formatTime(now + 1000);
  for (const [title, secret, expected] of [
    ['a bootstrap token', token('abcdef'), true],
    ['a token that has not expired', token('abcdef', { data: { expiration: later } }), true],
    ['a token that has just expired', token('abcdef', { data: { expiration: formatTime(now) } }), false],
    ['a token that has expired', token('abcdef', { data: { expiration: past } }), false],
    ['a token whose expiration cannot be parsed', token('abcdef', { data: { expiration: 'soon' } }), false],
    [
      'a token without the usage signing',
      token('abcdef', { data: { 'usage-bootstrap-signing': 'false' } }),
      false,
    ],
    [
      'a token whose usage is spelled True',
      token('abcdef', { data: { 'usage-bootstrap-signing': 'True' } }),
      false,
    ],
    ['a token with another name', token('abcdef', { metadata: { name: 'bootstrap-token-other1' } }), false],
    ['a token with an upper-case id', token('ABCDEF'), false],
    [
      'a token whose secret has another format',
      token('abcdef', { data: { 'token-secret': 'tokenSecret' } }),
      true,
    ],
    ['a token with no secret', token('abcdef', { data: { 'token-secret': '' } }), false],
    ['a secret of another type', token('abcdef', { type: 'Opaque' }), false],
    ['a token that is being deleted', token('abcdef', { metadata: { deletionTimestamp: past } }), false],
  ] as const) {
    it(`${title} signs the cluster information: ${expected}`, async () =>
      assert.deepEqual(await signatures([secret]), expected ? ['abcdef'] : []));
  }
});

describe('signatures of the cluster information', () => {
  it('the cluster information has one detached signature per token, made with the whole token', async () => {
    const text = 'clusters: [] # Größe\n';
    const signed = await signedConfigMap(map({ kubeconfig: text }), [token('aaaaaa'), token('bbbbbb')], {
      now,
      names,
    });
    const data = signed?.data ?? {};
    assert.deepEqual(Object.keys(data), ['kubeconfig', 'jws-kubeconfig-aaaaaa', 'jws-kubeconfig-bbbbbb']);
    const [head = '', middle, tail] = (data['jws-kubeconfig-aaaaaa'] ?? '').split('.');
    assert.deepEqual(JSON.parse(Buffer.from(head, 'base64url').toString()), { alg: 'HS256', kid: 'aaaaaa' });
    assert.equal(middle, '');
    const payload = Buffer.from(text).toString('base64url');
    const expected = createHmac('sha256', 'aaaaaa.0123456789abcdef').update(`${head}.${payload}`);
    assert.equal(tail, expected.digest('base64url'));
  });

  it('the cluster information is not written when its signatures are current', async () => {
    const signed = await signedConfigMap(map({ kubeconfig: 'x', other: 'y' }), [token('aaaaaa')], {
      now,
      names,
    });
    assert.ok(signed);
    assert.equal(await signedConfigMap(signed, [token('aaaaaa')], { now, names }), undefined);
  });

  it('signatures of deleted tokens are removed, and other data is kept', async () => {
    const before = map({ kubeconfig: 'x', other: 'y', 'jws-kubeconfig-gone12': 'a..b' });
    const signed = await signedConfigMap(before, [], { now, names });
    assert.deepEqual(signed?.data, { kubeconfig: 'x', other: 'y' });
  });

  for (const data of [undefined, {}, { other: 'y' }, { kubeconfig: '' }]) {
    it(`a config map without a client configuration gets no signatures: ${JSON.stringify(data)}`, async () =>
      assert.equal(await signedConfigMap(map(data), [token('aaaaaa')], { now, names }), undefined));
  }
});

describe('expiration of bootstrap tokens', () => {
  for (const [text, expected] of [
    ['', Number.POSITIVE_INFINITY],
    ['2026-01-01T00:00:00Z', now],
    ['2026-01-01T02:00:00+02:00', now],
    ['2026-01-01T00:00:00.5Z', now + 500],
    ['2026-01-01T00:00:00Z\n', now],
    ['2026-01-01', Number.NEGATIVE_INFINITY],
    ['never', Number.NEGATIVE_INFINITY],
  ] as const) {
    it(`the expiration ${JSON.stringify(text)} is ${expected}`, () =>
      assert.equal(expirationOf(token('abcdef', { data: { expiration: text } })), expected));
  }

  it('the next expiration is the earliest one in the future', () => {
    const at = (ms: number) => token('abcdef', { data: { expiration: formatTime(now + ms) } });
    assert.equal(nextExpiration([token('aaaaaa'), at(5000), at(2000), at(-1000)], now), now + 2000);
    assert.equal(nextExpiration([token('aaaaaa'), at(-1000)], now), undefined);
  });

  it('a bootstrap token consists of its id and its secret', () => {
    assert.deepEqual(readBootstrapToken(token('abcdef'), names), {
      id: 'abcdef',
      token: 'abcdef.0123456789abcdef',
      isForSigning: true,
    });
  });
});
