import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Authorizer } from '@orch/auth';
import { namesFor } from '@orch/machinery';
import { encodePem } from '@orch/pki/x509';
import { base64, makeRequest, simpleName } from '@orch/pki/x509/testing';
import { testWrite, validated } from '../testing/plugin-calls.ts';
import type { AdmissionAttributes, AdmissionPlugin, Verdict } from '../types.ts';
import { certificateApproval } from './certificate-approval.ts';
import { certificateSigning } from './certificate-signing.ts';
import { certificateSubjectRestriction } from './certificate-subject-restriction.ts';

const names = namesFor('kubernetes');
const signerName = 'example.com/signer';
const pending = { metadata: { name: 'r' }, spec: { signerName }, status: {} };
const failed = { ...pending, status: { conditions: [{ type: 'Failed', status: 'True' }] } };
const issued = { ...pending, status: { certificate: 'Y2VydA==' } };

/** Allows a verb on signers of these names. */
const allowing = (verb: string, ...signers: readonly string[]): Authorizer => ({
  authorize: (attributes) => {
    const isAllowed =
      attributes.isResource &&
      attributes.verb === verb &&
      attributes.resource === 'signers' &&
      attributes.group === names.group('certificates') &&
      signers.includes(attributes.name);
    return { verdict: isAllowed ? 'allow' : 'noOpinion', reason: '' };
  },
});

const validate = (plugin: AdmissionPlugin, write: Partial<AdmissionAttributes>): Verdict =>
  validated(
    plugin,
    testWrite({
      group: 'certificates',
      resource: 'certificatesigningrequests',
      name: 'r',
      object: pending,
      oldObject: pending,
      operation: 'UPDATE',
      ...write,
    }),
  );

const wildcards: readonly (readonly [signers: readonly string[], isAllowed: boolean])[] = [
  [[], false],
  [['example.com/signer'], true],
  [['example.com/*'], true],
  [['*'], false],
  [['example.com'], false],
  [['example.com/other'], false],
  [['example.co/*'], false],
];

describe('admission plugin CertificateApproval', () => {
  for (const [signers, isAllowed] of wildcards) {
    it(`an approval is ${isAllowed ? 'admitted' : 'refused'} with the verb approve on ${signers.join() || 'nothing'}`, async () => {
      const plugin = certificateApproval({ names, authorizer: allowing('approve', ...signers) });
      assert.equal(
        await validate(plugin, { subresource: 'approval' }),
        isAllowed ? undefined : `user not permitted to approve requests with signerName "${signerName}"`,
      );
    });
  }

  it('the signer of the stored request counts, not one that the update names', async () => {
    const plugin = certificateApproval({ names, authorizer: allowing('approve', 'own.example.com/*') });
    const object = { ...pending, spec: { signerName: 'own.example.com/s' } };
    assert.match(String(await validate(plugin, { subresource: 'approval', object })), /example\.com\/signer/);
  });

  it('the verb sign does not permit an approval', async () => {
    const plugin = certificateApproval({ names, authorizer: allowing('sign', signerName) });
    assert.notEqual(await validate(plugin, { subresource: 'approval' }), undefined);
  });

  it('other paths and other resources are not handled', async () => {
    const plugin = certificateApproval({ names, authorizer: allowing('approve') });
    assert.equal(await validate(plugin, { subresource: 'status', object: issued }), undefined);
    assert.equal(await validate(plugin, { subresource: '' }), undefined);
    assert.equal(await validate(plugin, { subresource: 'approval', resource: 'others' }), undefined);
  });
});

describe('admission plugin CertificateSigning', () => {
  it('the result of a request for a pod is set with the verb sign', async () => {
    const write = { resource: 'podcertificaterequests', subresource: 'status', object: failed };
    const verdict = (...signers: readonly string[]): Verdict =>
      validate(certificateSigning({ names, authorizer: allowing('sign', ...signers) }), write);
    assert.equal(await verdict('example.com/*'), undefined);
    assert.match(String(await verdict()), /not permitted to sign/);
  });

  for (const [signers, isAllowed] of wildcards) {
    it(`a certificate is ${isAllowed ? 'admitted' : 'refused'} with the verb sign on ${signers.join() || 'nothing'}`, async () => {
      const plugin = certificateSigning({ names, authorizer: allowing('sign', ...signers) });
      assert.equal(
        await validate(plugin, { subresource: 'status', object: issued }),
        isAllowed ? undefined : `user not permitted to sign requests with signerName "${signerName}"`,
      );
    });
  }

  const plugin = certificateSigning({ names, authorizer: allowing('approve', signerName) });
  it('a failure and its change are refused without the verb sign', async () => {
    assert.notEqual(await validate(plugin, { subresource: 'status', object: failed }), undefined);
    assert.notEqual(
      await validate(plugin, { subresource: 'status', object: pending, oldObject: failed }),
      undefined,
    );
  });

  it('a write of the status that changes neither certificate nor conditions is admitted', async () => {
    const object = { ...issued, metadata: { name: 'r', labels: { a: 'b' } } };
    assert.equal(await validate(plugin, { subresource: 'status', object, oldObject: issued }), undefined);
  });
});

describe('admission plugin CertificateSubjectRestriction', () => {
  const plugin = certificateSubjectRestriction({ names });
  const creation = (signer: string, ...organizations: readonly string[]): Partial<AdmissionAttributes> => {
    const der = makeRequest({ subject: simpleName('alice', organizations) });
    const request = base64(encodePem('CERTIFICATE REQUEST', der));
    return {
      operation: 'CREATE',
      object: { metadata: { name: 'r' }, spec: { signerName: signer, request } },
      oldObject: undefined,
    };
  };
  const { apiserverClient, legacyUnknown } = names.signers;

  for (const [title, write, isRefused] of [
    ['the group of masters', creation(apiserverClient, 'system:masters'), true],
    ['the group of masters among others', creation(apiserverClient, 'dev', 'system:masters', 'ops'), true],
    ['no group', creation(apiserverClient), false],
    ['a group with a similar name', creation(apiserverClient, 'system:master'), false],
    ['the group of masters from another signer', creation(legacyUnknown, 'system:masters'), false],
    [
      'an update',
      {
        ...creation(apiserverClient, 'system:masters'),
        operation: 'UPDATE',
      },
      false,
    ],
  ] as const) {
    it(`a request for ${title} is ${isRefused ? 'refused' : 'admitted'}`, async () => {
      assert.equal(
        await validate(plugin, write),
        isRefused ? `use of ${apiserverClient} signer with system:masters group is not allowed` : undefined,
      );
    });
  }
});
