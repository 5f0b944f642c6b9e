import type { ResourceType } from '../resource-type.ts';
import { certificateSigningRequests } from './v1/certificate-signing-request.ts';
import { clusterTrustBundles } from './v1alpha1/cluster-trust-bundle.ts';

export const certificatesTypes: readonly ResourceType[] = [certificateSigningRequests, clusterTrustBundles];
