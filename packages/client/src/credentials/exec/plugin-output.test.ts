import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clients } from '../../transport/testing/certificates.ts';
import { CredentialError } from '../credential-error.ts';
import { readPluginOutput } from './plugin-output.ts';

const expected = { command: 'orch-login', apiVersion: 'client.authentication.orch.io/v1' };
const answer = (status: unknown, changes: object = {}): string =>
  JSON.stringify({ apiVersion: expected.apiVersion, kind: 'ExecCredential', status, ...changes });
const pair = (field: 'one' | 'two') => ({
  clientCertificateData: clients[field].cert,
  clientKeyData: clients[field].key,
});
const { one } = clients;
const read = (text: string) => readPluginOutput(Buffer.from(text), expected);

describe('outputs of exec plugins', () => {
  for (const [title, output, found] of [
    ['a token', answer({ token: 't1' }), { identity: { headers: { authorization: 'Bearer t1' } } }],
    ['a certificate and its key', answer(pair('one')), { identity: { headers: {}, tls: one } }],
    [
      'a token and a certificate with its key',
      answer({ token: 't1', ...pair('one') }),
      { identity: { headers: { authorization: 'Bearer t1' }, tls: one } },
    ],
    [
      'a token with an expiration',
      answer({ token: 't1', expirationTimestamp: '2026-11-22T01:00:00+01:00' }),
      { identity: { headers: { authorization: 'Bearer t1' } }, expiresAt: Date.UTC(2026, 10, 22) },
    ],
    [
      'null and empty fields, which count as absent',
      answer({ token: 't1', expirationTimestamp: null, clientCertificateData: '', clientKeyData: null }),
      { identity: { headers: { authorization: 'Bearer t1' } } },
    ],
    [
      'behind a byte order mark',
      `\ufeff${answer({ token: 't1' })}`,
      { identity: { headers: { authorization: 'Bearer t1' } } },
    ],
    [
      'surrounded by blanks, with unknown fields',
      ` ${answer({ token: 't1', next: [1] }, { spec: { interactive: true } })}\n`,
      { identity: { headers: { authorization: 'Bearer t1' } } },
    ],
  ] as const)
    it(`the output of an exec plugin can be ${title}`, () => assert.deepEqual(read(output), found));

  const tokenBehindPrototype = `{"apiVersion":"${expected.apiVersion}","kind":"ExecCredential","status":{"__proto__":{"token":"s3cret"}}}`;
  for (const [title, output, problem] of [
    ['empty', '', 'it is empty'],
    ['no JSON', 'token: s3cret', 'it is not JSON'],
    ['two objects', `${answer({ token: 's3cret' })}${answer({ token: 's3cret' })}`, 'it is not JSON'],
    ['a list', '["s3cret"]', 'it is not an object'],
    ['no kind', answer({}, { kind: undefined }), 'kind must be ExecCredential, and is absent'],
    [
      'another kind',
      answer({ token: 's3cret' }, { kind: 'TokenReview' }),
      'kind must be ExecCredential, and is TokenReview',
    ],
    [
      'another version',
      answer({ token: 's3cret' }, { apiVersion: 'client.authentication.orch.io/v1beta1' }),
      'apiVersion must be client.authentication.orch.io/v1, and is client.authentication.orch.io/v1beta1',
    ],
    [
      'the version of another naming',
      answer({ token: 's3cret' }, { apiVersion: 'client.authentication.k8s.io/v1' }),
      'apiVersion must be client.authentication.orch.io/v1, and is client.authentication.k8s.io/v1',
    ],
    [
      'an invalid version',
      answer({}, { apiVersion: 's3cret s3cret' }),
      'apiVersion must be client.authentication.orch.io/v1, and is something else',
    ],
    ['no status', answer(undefined), 'it has no status'],
    ['a status that is null', answer(null), 'it has no status'],
    ['a status that is a string', answer('s3cret'), 'status is not an object'],
    ['an empty status', answer({}), 'status has neither a token nor a certificate and its key'],
    ['what the status inherits', tokenBehindPrototype, 'status has neither a token nor a certificate'],
    ['a token that is a number', answer({ token: 5 }), 'status.token is not a string'],
    [
      'a token with a line break',
      answer({ token: 's3cret\r\nx: y' }),
      'status.token contains characters that a token cannot have',
    ],
    [
      'a certificate without key',
      answer({ token: 's3cret', clientCertificateData: one.cert }),
      'status.clientCertificateData is there without status.clientKeyData',
    ],
    [
      'a key without certificate',
      answer({ clientKeyData: one.key }),
      'status.clientKeyData is there without status.clientCertificateData',
    ],
    [
      'the key of another certificate',
      answer({ ...pair('one'), clientKeyData: clients.two.key }),
      'status.clientKeyData does not belong to the certificate',
    ],
    [
      'an invalid certificate',
      answer({ clientCertificateData: 's3cret', clientKeyData: one.key }),
      'status.clientCertificateData holds no certificate in PEM',
    ],
    [
      'an invalid key',
      answer({ clientCertificateData: one.cert, clientKeyData: 's3cret' }),
      'status.clientKeyData holds no private key',
    ],
    [
      'an invalid time',
      answer({ token: 's3cret', expirationTimestamp: 'tomorrow' }),
      'status.expirationTimestamp is not a time as of RFC 3339',
    ],
  ] as const)
    it(`the output of an exec plugin must not be ${title}, and the error contains no secret`, () => {
      assert.throws(
        () => read(output),
        (error) => {
          assert.ok(error instanceof CredentialError);
          assert.ok(
            error.message.startsWith(`exec plugin orch-login: what it printed cannot be used: ${problem}`),
            error.message,
          );
          assert.ok(!error.message.includes('s3cret') && !error.message.includes('PRIVATE'), error.message);
          assert.equal(error.cause, undefined);
          return true;
        },
      );
    });
});
