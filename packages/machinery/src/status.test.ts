import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldError, messageWithoutValue } from './field-error.ts';
import { ApiError, errors } from './status.ts';

const pod = { group: '', kind: 'pods', name: 'p' };
const lease = { group: 'coordination.example', kind: 'leases', name: 'l' };

/** The parts that clients evaluate: code, reason, the fields of details, the reasons of causes. */
const shape = ({ status }: ApiError): unknown[] => [
  status.code,
  status.reason ?? null,
  Object.keys(status.details ?? {}).sort(),
  (status.details?.causes ?? []).map((cause) => cause.reason ?? null),
];

describe('the catalogue of failures', () => {
  for (const [title, error, expected] of [
    ['a missing object', errors.notFound(pod), [404, 'NotFound', ['kind', 'name'], []]],
    [
      'a missing object of a named group',
      errors.notFound(lease),
      [404, 'NotFound', ['group', 'kind', 'name'], []],
    ],
    ['an unknown resource', errors.resourceNotFound(), [404, 'NotFound', [], []]],
    ['a duplicate', errors.alreadyExists(pod), [409, 'AlreadyExists', ['kind', 'name'], []]],
    [
      'a generated duplicate',
      errors.alreadyExists(pod, { retryAfterSeconds: 1 }),
      [409, 'AlreadyExists', ['kind', 'name', 'retryAfterSeconds'], []],
    ],
    ['a stale write', errors.conflict(pod, 'x'), [409, 'Conflict', ['kind', 'name'], []]],
    [
      'an invalid object',
      errors.invalid({ ...pod, kind: 'Pod' }, [fieldError.required('metadata.name')]),
      [422, 'Invalid', ['causes', 'kind', 'name'], ['FieldValueRequired']],
    ],
    ['a malformed body', errors.badRequest('x'), [400, 'BadRequest', [], []]],
    ['no credentials', errors.unauthorized(), [401, 'Unauthorized', [], []]],
    ['no right', errors.forbidden(pod, 'x'), [403, 'Forbidden', ['kind', 'name'], []]],
    [
      'a create in a namespace that ends',
      errors.forbidden(pod, 'x', [{ reason: 'NamespaceTerminating' }]),
      [403, 'Forbidden', ['causes', 'kind', 'name'], ['NamespaceTerminating']],
    ],
    ['a wrong method', errors.methodNotAllowed('PUT'), [405, 'MethodNotAllowed', [], []]],
    ['nothing acceptable', errors.notAcceptable(['application/json']), [406, 'NotAcceptable', [], []]],
    ['a wrong media type', errors.unsupportedMediaType('x', []), [415, 'UnsupportedMediaType', [], []]],
    ['a large body', errors.requestEntityTooLarge(1), [413, 'RequestEntityTooLarge', [], []]],
    ['an expired version', errors.expired('x'), [410, 'Expired', [], []]],
    ['too many requests', errors.tooManyRequests('x'), [429, 'TooManyRequests', ['retryAfterSeconds'], []]],
    [
      'an eviction that a budget blocks',
      errors.tooManyRequests('x', 0, [{ reason: 'DisruptionBudget' }]),
      [429, 'TooManyRequests', ['causes'], ['DisruptionBudget']],
    ],
    [
      'a version from the future',
      errors.tooLargeResourceVersion('9', '1'),
      [504, 'Timeout', ['causes', 'retryAfterSeconds'], ['ResourceVersionTooLarge']],
    ],
    [
      'an unavailable server',
      errors.serviceUnavailable('x'),
      [503, 'ServiceUnavailable', ['retryAfterSeconds'], []],
    ],
    ['a full store', errors.storageFull('x'), [503, 'ServiceUnavailable', ['causes'], ['StorageFull']]],
    [
      'what is not there yet',
      errors.serverTimeout(pod, 'x'),
      [500, 'ServerTimeout', ['kind', 'name', 'retryAfterSeconds'], []],
    ],
    ['a plain code', errors.plain(500, 'x'), [500, null, [], []]],
  ] as [string, ApiError, unknown[]][]) {
    it(`the status of ${title} is ${JSON.stringify(expected.slice(0, 2))}`, () =>
      assert.deepEqual(shape(error), expected));
  }

  it('the catalogue of failures is Status bodies with the message clients print', () => {
    assert.deepEqual(errors.notFound(lease).status, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'leases.coordination.example "l" not found',
      reason: 'NotFound',
      details: { name: 'l', group: 'coordination.example', kind: 'leases' },
      code: 404,
    });
    const fields = [fieldError.required('a'), fieldError.invalid('b[0]', 'x', 'must be y')];
    assert.equal(
      errors.invalid({ group: '', kind: 'Pod', name: 'p' }, fields).message,
      'Pod "p" is invalid: [a: Required value, b[0]: Invalid value: "x": must be y]',
    );
  });

  it('the catalogue of failures keeps an inconsistent continue token with an expired one, and the cause of an internal failure', () => {
    assert.deepEqual(errors.expired('x', 'token').status.metadata, { continue: 'token' });
    const cause = new Error('inner');
    const error = errors.internal(cause);
    assert.ok(error instanceof ApiError);
    assert.equal(error.cause, cause);
    assert.doesNotMatch(JSON.stringify(error.status), /inner/);
  });
});

describe('messages of field errors', () => {
  for (const [error, type, message] of [
    [fieldError.required('f', 'why'), 'FieldValueRequired', 'Required value: why'],
    [fieldError.invalid('f', { a: 1 }, 'why'), 'FieldValueInvalid', 'Invalid value: {"a":1}: why'],
    [
      fieldError.notSupported('f', 'x', ['A', 'B']),
      'FieldValueNotSupported',
      'Unsupported value: "x": supported values: "A", "B"',
    ],
    [fieldError.forbidden('f', 'why'), 'FieldValueForbidden', 'Forbidden: why'],
    [fieldError.duplicate('f', 5), 'FieldValueDuplicate', 'Duplicate value: 5'],
    [fieldError.notFound('f', 'x'), 'FieldValueNotFound', 'Not found: "x"'],
    [fieldError.tooLong('f', 3), 'FieldValueTooLong', 'Too long: must have at most 3 bytes'],
    [fieldError.tooMany('f', 4, 3), 'FieldValueTooMany', 'Too many: 4: must have at most 3 items'],
  ] as const) {
    it(`an error of type ${type} reads ${JSON.stringify(message)}`, () =>
      assert.deepEqual([error.type, error.field, error.message], [type, 'f', message]));
  }

  for (const [error, message] of [
    [fieldError.invalid('f', 'canary', 'why'), 'Invalid value: <withheld>: why'],
    [
      fieldError.notSupported('f', 'canary', ['A', 'B']),
      'Unsupported value: <withheld>: supported values: "A", "B"',
    ],
    [fieldError.duplicate('f', 'canary'), 'Duplicate value: <withheld>'],
    [fieldError.notFound('f', 'canary'), 'Not found: <withheld>'],
    [fieldError.forbidden('f', 'why'), 'Forbidden: why'],
    [
      { type: 'FieldValueInvalid', field: 'f', message: 'Invalid value: canary' },
      'Invalid value: <withheld>',
    ],
  ] as const) {
    it(`${error.type} without its value reads ${JSON.stringify(message)}`, () =>
      assert.equal(messageWithoutValue(error), message));
  }

  it('a message of a field error shows only the start of a long value', () => {
    assert.ok(fieldError.invalid('f', 'x'.repeat(100_000), 'why').message.length < 400);
  });
});
