import { f, items, struct } from '@orch/schema';
import { metadataField, statusField } from '../meta/standard-fields.ts';

export const BoundObjectReference = struct(
  'authentication.v1.BoundObjectReference',
  'The object whose deletion invalidates a token.',
  {
    kind: f.string(1, { doc: 'Pod or Secret.' }),
    apiVersion: f.string(2, { doc: 'Version of the object.' }),
    name: f.string(3, { doc: 'Name of the object.' }),
    uid: f.string(4, { doc: 'Identity of the object.', protoName: 'uID' }),
  },
);

export const TokenRequestSpec = struct(
  'authentication.v1.TokenRequestSpec',
  'Attributes of the requested token.',
  {
    audiences: f.list(1, items.string, {
      doc: 'Intended audiences of the token; a recipient must be one of them.',
      presence: 'always',
      openapiRequired: { since: '1.36', is: false },
    }),
    expirationSeconds: f.int64(4, {
      doc: 'Requested validity of the token; the server may shorten it.',
      nullable: true,
      presence: 'always',
      default: 3600,
      min: 600,
      max: 4294967296,
      openapiRequired: false,
    }),
    boundObjectRef: f.struct(3, BoundObjectReference, {
      doc: 'Object whose deletion invalidates the token.',
      nullable: true,
      presence: 'always',
    }),
    attestations: f.map(
      5,
      { kind: 'list', items: items.string },
      {
        doc: 'Claims that the token confirms, by their well-known key. Only for tokens that are bound to a webhook configuration.',
        since: '1.37',
      },
    ),
  },
);

export const TokenRequestStatus = struct('authentication.v1.TokenRequestStatus', 'The token.', {
  token: f.string(1, {
    doc: 'The token, for an Authorization header.',
    presence: 'always',
    openapiRequired: { since: '1.36', is: false },
  }),
  expirationTimestamp: f.time(2, {
    doc: 'When it expires.',
    presence: 'always',
    openapiRequired: { since: '1.36', is: false },
  }),
});

export const TokenRequest = struct(
  'authentication.v1.TokenRequest',
  'Requests a token of a service account.',
  {
    metadata: metadataField,
    spec: f.struct(2, TokenRequestSpec, {
      doc: 'Desired state of the object.',
      presence: 'always',
      openapiRequired: { since: '1.36', is: false },
    }),
    status: statusField(TokenRequestStatus),
  },
  { typeMeta: true, holdsCredentials: true },
);
