import type { Resource } from '@orch/client';
import type { Names } from '@orch/machinery';
import type { ControllerOptions } from '../options.ts';

const core = (resource: string, kind: string, namespaced = true): Resource => ({
  group: '',
  version: 'v1',
  resource,
  kind,
  namespaced,
});

export const namespaces = core('namespaces', 'Namespace', false);
export const secrets = core('secrets', 'Secret');
export const configMaps = core('configmaps', 'ConfigMap');
export const serviceAccounts = core('serviceaccounts', 'ServiceAccount');

/** In the version that the release serves: the older one ended when the newer had been there for three releases. */
export const signingRequests = (names: Names, { major, minor }: ControllerOptions['release']): Resource => ({
  group: names.group('certificates'),
  version: major > 1 || minor >= 19 ? 'v1' : 'v1beta1',
  resource: 'certificatesigningrequests',
  kind: 'CertificateSigningRequest',
  namespaced: false,
});

export const accessReviews = (names: Names): Resource => ({
  group: names.group('authorization'),
  version: 'v1',
  resource: 'subjectaccessreviews',
  kind: 'SubjectAccessReview',
  namespaced: false,
});
