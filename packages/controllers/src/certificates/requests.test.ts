import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, formatTime, namesFor } from '@orch/machinery';
import { seededRandom } from '@orch/machinery/testing';
import { issueCertificate } from '@orch/pki/x509';
import { requests } from '@orch/pki/x509/testing';
import { accessReview, recognized } from './approving.ts';
import { deletionTime } from './cleaning.ts';
import { isToBeSigned, signerOf } from './signing-controller.ts';
import { readSigningRequest, withCertificate, withCondition } from './signing-request.ts';

const names = namesFor('orch');
const hour = 3_600_000;
const created = Date.UTC(2026, 0, 1);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const object = (
  spec: Readonly<Record<string, unknown>>,
  status: Readonly<Record<string, unknown>> = {},
): ApiObject => ({
  metadata: { name: 'r', creationTimestamp: formatTime(created) },
  spec: { request: base64(requests.nodeClient), ...spec },
  status,
});

const condition = (type: string, more: object = {}): object => ({ type, status: 'True', ...more });

describe('the end of a request', () => {
  const at = (ms: number): string => formatTime(created + ms);
  const decided = (type: string, ms: number): object => ({
    conditions: [condition(type, { lastUpdateTime: at(ms) })],
  });
  const certificate = base64(
    issueCertificate(
      { commonName: 'x', use: 'client', notBefore: created, notAfter: created + 2 * hour },
      seededRandom(1),
    ).cert,
  );
  const now = created + 30 * hour;
  for (const [title, status, expected] of [
    ['a day after it was made, while nobody has decided', {}, 24 * hour],
    ['an hour after it was approved', decided('Approved', 5 * hour), 6 * hour],
    ['an hour after it was denied', decided('Denied', 5 * hour), 6 * hour],
    ['an hour after it failed', decided('Failed', 5 * hour), 6 * hour],
    [
      'an hour after the last of all',
      {
        conditions: [
          condition('Approved', { lastUpdateTime: at(hour) }),
          condition('Failed', { lastUpdateTime: at(3 * hour) }),
        ],
      },
      4 * hour,
    ],
    [
      'an hour after it was made, where nobody says when it was decided',
      { conditions: [condition('Denied')] },
      hour,
    ],
    ['an hour after it was made, where the time said is to come', decided('Approved', 1000 * hour), hour],
    [
      'a day after a decision that does not hold',
      { conditions: [condition('Approved', { status: 'False' })] },
      24 * hour,
    ],
    ['with its certificate', { certificate, ...decided('Approved', 5 * hour) }, 2 * hour],
    ['before its certificate', { certificate, ...decided('Approved', 0) }, hour],
    ['as if there were none, when its certificate is none', { certificate: base64('x') }, 24 * hour],
  ] as const) {
    it(`comes ${title}`, () =>
      assert.equal(deletionTime(readSigningRequest(object({}, { ...status })), now) - created, expected));
  }
});

describe('a request that is approved by itself', () => {
  const usages = ['digital signature', 'key encipherment', 'client auth'];
  const asked = { signerName: names.signers.apiserverClientNodeagent, usages, username: 'bootstrapper' };
  const kinds = (spec: object, status: object = {}): readonly string[] =>
    recognized(readSigningRequest(object({ ...asked, ...spec }, { ...status })), names).map(
      ({ subresource }) => subresource,
    );
  for (const [title, spec, status, expected] of [
    ['by anybody', {}, {}, ['nodeclient']],
    ['by the node itself', { username: 'system:node:n1' }, {}, ['selfnodeclient', 'nodeclient']],
    ['by another node', { username: 'system:node:n2' }, {}, ['nodeclient']],
    ['where there are no signers yet', { signerName: undefined }, {}, ['nodeclient']],
    ['for another signer', { signerName: names.signers.apiserverClient }, {}, []],
    ['for the older signer', { signerName: names.signers.legacyUnknown }, {}, []],
    ['with other usages', { usages: ['client auth'] }, {}, []],
    ['with alternative names', { request: base64(requests.nodeServing) }, {}, []],
    ['for no node', { request: base64(requests.ellipticCurve) }, {}, []],
    ['with nothing that can be read', { request: 'AAAA' }, {}, []],
    ['once more', {}, { conditions: [condition('Approved')] }, []],
    ['though it was denied', {}, { conditions: [condition('Denied')] }, []],
    ['though it failed', {}, { conditions: [condition('Failed')] }, []],
    ['though it was issued', {}, { certificate: 'AAAA' }, []],
  ] as const) {
    it(`asked for ${title}: ${expected.join(', ') || 'not'}`, () =>
      assert.deepEqual(kinds(spec, status), expected));
  }

  it('is asked about with everything that is known of its maker', () => {
    const who = { username: 'u', uid: '7', groups: ['g'], extra: { k: ['v'] } };
    const request = readSigningRequest(object({ ...asked, ...who }));
    const [kind] = recognized(request, names);
    assert.ok(kind);
    assert.deepEqual(accessReview(request, kind, names)['spec'], {
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

describe('a request that is signed', () => {
  for (const [title, status, expected] of [
    ['while it is pending', {}, false],
    ['when it is approved', { conditions: [condition('Approved')] }, true],
    ['when it was approved without a word of its status', { conditions: [{ type: 'Approved' }] }, true],
    ['when an approval does not hold', { conditions: [condition('Approved', { status: 'False' })] }, false],
    ['when it is approved and denied', { conditions: [condition('Approved'), condition('Denied')] }, false],
    ['when it has failed', { conditions: [condition('Approved'), condition('Failed')] }, false],
    ['when it was issued', { conditions: [condition('Approved')], certificate: 'AAAA' }, false],
  ] as const) {
    it(`${title}: ${expected}`, () =>
      assert.equal(isToBeSigned(readSigningRequest(object({}, status))), expected));
  }

  it('belongs to the signer that it names, or to the only one that older releases had', () => {
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

  it('is answered by a condition or a certificate more; everything else stays', () => {
    const request = readSigningRequest(
      object({ usages: ['a'] }, { conditions: [condition('Approved')], other: 1 }),
    );
    const failed = withCondition(request, { type: 'Failed', reason: 'R', message: 'M' });
    assert.deepEqual(failed['status'], {
      other: 1,
      conditions: [condition('Approved'), { type: 'Failed', reason: 'R', message: 'M', status: 'True' }],
    });
    const issued = withCertificate(request, 'PEM');
    assert.deepEqual(issued['status'], {
      other: 1,
      conditions: [condition('Approved')],
      certificate: base64('PEM'),
    });
    assert.deepEqual([failed['spec'], issued['spec']], [request.object['spec'], request.object['spec']]);
  });
});
