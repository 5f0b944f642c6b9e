import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, MAX_FIELD_ERRORS, namesFor } from '@orch/machinery';
import { specOf, statusOf } from '@orch/machinery/json';
import { authorities, base64, requests } from '@orch/pki/x509/testing';
import { writePath } from '../../testing/write-path.ts';
import { causes, edited } from '../../testing/writes.ts';
import { checkSignerName } from '../shared/signer-name.ts';
import { certificateSigningRequests as requestsType } from './index.ts';
import { csrTable, csrTableBefore118, csrTableBefore122 } from './table.ts';

const user = { name: 'jane', uid: '7', groups: ['dev'], extra: { scope: ['a', 'b'] } };
const path = writePath(undefined, '1.24', { user });
const older = writePath(undefined, '1.20', { version: 'certificates/v1beta1', user });
const now = path.context.now;

const given = (spec: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  metadata: { name: 'r' },
  spec: {
    request: base64(requests.ellipticCurve),
    signerName: 'example.com/signer',
    usages: ['client auth'],
    ...spec,
  },
});
const { object: pending } = path.create(requestsType, given());
const approval = { type: 'Approved', status: 'True', reason: 'Ok', message: 'fine' };
const approve = (request: ApiObject, conditions: readonly unknown[] = [approval]) =>
  path.update(requestsType, request, edited(request, { 'status.conditions': conditions }), 'approval');
const { object: approved } = approve(pending);
const sign = (request: ApiObject, certificate: string) =>
  path.update(
    requestsType,
    request,
    edited(request, { 'status.certificate': base64(certificate) }),
    'status',
  );
const { object: issued } = sign(approved, authorities[0]);

describe('the requester of a certificate signing request', () => {
  it('the requester of a certificate is the authenticated user, independent of the request', () => {
    const lies = { username: 'admin', uid: '1', groups: ['system:masters'], extra: { a: ['b'] } };
    const { object } = path.create(requestsType, given(lies));
    const { username, uid, groups, extra } = specOf(object);
    assert.deepEqual([username, uid, groups, extra], ['jane', '7', ['dev'], { scope: ['a', 'b'] }]);
  });

  it('the requester of a certificate may have only a name', () => {
    const bare = writePath(undefined, '1.24', { user: { name: 'x', groups: [] } });
    const { object } = bare.create(requestsType, given({ uid: '1', groups: ['g'], extra: { a: ['b'] } }));
    assert.deepEqual(Object.keys(specOf(object)), ['request', 'signerName', 'usages', 'username']);
  });
});

describe('what is written through which path', () => {
  const greedy = {
    'spec.usages': ['server auth'],
    'status.conditions': [approval],
    'status.certificate': base64(authorities[0]),
    'metadata.labels': { a: 'b' },
  };

  it('the main path of certificate signing requests writes metadata only', () => {
    const { object, errors } = path.update(requestsType, pending, edited(pending, greedy));
    assert.deepEqual(errors, []);
    assert.deepEqual(
      [object['spec'], object['status'], object.metadata.labels],
      [pending['spec'], {}, { a: 'b' }],
    );
  });

  it('/approval writes conditions of certificate signing requests only, with their times', () => {
    const { object, errors } = path.update(requestsType, pending, edited(pending, greedy), 'approval');
    assert.deepEqual(errors, []);
    assert.deepEqual(object['spec'], pending['spec']);
    assert.deepEqual(object['status'], {
      conditions: [{ ...approval, lastUpdateTime: now, lastTransitionTime: now }],
    });
  });

  it('/status writes the certificate and conditions that are not decisions', () => {
    const next = edited(approved, {
      'spec.usages': ['server auth'],
      'status.certificate': base64(authorities[0]),
      'status.conditions[1]': { type: 'example.com/Seen', status: 'Unknown' },
      'status.conditions[0].reason': 'Changed',
    });
    const { object, errors } = path.update(requestsType, approved, next, 'status');
    assert.deepEqual(errors, []);
    const { conditions, certificate } = statusOf(object);
    assert.equal(certificate, base64(authorities[0]));
    assert.deepEqual(
      (conditions as readonly Record<string, unknown>[]).map(({ type, reason }) => [type, reason]),
      [
        ['Approved', 'Ok'],
        ['example.com/Seen', undefined],
      ],
    );
    assert.deepEqual(object['spec'], approved['spec']);
  });

  it('a condition keeps the time since when it has its status', () => {
    const long = edited(approved, { 'status.conditions[0].lastTransitionTime': '2020-01-01T00:00:00Z' });
    const { object } = path.update(
      requestsType,
      long,
      edited(long, { 'status.conditions': [{ ...approval, reason: 'Again' }] }),
      'approval',
    );
    assert.deepEqual(statusOf(object)['conditions'], [
      { ...approval, reason: 'Again', lastUpdateTime: now, lastTransitionTime: '2020-01-01T00:00:00Z' },
    ]);
  });
});

