// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';

export type APIService = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: APIServiceSpec;
  readonly status?: APIServiceStatus;
};

export type APIServiceCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type APIServiceSpec = {
  readonly service?: ServiceReference;
  readonly group?: string;
  readonly version?: string;
  readonly insecureSkipTLSVerify?: boolean;
  readonly caBundle?: string;
  readonly groupPriorityMinimum?: number;
  readonly versionPriority?: number;
};

export type APIServiceStatus = {
  readonly conditions?: readonly APIServiceCondition[];
};

export type ServiceReference = {
  readonly namespace?: string;
  readonly name?: string;
  readonly port?: number;
};
