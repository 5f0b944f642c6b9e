import type { ResourceType } from '../resource-type.ts';
import { certificateSigningRequests } from './certificate-signing-request/index.ts';
import { clusterTrustBundles } from './cluster-trust-bundle/index.ts';

export const certificatesTypes: readonly ResourceType[] = [certificateSigningRequests, clusterTrustBundles];
