import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { seededRandom } from '@orch/machinery/testing';
import { formatTime } from '@orch/machinery/time';
import { issueCertificate } from '@orch/pki/x509';
import { requests } from '@orch/pki/x509/testing';
import { accessReview, autoApprovals } from './approving.ts';
import { deletionTime } from './cleaning.ts';
import { isToBeSigned, signerOf } from './signing-controller.ts';
import {
  readSigningRequest,
  type SigningRequestObject,
  withCertificate,
  withCondition,
} from './signing-request.ts';

const names = namesFor('orch');
const HOUR_MS = 3_600_000;
const created = Date.UTC(2026, 0, 1);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const object = (
  spec: Readonly<Record<string, unknown>>,
  status: Readonly<Record<string, unknown>> = {},
): SigningRequestObject => ({
  metadata: { name: 'r', creationTimestamp: formatTime(created) },
  spec: { request: base64(requests.nodeClient), ...spec },
  status,
});

const condition = (type: string, more: object = {}): object => ({ type, status: 'True', ...more });

describe('deletion of certificate signing requests', () => {
  const at = (ms: number): string => formatTime(created + ms);
  const decided = (type: string, ms: number): object => ({
    conditions: [condition(type, { lastUpdateTime: at(ms) })],
  });
  const certificate = base64(
    issueCertificate(
      { commonName: 'x', use: 'client', notBefore: created, notAfter: created + 2 * HOUR_MS },
      seededRandom(1),
    ).cert,
  );
  const now = created + 30 * HOUR_MS;
  for (const [title, status, expected] of [
    ['a day after its creation while it is pending', {}, 24 * HOUR_MS],
    ['an hour after it was approved', decided('Approved', 5 * HOUR_MS), 6 * HOUR_MS],
    ['an hour after it was denied', decided('Denied', 5 * HOUR_MS), 6 * HOUR_MS],
    ['an hour after it failed', decided('Failed', 5 * HOUR_MS), 6 * HOUR_MS],
    [
      'an hour after its last condition',
      {
        conditions: [
          condition('Approved', { lastUpdateTime: at(HOUR_MS) }),
          condition('Failed', { lastUpdateTime: at(3 * HOUR_MS) }),
        ],
      },
      4 * HOUR_MS,
    ],
    [
      'an hour after its creation when its decision has no time',
      { conditions: [condition('Denied')] },
      HOUR_MS,
    ],
    [
      'an hour after its creation when the time of its decision is in the future',
      decided('Approved', 1000 * HOUR_MS),
      HOUR_MS,
    ],
    [
      'a day after its creation when its condition is False',
      { conditions: [condition('Approved', { status: 'False' })] },
      24 * HOUR_MS,
    ],
    [
      'when its certificate expires earlier than that',
      { certificate, ...decided('Approved', 5 * HOUR_MS) },
      2 * HOUR_MS,
    ],
    [
      'an hour after its approval when its certificate expires later',
      { certificate, ...decided('Approved', 0) },
      HOUR_MS,
    ],
    [
      'a day after its creation when its certificate cannot be parsed',
      { certificate: base64('x') },
      24 * HOUR_MS,
    ],
  ] as const) {
    it(`a certificate signing request is deleted ${title}`, () =>
      assert.equal(deletionTime(readSigningRequest(object({}, { ...status })), now) - created, expected));
  }
});

