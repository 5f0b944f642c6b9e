import { keyUsageNames } from '@orch/pki/x509';
import { type FieldOptions, f, items, type StructSchema, struct } from '@orch/schema';
import { metadataField } from '../../meta/standard-fields.ts';

/** The differences between the two versions. */
export interface SigningRequestVersion {
  readonly version: string;
  readonly signerName: FieldOptions;
  readonly usages: FieldOptions;
  readonly conditionStatus: FieldOptions;
  readonly transitionTime: FieldOptions;
}

const specOf = (own: SigningRequestVersion): StructSchema =>
  struct(
    `certificates.${own.version}.CertificateSigningRequestSpec`,
    'The requested certificate, and the requester. It cannot change later.',
    {
      request: f.bytes(1, {
        doc: 'The PKCS#10 request, in PEM.',
        presence: 'always',
        openapiRequired: true,
        atomic: { until: '1.35' },
      }),
      signerName: f.string(7, {
        doc: 'Name of the signer, such as `example.com/signer`.',
        ...own.signerName,
      }),
      expirationSeconds: f.int32(8, {
        doc: 'Requested validity of the certificate, 600 at least; the signer may issue another one.',
        presence: 'pointer',
        since: '1.22',
        gate: 'CSRDuration',
        min: 600,
      }),
      usages: f.list(5, items.string, {
        doc: 'Intended usages of the key, such as `client auth` or `digital signature`.',
        listType: 'atomic',
        ...own.usages,
        openapiEnum: { since: '1.30', values: keyUsageNames },
      }),
      username: f.string(2, { doc: 'Name of the user who made the request. Set by the server.' }),
      uid: f.string(3, { doc: 'Identity of the user who made the request. Set by the server.' }),
      groups: f.list(4, items.string, {
        doc: 'Groups of the user who made the request. Set by the server.',
        listType: 'atomic',
      }),
      extra: f.map(
        6,
        { kind: 'list', items: items.string },
        {
          doc: 'Additional attributes of the user who made the request. Set by the server.',
        },
      ),
    },
  );

const conditionOf = (own: SigningRequestVersion): StructSchema =>
  struct(
    `certificates.${own.version}.CertificateSigningRequestCondition`,
    'A decision about a request, or its result.',
    {
      type: f.string(1, {
        doc: 'Approved, Denied or Failed, or a type of the signer with a domain prefix.',
        presence: 'always',
      }),
      status: f.string(6, {
        doc: 'True, False or Unknown; True for the well-known types.',
        presence: 'always',
        ...own.conditionStatus,
      }),
      reason: f.string(2, { doc: 'Machine-readable reason, in CamelCase.' }),
      message: f.string(3, { doc: 'Human-readable details.' }),
      lastUpdateTime: f.time(4, { doc: 'When the condition was last written.', presence: 'always' }),
      lastTransitionTime: f.time(5, {
        doc: 'When the status last changed from one value to another.',
        presence: 'always',
        ...own.transitionTime,
      }),
    },
  );

const statusOf = (own: SigningRequestVersion): StructSchema =>
  struct(`certificates.${own.version}.CertificateSigningRequestStatus`, 'Result of a request.', {
    conditions: f.list(1, conditionOf(own), {
      doc: 'Approval, denial and failure.',
      listType: 'map',
      mapKeys: ['type'],
    }),
    certificate: f.bytes(2, {
      doc: 'The certificate in PEM, with its chain; present after it was issued.',
      atomic: { until: '1.35' },
    }),
  });

/** The kind in one version. Both versions have the same fields; the older one requires fewer. */
export const certificateSigningRequestOf = (own: SigningRequestVersion): StructSchema =>
  struct(
    `certificates.${own.version}.CertificateSigningRequest`,
    'A request to a signer for a certificate, which is issued after the request was approved.',
    {
      metadata: metadataField,
      spec: f.struct(2, specOf(own), {
        doc: 'Desired state of the object.',
        presence: 'always',
        openapiRequired: own.version === 'v1',
      }),
      status: f.struct(3, statusOf(own), {
        doc: 'Decisions about the request, and the certificate.',
        presence: 'always',
      }),
    },
    { typeMeta: true },
  );

export const CertificateSigningRequest = certificateSigningRequestOf({
  version: 'v1',
  signerName: { presence: 'always' },
  usages: {},
  conditionStatus: {},
  transitionTime: {},
});
