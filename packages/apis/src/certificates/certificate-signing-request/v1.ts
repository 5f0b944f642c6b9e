import { type FieldOptions, f, items, type StructSchema, struct } from '@orch/schema';
import { ObjectMeta } from '../../meta/object-meta.ts';

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
    'Which certificate is wanted, and who wants it. It cannot change later.',
    {
      request: f.bytes(1, {
        doc: 'The PKCS#10 request, in PEM.',
        presence: 'always',
        openapiRequired: true,
        atomic: true,
      }),
      signerName: f.string(7, {
        doc: 'Who is to sign it, as `example.com/signer`.',
        ...own.signerName,
      }),
      expirationSeconds: f.int32(8, {
        doc: 'How long the certificate should be valid, 600 at least; signers may decide otherwise.',
        presence: 'pointer',
        since: '1.22',
        gate: 'CSRDuration',
        min: 600,
      }),
      usages: f.list(5, items.string, {
        doc: 'What the key will be used for, such as `client auth` or `digital signature`.',
        listType: 'atomic',
        ...own.usages,
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
          doc: 'What else is known of the user who made the request. Set by the server.',
        },
      ),
    },
  );

const conditionOf = (own: SigningRequestVersion): StructSchema =>
  struct(
    `certificates.${own.version}.CertificateSigningRequestCondition`,
    'What was decided about a request, and what came of it.',
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
      reason: f.string(2, { doc: 'One CamelCase word for programs: why it is so.' }),
      message: f.string(3, { doc: 'Details for people.' }),
      lastUpdateTime: f.time(4, { doc: 'When the condition was last written.', presence: 'always' }),
      lastTransitionTime: f.time(5, {
        doc: 'When the status last changed from one value to another.',
        presence: 'always',
        ...own.transitionTime,
      }),
    },
  );

const statusOf = (own: SigningRequestVersion): StructSchema =>
  struct(`certificates.${own.version}.CertificateSigningRequestStatus`, 'What became of a request.', {
    conditions: f.list(1, conditionOf(own), {
      doc: 'Approval, denial and failure.',
      listType: 'map',
      mapKeys: ['type'],
    }),
    certificate: f.bytes(2, {
      doc: 'The certificate in PEM, with others that belong to it; there once it was issued.',
      atomic: true,
    }),
  });

/** The kind in one version. Both versions have the same fields; the older one requires fewer. */
export const certificateSigningRequestOf = (own: SigningRequestVersion): StructSchema =>
  struct(
    `certificates.${own.version}.CertificateSigningRequest`,
    'Asks a signer for a certificate, which it issues once somebody has approved the request.',
    {
      metadata: f.struct(1, ObjectMeta, {
        doc: 'Name, labels and the other data that every object carries.',
        presence: 'always',
      }),
      spec: f.struct(2, specOf(own), {
        doc: 'What its owner wants.',
        presence: 'always',
        openapiRequired: own.version === 'v1',
      }),
      status: f.struct(3, statusOf(own), {
        doc: 'What was decided, and the certificate.',
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
