import type { GroupDeclaration } from '../group-declaration.ts';
import { certificateSigningRequests } from './certificate-signing-request/index.ts';
import { clusterTrustBundles } from './cluster-trust-bundle/index.ts';
import { podCertificateRequests } from './pod-certificate-request/index.ts';

export const certificatesGroup: GroupDeclaration = {
  key: 'certificates',
  priority: 17_300,
  versionPriorities: { v1: 15, v1beta1: 9, v1alpha1: 1 },
  types: [certificateSigningRequests, clusterTrustBundles, podCertificateRequests],
};
