import { chain, type Lens, within } from '@orch/schema';
import { certificateSigningRequestOf } from './v1.ts';
import { defaultSigner, defaultUsages } from './v1beta1.defaults.ts';

/** The older version: neither the signer nor the usages of a request are required. */
export const CertificateSigningRequestV1Beta1 = certificateSigningRequestOf({
  version: 'v1beta1',
  signerName: { presence: 'pointer', since: '1.18', default: defaultSigner },
  usages: { default: defaultUsages },
  conditionStatus: { since: '1.19', default: 'True', openapiRequired: false },
  transitionTime: { since: '1.19' },
});

/**
 * Both versions have the same fields. Objects created before signers existed get the default that they have always had.
 */
export const certificateSigningRequestLens: Lens = chain(
  within('spec', {
    toHub(spec, { names }) {
      spec.signerName ??= defaultSigner(spec, names);
    },
    fromHub() {},
  }),
  within('status.conditions[]', {
    toHub(condition) {
      condition.status ||= 'True';
    },
    fromHub() {},
  }),
);