describe('decisions about requests', () => {
  const denial = { type: 'Denied', status: 'True' };
  for (const [title, conditions, ...errors] of [
    ['a denial', [denial]],
    ['both', [approval, denial], 'FieldValueInvalid status.conditions[1].type'],
    ['two of a kind', [approval, approval], 'FieldValueDuplicate status.conditions[1].type'],
    [
      'one that is not true',
      [{ ...approval, status: 'False' }],
      'FieldValueNotSupported status.conditions[0].status',
    ],
    ['one without a status', [{ type: 'Approved' }], 'FieldValueRequired status.conditions[0].status'],
    ['one without a type', [{ status: 'True' }], 'FieldValueRequired status.conditions[0].type'],
    ['a failure', [{ type: 'Failed', status: 'True' }]],
    ['a type of the approver', [{ type: 'example.com/Seen', status: 'Unknown' }]],
    ['a type of the approver beside an approval', [approval, { type: 'Seen', status: 'False' }]],
    [
      'a type of the approver with an unknown status',
      [{ type: 'example.com/Seen', status: 'Perhaps' }],
      'FieldValueNotSupported status.conditions[0].status',
    ],
  ] as const) {
    it(`decisions about requests are validated: ${title}: ${errors.join() || 'valid'}`, () =>
      assert.deepEqual(causes(approve(pending, conditions)), errors));
  }

  it('decisions are not taken back', () => {
    const forbidden = ['FieldValueForbidden status.conditions'];
    assert.deepEqual(causes(approve(approved, [])), forbidden);
    const bare = edited(approved, { 'status.conditions': [] });
    assert.deepEqual(causes(path.update(requestsType, approved, bare, 'status')), forbidden);
  });

  it('decisions are not made through /status', () => {
    for (const condition of [approval, denial]) {
      const next = edited(pending, { 'status.conditions': [condition] });
      assert.deepEqual(causes(path.update(requestsType, pending, next, 'status')), [
        'FieldValueForbidden status.conditions',
      ]);
    }
    const failed = edited(approved, { 'status.conditions[1]': { type: 'Failed', status: 'True' } });
    assert.deepEqual(causes(path.update(requestsType, approved, failed, 'status')), []);
  });
});

describe('issued certificates', () => {
  it('certificates are set once', () => {
    assert.deepEqual(causes(sign(issued, authorities[1])), ['FieldValueForbidden status.certificate']);
    assert.deepEqual(causes(sign(issued, authorities[0])), []);
  });

  it('issued certificates must be certificates in PEM', () => {
    assert.deepEqual(causes(sign(approved, requests.rsa)), ['FieldValueInvalid status.certificate']);
    assert.deepEqual(causes(sign(approved, `text\n${authorities.join('and')}`)), []);
  });

  it('certificates do not appear in errors', () => {
    const { errors } = sign(approved, 'hunter2');
    assert.doesNotMatch(JSON.stringify(errors), /hunter2|aHVudGVyMg/);
  });
});

describe('the spec of a certificate signing request', () => {
  for (const [spec, ...errors] of [
    [{ expirationSeconds: 599 }, 'FieldValueInvalid spec.expirationSeconds'],
    [{ expirationSeconds: 600 }],
    [{ signerName: 'orch.io/legacy-unknown' }, 'FieldValueInvalid spec.signerName'],
    [{ request: base64(requests.explicitCurve) }, 'FieldValueInvalid spec.request'],
  ] as const) {
    it(`the spec of a certificate signing request is validated: ${JSON.stringify(spec).slice(0, 60)}: ${errors.join() || 'valid'}`, () =>
      assert.deepEqual(causes(path.create(requestsType, given(spec))), errors));
  }

  it('certificate signing requests have no duration in releases without durations', () => {
    const early = writePath(undefined, '1.21').create(requestsType, given({ expirationSeconds: 600 }));
    assert.equal('expirationSeconds' in specOf(early.object), false);
  });

  for (const [name, isFine] of [
    ['example.com/signer', true],
    ['example.com/a.b', true],
    [`example.com/${'a'.repeat(63)}.${'b'.repeat(253)}`, true],
    [`example.com/${'a'.repeat(600)}`, false],
    ['example/signer', false],
    ['example.com', false],
    ['example.com/', false],
    ['example.com/a/b', false],
    ['Example.com/a', false],
    ['example.com/A', false],
    ['example.com/a..b', false],
    ['', false],
  ] as const) {
    it(`${JSON.stringify(name.slice(0, 40))} is ${isFine ? 'a valid' : 'an invalid'} name of a signer`, () =>
      assert.equal(checkSignerName('f', name).length === 0, isFine));
  }
});

