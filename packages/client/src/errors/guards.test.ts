import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError, errors, type Status } from '@orch/machinery';
import { RefusedRequest } from '../rest/refused-request.ts';
import { isTransportError, TransportError } from '../transport/transport.ts';
import * as guards from './guards.ts';

const subject = { group: 'apps', kind: 'deployments', name: 'web' };

const cases: readonly (readonly [keyof typeof guards, ApiError])[] = [
  ['isBadRequest', errors.badRequest('no')],
  ['isUnauthorized', errors.unauthorized()],
  ['isForbidden', errors.forbidden(subject, 'no')],
  ['isNotFound', errors.notFound(subject)],
  ['isMethodNotAllowed', errors.methodNotAllowed('PUT')],
  ['isNotAcceptable', errors.notAcceptable([])],
  ['isConflict', errors.conflict(subject, 'changed')],
  ['isAlreadyExists', errors.alreadyExists(subject)],
  ['isTooLarge', errors.requestEntityTooLarge(1)],
  ['isUnsupportedMediaType', errors.unsupportedMediaType('a/b', [])],
  ['isInvalid', errors.invalid(subject, [])],
  ['isTooManyRequests', errors.tooManyRequests('later')],
  ['isInternalError', errors.internal(undefined)],
  ['isServerTimeout', errors.serverTimeout(subject, 'not yet')],
  ['isServiceUnavailable', errors.serviceUnavailable('down')],
  ['isTimeout', errors.timeout('slow')],
];

const all: Readonly<Record<string, (error: unknown) => boolean>> = Object.fromEntries(
  Object.entries(guards).filter(([name]) => name.startsWith('is')),
) as Record<string, (error: unknown) => boolean>;

/** The guards of reasons that accept an error. */
const accepting = (error: unknown): readonly string[] =>
  cases.map(([name]) => name).filter((name) => all[name]?.(error));

describe('guards of errors', () => {
  for (const [name, error] of cases)
    it(`${name} accepts its own reason and no guard accepts another one`, () => {
      assert.deepEqual(accepting(error), [name]);
      assert.equal(guards.isApiError(error), true);
      assert.equal(guards.isRefusedRequest(error), false);
    });

  it('a request without a response is recognized by its name, also as an error of another copy of the library', () => {
    const copied = Object.assign(new Error('lost'), { name: 'TransportError', outcome: 'unknown' });
    const others = [
      new Error('lost'),
      errors.internal(undefined),
      { name: 'TransportError', outcome: 'unknown' },
    ];
    const found = [new TransportError('unknown', 'lost'), copied, ...others].map(isTransportError);
    assert.deepEqual(found, [true, true, false, false, false]);
  });

  it('an error of a server has its code, reason and details', () => {
    const { code, reason, details } = errors.notFound(subject);
    assert.deepEqual(
      { code, reason, details },
      { code: 404, reason: 'NotFound', details: { name: 'web', group: 'apps', kind: 'deployments' } },
    );
    const plain = errors.plain(418, 'teapot');
    assert.deepEqual([plain.code, plain.reason, plain.details], [418, '', {}]);
  });

  it('the code counts where the reason is not known', () => {
    const status: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 404 };
    assert.deepEqual(accepting(new ApiError(status)), ['isNotFound']);
    assert.deepEqual(accepting(new ApiError({ ...status, reason: 'OurOwn' })), ['isNotFound']);
    assert.deepEqual(accepting(new ApiError({ ...status, reason: 'Expired' })), []);
  });

  it('a request that the client refused is not an answer of a server', () => {
    const refused = new RefusedRequest('a namespace is required');
    assert.equal(guards.isRefusedRequest(refused), true);
    assert.equal(guards.isApiError(refused), false);
    assert.deepEqual(accepting(refused), []);
  });

  it('the guards accept errors of another copy of the library', () => {
    const copy = Object.assign(new Error('gone'), { name: 'ApiError', code: 404, reason: 'NotFound' });
    assert.deepEqual(accepting(copy), ['isNotFound']);
    assert.equal(
      guards.isRefusedRequest(Object.assign(new Error('no'), { name: 'RefusedRequest', code: 400 })),
      true,
    );
  });

  it('the guards accept nothing else', () => {
    for (const other of [
      new TransportError('unknown', 'cut'),
      new Error('x'),
      undefined,
      null,
      404,
      { code: 404 },
    ])
      assert.deepEqual(
        [guards.isApiError(other), guards.isRefusedRequest(other), accepting(other)],
        [false, false, []],
      );
  });
});
