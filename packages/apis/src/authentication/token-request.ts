import { f, items, struct } from '@orch/schema';
import { ObjectMeta } from '../meta/object-meta.ts';

export const BoundObjectReference = struct(
  'authentication.v1.BoundObjectReference',
  'The object whose life bounds that of a token.',
  {
    kind: f.string(1, { doc: 'Pod or Secret.' }),
    apiVersion: f.string(2, { doc: 'Version of the object.' }),
    name: f.string(3, { doc: 'Name of the object.' }),
    uid: f.string(4, { doc: 'Identity of the object.', protoName: 'uID' }),
  },
);

export const TokenRequestSpec = struct(
  'authentication.v1.TokenRequestSpec',
  'What kind of token is wanted.',
  {
    audiences: f.list(1, items.string, {
      doc: 'Who the token is for; those that check it must find themselves among them.',
      presence: 'always',
    }),
    expirationSeconds: f.int64(4, {
      doc: 'How long the token should live; the server may shorten it.',
      nullable: true,
      presence: 'always',
      default: 3600,
      min: 600,
      max: 4294967296,
      openapiRequired: false,
    }),
    boundObjectRef: f.struct(3, BoundObjectReference, {
      doc: 'The token is void once this object is gone.',
      nullable: true,
      presence: 'always',
    }),
  },
);

export const TokenRequestStatus = struct('authentication.v1.TokenRequestStatus', 'The token.', {
  token: f.string(1, { doc: 'The token, as it goes into an Authorization header.', presence: 'always' }),
  expirationTimestamp: f.time(2, { doc: 'When it expires.', presence: 'always', openapiRequired: true }),
});

export const TokenRequest = struct(
  'authentication.v1.TokenRequest',
  'Asks for a token of a service account.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    spec: f.struct(2, TokenRequestSpec, {
      doc: 'What its owner wants.',
      presence: 'always',
      openapiRequired: true,
    }),
    status: f.struct(3, TokenRequestStatus, {
      doc: 'What was observed last; written by the system, never by the owner.',
      presence: 'always',
    }),
  },
  { typeMeta: true, holdsCredentials: true },
);