describe('requests of the older version', () => {
  const names = namesFor('orch');
  const usages = (last: string): readonly string[] => ['digital signature', 'key encipherment', last];
  for (const [title, spec, signer] of [
    ['nobody knows', {}, names.signers.legacyUnknown],
    ['bytes that are not a request', { request: 'dg==' }, names.signers.legacyUnknown],
    [
      'a node, as a client',
      { request: base64(requests.nodeClient), usages: usages('client auth') },
      names.signers.apiserverClientNodeagent,
    ],
    [
      'a node, as a server',
      { request: base64(requests.nodeServing), usages: usages('server auth') },
      names.signers.nodeagentServing,
    ],
    [
      'a node with other usages',
      { request: base64(requests.nodeClient), usages: ['client auth'] },
      names.signers.legacyUnknown,
    ],
    [
      'a node with too many usages',
      { request: base64(requests.nodeClient), usages: [...usages('client auth'), 'any'] },
      names.signers.legacyUnknown,
    ],
    [
      'a node with an address as a client',
      { request: base64(requests.nodeServing), usages: usages('client auth') },
      names.signers.legacyUnknown,
    ],
    [
      'a node with an e-mail address',
      { request: base64(requests.nodeWithMail), usages: usages('server auth') },
      names.signers.legacyUnknown,
    ],
  ] as const) {
    it(`requests of the older version are for the signer of ${title}`, () => {
      const { object } = older.create(requestsType, {
        metadata: { name: 'r' },
        spec: { request: base64(requests.rsa), ...spec },
      });
      assert.equal(specOf(object)['signerName'], signer);
    });
  }

  it('requests of the older version may repeat usages, have unknown ones, and any bytes for a certificate', () => {
    const written = older.create(requestsType, given({ usages: ['x', 'x'] }));
    assert.deepEqual(causes(written), []);
    const next = edited(written.object, { 'status.certificate': 'dg==' });
    assert.deepEqual(causes(older.update(requestsType, written.object, next, 'status')), []);
    assert.deepEqual(
      causes(path.update(requestsType, written.object, edited(written.object, { 'metadata.labels': {} }))),
      [],
    );
  });

  it('requests of the older version have conditions without a status, which are true', () => {
    const next = edited(pending, { 'status.conditions': [{ type: 'Denied' }] });
    const { object, errors } = older.update(requestsType, pending, next, 'approval');
    assert.deepEqual(errors, []);
    assert.equal(
      (statusOf(object)['conditions'] as readonly Record<string, unknown>[])[0]?.['status'],
      'True',
    );
  });

  it('requests of the older version had no signers and no conditions with a status once', () => {
    const early = writePath(undefined, '1.17', { version: 'certificates/v1beta1', user });
    const { object, errors } = early.create(requestsType, {
      metadata: { name: 'r' },
      spec: { request: base64(requests.rsa) },
    });
    assert.deepEqual(errors, []);
    assert.equal(specOf(object)['signerName'], names.signers.legacyUnknown);
    assert.equal('signerName' in specOf(early.show(requestsType, object)), false);
  });
});

describe('tables of requests', () => {
  const names = namesFor('orch');
  const text = (request: ApiObject): unknown => csrTable.cells(request, names).at(-1);

  it('tables of requests show what was decided and what came of it', () => {
    const failed = edited(approved, { 'status.conditions[1]': { type: 'Failed', status: 'True' } });
    assert.deepEqual(
      [pending, approved, issued, failed, approve(pending, [{ type: 'Denied', status: 'True' }]).object].map(
        text,
      ),
      ['Pending', 'Approved', 'Approved,Issued', 'Approved,Failed', 'Denied'],
    );
  });

  it('tables of requests show signer, requestor and duration, as each release did', () => {
    const { object } = path.create(requestsType, given({ expirationSeconds: 86_400 }));
    assert.deepEqual(csrTable.cells(object, names).slice(2), [
      'example.com/signer',
      'jane',
      '24h',
      'Pending',
    ]);
    assert.deepEqual(csrTable.cells(pending, names)[4], '<none>');
    assert.deepEqual(
      csrTableBefore122.columns.map(({ name }) => name),
      ['Name', 'Age', 'SignerName', 'Requestor', 'Condition'],
    );
    assert.deepEqual(
      csrTableBefore118.columns.map(({ name }) => name),
      ['Name', 'Age', 'Requestor', 'Condition'],
    );
  });

  it('a request with thousands of unknown usages is refused for as many of them as an answer names', () => {
    const usages = Array.from({ length: 5_000 }, (_, i) => `n${i}`);
    const { errors } = path.create(requestsType, given({ usages }));
    assert.equal(errors.length, MAX_FIELD_ERRORS);
  });

  it('lists of certificate signing requests can be filtered by signer', () =>
    assert.equal(requestsType.fields['spec.signerName']?.(pending), 'example.com/signer'));
});