describe('automatic approvals of certificate signing requests', () => {
  const usages = ['digital signature', 'key encipherment', 'client auth'];
  const asked = { signerName: names.signers.apiserverClientNodeagent, usages, username: 'bootstrapper' };
  const kinds = (spec: object, status: object = {}): readonly string[] =>
    autoApprovals(readSigningRequest(object({ ...asked, ...spec }, { ...status })), names).map(
      ({ subresource }) => subresource,
    );
  for (const [title, spec, status, expected] of [
    ['a client certificate of a node requested by another user', {}, {}, ['nodeclient']],
    [
      'a client certificate of the requesting node',
      { username: 'system:node:n1' },
      {},
      ['selfnodeclient', 'nodeclient'],
    ],
    ['a client certificate of another node', { username: 'system:node:n2' }, {}, ['nodeclient']],
    ['a request without a signer name', { signerName: undefined }, {}, ['nodeclient']],
    ['a request for the signer of user certificates', { signerName: names.signers.apiserverClient }, {}, []],
    ['a request for the legacy signer', { signerName: names.signers.legacyUnknown }, {}, []],
    ['a request with other usages', { usages: ['client auth'] }, {}, []],
    ['a request with alternative names', { request: base64(requests.nodeServing) }, {}, []],
    ['a request whose subject is not a node', { request: base64(requests.ellipticCurve) }, {}, []],
    ['a request that cannot be parsed', { request: 'AAAA' }, {}, []],
    ['an approved request', {}, { conditions: [condition('Approved')] }, []],
    ['a denied request', {}, { conditions: [condition('Denied')] }, []],
    ['a failed request', {}, { conditions: [condition('Failed')] }, []],
    ['a signed request', {}, { certificate: 'AAAA' }, []],
  ] as const) {
    it(`${title} has the automatic approvals: ${expected.join(', ') || 'none'}`, () =>
      assert.deepEqual(kinds(spec, status), expected));
  }

  it('the access review of a request names user, uid, groups and extra of its requester', () => {
    const who = { username: 'u', uid: '7', groups: ['g'], extra: { k: ['v'] } };
    const request = readSigningRequest(object({ ...asked, ...who }));
    const [approval] = autoApprovals(request, names);
    assert.ok(approval);
    assert.deepEqual(accessReview(request, approval, names).spec, {
      user: 'u',
      uid: '7',
      groups: ['g'],
      extra: { k: ['v'] },
      resourceAttributes: {
        group: 'certificates.orch.io',
        version: '*',
        resource: 'certificatesigningrequests',
        subresource: 'nodeclient',
        verb: 'create',
      },
    });
  });
});

describe('signing of certificate signing requests', () => {
  for (const [title, status, expected] of [
    ['that is pending', {}, false],
    ['that is approved', { conditions: [condition('Approved')] }, true],
    ['whose approval has no status', { conditions: [{ type: 'Approved' }] }, true],
    ['whose approval is False', { conditions: [condition('Approved', { status: 'False' })] }, false],
    ['that is approved and denied', { conditions: [condition('Approved'), condition('Denied')] }, false],
    ['that has failed', { conditions: [condition('Approved'), condition('Failed')] }, false],
    ['that has a certificate', { conditions: [condition('Approved')], certificate: 'AAAA' }, false],
  ] as const) {
    it(`a certificate signing request ${title} is ${expected ? 'signed' : 'not signed'}`, () =>
      assert.equal(isToBeSigned(readSigningRequest(object({}, status))), expected));
  }

  it('a request belongs to the signer that it names, and to the legacy signer without a name', () => {
    const { signers } = names;
    for (const [signerName, expected] of [
      [signers.apiserverClient, 'apiserverClient'],
      [signers.apiserverClientNodeagent, 'apiserverClientNodeagent'],
      [signers.nodeagentServing, 'nodeagentServing'],
      [signers.legacyUnknown, 'legacyUnknown'],
      [undefined, 'legacyUnknown'],
      ['example.com/mine', undefined],
      ['toString', undefined],
    ] as const)
      assert.equal(signerOf(readSigningRequest(object({ signerName })), names), expected);
  });

  it('an added condition or certificate leaves the other fields of a request unchanged', () => {
    const request = readSigningRequest(
      object({ usages: ['a'] }, { conditions: [condition('Approved')], other: 1 }),
    );
    const failed = withCondition(request, { type: 'Failed', reason: 'R', message: 'M' });
    assert.deepEqual(failed.status, {
      other: 1,
      conditions: [condition('Approved'), { type: 'Failed', reason: 'R', message: 'M', status: 'True' }],
    });
    const issued = withCertificate(request, 'PEM');
    assert.deepEqual(issued.status, {
      other: 1,
      conditions: [condition('Approved')],
      certificate: base64('PEM'),
    });
    assert.deepEqual([failed.spec, issued.spec], [request.object.spec, request.object.spec]);
  });
});
