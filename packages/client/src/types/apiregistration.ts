// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type { KeyedList } from '../resources/keyed-list.ts';

/** A group version of the API, and the server that serves it. Its name is `version.group`. */
export type APIService = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: APIServiceSpec;
  /** Most recently observed state of the object; written by the system. */
  status?: APIServiceStatus;
};

/** One aspect of the state of an API service. */
export interface APIServiceCondition {
  /** Type of the condition: Available. */
  type: string;
  /** True, False or Unknown. */
  status: string;
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string | null;
  /** Machine-readable reason, in CamelCase. */
  reason?: string;
  /** Human-readable details. */
  message?: string;
}

/** The group version that is served, its server, and its priority. */
export interface APIServiceSpec {
  /** Service that serves the group version; absent when this server serves it. */
  service?: ServiceReference;
  /** Group that is served. */
  group?: string;
  /** Version that is served. */
  version?: string;
  /** Does not verify the certificate of the other server: an attacker on the network can impersonate it. Use caBundle instead. */
  insecureSkipTLSVerify?: boolean;
  /** Certificates in PEM that verify the certificate of the other server; those of the system when absent. */
  caBundle?: string;
  /** Priority of the group among all groups, 1 to 20000: groups of a higher one come first. The highest of its versions counts. */
  groupPriorityMinimum: number;
  /** Priority of the version within its group, 1 to 1000: versions of a higher one come first. */
  versionPriority: number;
}

/** Whether a group version can be reached. */
export interface APIServiceStatus {
  /** Observations about the object, one entry per type. */
  conditions?: KeyedList<APIServiceCondition, 'type'>;
}

/** References a port of the service of an API server. */
export interface ServiceReference {
  /** Namespace of the service. */
  namespace?: string;
  /** Name of the service. */
  name?: string;
  /** Port of the service. */
  port?: number;
}
