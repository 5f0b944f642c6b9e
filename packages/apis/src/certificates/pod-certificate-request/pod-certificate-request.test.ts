import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { timeMs } from '@orch/machinery/time';
import { makeRequest, testCertificate } from '@orch/pki/x509/testing';
import { writePath } from '../../testing/write-path.ts';
import { causes, edited } from '../../testing/writes.ts';
import { podCertificateRequests as type } from './index.ts';

const path = writePath(undefined, '1.37');
const earlier = writePath(undefined, '1.36', { version: 'certificates/v1beta1' });

const podUID = '0b9dcf3c-1d5c-4b1f-8a67-9f1b8f2ad9d4';
const common = {
  signerName: 'example.com/pods',
  podName: 'p',
  podUID,
  serviceAccountName: 'a',
  serviceAccountUID: 'u',
  nodeName: 'n',
  nodeUID: 'v',
};
const stubPKCS10Request = makeRequest({}).toString('base64');
const requested = (fields: object): object => ({ metadata: { name: 'r' }, spec: { ...common, ...fields } });
const forged = makeRequest({});
forged.writeUInt8(forged.readUInt8(forged.length - 1) ^ 1, forged.length - 1);
const small = generateKeyPairSync('rsa', { modulusLength: 2048 });
const spki = (key: ReturnType<typeof createPublicKey>): string =>
  key.export({ format: 'der', type: 'spki' }).toString('base64');

describe('requests for certificates of pods', () => {
  for (const [title, fields, ...expected] of [
    ['with a signing request', { stubPKCS10Request }],
    ['without a key', {}, 'FieldValueInvalid spec'],
    ['with something else', { stubPKCS10Request: 'AAAA' }, 'FieldValueInvalid spec.stubPKCS10Request'],
    [
      'with a signature that is not valid',
      { stubPKCS10Request: forged.toString('base64') },
      'FieldValueInvalid spec.stubPKCS10Request',
    ],
    [
      'for a certificate that is valid for less than an hour',
      { stubPKCS10Request, maxExpirationSeconds: 3599 },
      'FieldValueInvalid spec.maxExpirationSeconds',
    ],
    [
      'for a certificate of a signer of the cluster that is valid for more than a day',
      { stubPKCS10Request, maxExpirationSeconds: 86_401, signerName: 'orch.io/pods' },
      'FieldValueInvalid spec.maxExpirationSeconds',
    ],
    [
      'with an annotation without a domain',
      { stubPKCS10Request, unverifiedUserAnnotations: { a: 'b' } },
      'FieldValueInvalid spec.unverifiedUserAnnotations',
    ],
    ['without the identity of the pod', { stubPKCS10Request, podUID: '' }, 'FieldValueInvalid spec.podUID'],
    ['without the name of the node', { stubPKCS10Request, nodeName: '' }, 'FieldValueInvalid spec.nodeName'],
    [
      'without a valid name of the pod',
      { stubPKCS10Request, podName: 'A' },
      'FieldValueInvalid spec.podName',
    ],
  ] as const) {
    it(`requests for certificates of pods: ${title}: ${expected.join() || 'valid'}`, () =>
      assert.deepEqual(causes(path.create(type, requested(fields))), expected));
  }

  it('a request does not change', () => {
    const { object } = path.create(type, requested({ stubPKCS10Request }));
    assert.deepEqual(causes(path.update(type, object, edited(object, { 'spec.podName': 'q' }))), [
      'FieldValueInvalid spec',
    ]);
  });

  it('the key of an earlier release is strong, and its proof is a signature of the identity of the pod', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const given = (key: string, proof: Buffer): readonly string[] =>
      causes(
        earlier.create(type, requested({ pkixPublicKey: key, proofOfPossession: proof.toString('base64') })),
      );
    const proof = sign(null, Buffer.from(podUID), privateKey);
    assert.deepEqual(given(spki(publicKey), proof), []);
    assert.deepEqual(given(spki(publicKey), sign(null, Buffer.from('other'), privateKey)), [
      'FieldValueInvalid spec.proofOfPossession',
    ]);
    assert.deepEqual(given(spki(small.publicKey), proof), ['FieldValueInvalid spec.pkixPublicKey']);
  });

  it('a request shows its pod, account, node, signer and state', () => {
    const { object } = path.create(type, requested({ stubPKCS10Request }));
    assert.deepEqual(type.table?.cells(object, namesFor('orch')), [
      ...['r', 'p', 'a', 'n', 'example.com/pods', 'Pending', '<none>'],
    ]);
  });
});

describe('results of requests for certificates of pods', () => {
  const nowMs = timeMs(earlier.context.now) ?? 0;
  const times = { notBefore: nowMs, notAfter: nowMs + 7_200_000 };
  const issued = testCertificate({ commonName: 'p', use: 'client', ...times });
  const at = (ms: number): string => new Date(ms).toISOString().replace('.000', '');
  const { object: pending } = earlier.create(
    type,
    requested({
      pkixPublicKey: spki(createPublicKey(issued.key)),
      proofOfPossession: sign('sha256', Buffer.from(podUID), issued.key).toString('base64'),
    }),
  );
  const condition = (name: string, status = 'True'): object => ({
    ...{ type: name, status, reason: 'R', message: '', lastTransitionTime: earlier.context.now },
  });
  const status = {
    conditions: [condition('Issued')],
    certificateChain: issued.cert,
    notBefore: at(times.notBefore),
    notAfter: at(times.notAfter),
    beginRefreshAt: at(nowMs + 3_600_000),
  };
  const set = (next: object, stored = pending) =>
    earlier.update(type, stored, edited(stored, { status: next }), 'status');
  const other = testCertificate({ commonName: 'p', use: 'client', ...times });

  for (const [title, next, ...expected] of [
    ['with a certificate', status],
    ['a refusal', { conditions: [condition('Denied')] }],
    [
      'a refusal with a certificate',
      { ...status, conditions: [condition('Denied')] },
      'FieldValueInvalid status',
    ],
    [
      'an unknown condition',
      { conditions: [condition('Lost')] },
      'FieldValueNotSupported status.conditions[0].type',
    ],
    [
      'a condition that is not true',
      { conditions: [condition('Failed', 'False')] },
      'FieldValueNotSupported status.conditions[0].status',
    ],
    [
      'two conditions',
      { conditions: [condition('Failed'), condition('Denied')] },
      'FieldValueInvalid status.conditions[1].type',
    ],
    [
      'a certificate of another key',
      { ...status, certificateChain: other.cert },
      'FieldValueInvalid status.certificateChain',
    ],
    [
      'another beginning of the validity',
      { ...status, notBefore: at(nowMs + 1000) },
      'FieldValueInvalid status.notBefore',
    ],
    [
      'a late renewal',
      { ...status, beginRefreshAt: at(nowMs + 7_000_000) },
      'FieldValueInvalid status.beginRefreshAt',
    ],
    [
      'no times',
      { conditions: status.conditions, certificateChain: issued.cert },
      'FieldValueRequired status.notBefore',
      'FieldValueRequired status.notAfter',
      'FieldValueRequired status.beginRefreshAt',
    ],
  ] as const) {
    it(`results of requests for certificates of pods: ${title}: ${expected.join() || 'valid'}`, () =>
      assert.deepEqual(causes(set(next)), expected));
  }

  it('a result is final', () => {
    const { object } = set({ conditions: [condition('Denied')] });
    assert.deepEqual(causes(set({ conditions: [condition('Failed')] }, object)), [
      'FieldValueInvalid status',
    ]);
  });
});
