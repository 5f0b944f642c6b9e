// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';

/** A group version of the API, and the server that serves it. Its name is `version.group`. */
export type APIService = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec?: APIServiceSpec;
  /** What was observed last; written by the system, never by the owner. */
  status?: APIServiceStatus;
};

/** One aspect of the state of an API service. */
export interface APIServiceCondition {
  /** Which aspect: Available. */
  type: string;
  /** True, False or Unknown. */
  status: string;
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string | null;
  /** One CamelCase word for programs: why it is so. */
  reason?: string;
  /** Details for people. */
  message?: string;
}

/** Which group version is served, by whom, and where it stands among others. */
export interface APIServiceSpec {
  /** Service behind which the group version is served; absent when this server serves it. */
  service?: ServiceReference;
  /** Group that is served. */
  group?: string;
  /** Version that is served. */
  version?: string;
  /** Does not check the certificate of the other server: anybody on the way can answer in its place. Use caBundle instead. */
  insecureSkipTLSVerify?: boolean;
  /** Certificates in PEM that the certificate of the other server is checked with; those of the system when absent. */
  caBundle?: string;
  /** Where the group stands among all groups, 1 to 20000: the higher, the earlier. The highest of its versions counts. */
  groupPriorityMinimum: number;
  /** Where the version stands within its group, 1 to 1000: the higher, the earlier. */
  versionPriority: number;
}

/** Whether a group version can be reached. */
export interface APIServiceStatus {
  /** Observations about the object, one entry per type. */
  conditions?: APIServiceCondition[];
}

/** Names a port of the service behind which an API server is. */
export interface ServiceReference {
  /** Namespace of the service. */
  namespace?: string;
  /** Name of the service. */
  name?: string;
  /** Port of the service. */
  port?: number;
}
