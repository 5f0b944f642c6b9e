import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { authorities, requests } from '@orch/pki/x509/testing';
import { writePath } from '../../testing/write-path.ts';
import { causes, edited } from '../../testing/writes.ts';
import { clusterTrustBundles } from './index.ts';

const path = writePath(undefined, '1.27');
const [one, two] = authorities;

describe('trust bundles', () => {
  for (const [title, name, spec, ...errors] of [
    ['without a signer', 'roots', { trustBundle: one + two }],
    ['of a signer', 'example.com:ca:roots', { signerName: 'example.com/ca', trustBundle: one }],
    [
      'named otherwise than their signer',
      'roots',
      { signerName: 'example.com/ca', trustBundle: one },
      'FieldValueInvalid metadata.name',
    ],
    [
      'named after a signer that they do not have',
      'example.com:ca:roots',
      { trustBundle: one },
      'FieldValueInvalid metadata.name',
    ],
    [
      'of something that is not a signer',
      'ca:roots',
      { signerName: 'ca', trustBundle: one },
      'FieldValueInvalid spec.signerName',
    ],
    ['without certificates', 'roots', { trustBundle: '' }, 'FieldValueInvalid spec.trustBundle'],
    ['with something else', 'roots', { trustBundle: requests.rsa }, 'FieldValueInvalid spec.trustBundle'],
    [
      'with a certificate twice',
      'roots',
      { trustBundle: one + two + one },
      'FieldValueInvalid spec.trustBundle',
    ],
  ] as const) {
    it(`trust bundles: ${title}: ${errors.join() || 'valid'}`, () =>
      assert.deepEqual(causes(path.create(clusterTrustBundles, { metadata: { name }, spec })), errors));
  }

  const { object } = path.create(clusterTrustBundles, {
    metadata: { name: 'example.com:ca:roots' },
    spec: { signerName: 'example.com/ca', trustBundle: one },
  });

  it('trust bundles stay with their signer, and may trust others', () => {
    const update = (set: Readonly<Record<string, unknown>>): readonly string[] =>
      causes(path.update(clusterTrustBundles, object, edited(object, set)));
    assert.deepEqual(update({ 'spec.signerName': 'example.com/other' }), [
      'FieldValueInvalid spec.signerName',
    ]);
    assert.deepEqual(update({ 'spec.trustBundle': two }), []);
  });

  it('trust bundles show and can be narrowed by their signer', () => {
    assert.deepEqual(clusterTrustBundles.table?.cells(object, namesFor('orch')), [
      'example.com:ca:roots',
      'example.com/ca',
    ]);
    assert.equal(clusterTrustBundles.fields['spec.signerName']?.(object), 'example.com/ca');
  });
});
