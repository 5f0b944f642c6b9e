import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError, type ApiObject, namesFor } from '@orch/machinery';
import { codecCompiler, protobufCodec } from '@orch/schema';
import type { ResourceType } from '../resource-type.ts';
import { writePath } from '../testing/write-path.ts';
import { selfSubjectReviews } from './self-subject-review.ts';
import { tokenReviews } from './token-review.ts';

const names = namesFor('orch');
const compiler = codecCompiler(names);

function decoded(type: ResourceType, input: unknown): ApiObject {
  const [hub] = type.versions;
  assert.ok(hub);
  return compiler.compile(hub.schema).decode(input, { defaults: true }).value;
}

describe('token reviews', () => {
  for (const [title, input] of [
    ['without a token', { spec: {} }],
    ['of a namespace', { metadata: { namespace: 'm' }, spec: { token: 't' } }],
  ] as const) {
    it(`token reviews: ${title} are bad requests`, () =>
      assert.throws(
        () => tokenReviews.strategy.prepareForCreate?.(decoded(tokenReviews, input), writePath().context),
        (error) => error instanceof ApiError && error.status.reason === 'BadRequest',
      ));
  }

  it('token reviews have the standard fields in JSON and survive a Protobuf round trip', () => {
    const review = decoded(tokenReviews, {
      spec: { token: 't' },
      status: { authenticated: true, user: { username: 'u', extra: { a: ['b', 'c'] } } },
    });
    assert.equal(
      JSON.stringify(review),
      '{"metadata":{"creationTimestamp":null},"spec":{"token":"t"},"status":{"authenticated":true,"user":{"username":"u","extra":{"a":["b","c"]}}}}',
    );
    const [hub] = tokenReviews.versions;
    assert.ok(hub);
    const messages = protobufCodec(hub.schema, names);
    assert.deepEqual(decoded(tokenReviews, messages.decode(messages.encode(review))), review);
  });
});

describe('reviews of oneself', () => {
  it('a self subject review returns the authenticated user and the time, and no name', () => {
    const user = { name: 'jane', uid: '7', groups: ['dev'], extra: { a: ['b'] } };
    const posted = { metadata: { name: 'x' }, status: { userInfo: { username: 'admin' } } };
    const review = decoded(selfSubjectReviews, posted);
    const { context } = writePath(undefined, '1.27', { user });
    selfSubjectReviews.strategy.prepareForCreate?.(review, context);
    assert.deepEqual(review.metadata, { creationTimestamp: context.now });
    assert.deepEqual(decoded(selfSubjectReviews, review)['status'], {
      userInfo: { username: 'jane', uid: '7', groups: ['dev'], extra: { a: ['b'] } },
    });
  });

  it('the first versions of reviews of oneself are served on demand only', () =>
    assert.deepEqual(
      selfSubjectReviews.versions.map(({ version, servedByDefault }) => [version, servedByDefault]),
      [
        ['v1', undefined],
        ['v1beta1', false],
        ['v1alpha1', undefined],
      ],
    ));
});
