// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type * as core from './core.ts';

export type Overhead = {
  readonly podFixed?: Readonly<Record<string, string>>;
};

export type RuntimeClass = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly handler?: string;
  readonly overhead?: Overhead;
  readonly scheduling?: Scheduling;
};

export type RuntimeClassSpecV1alpha1 = {
  readonly runtimeHandler?: string;
  readonly overhead?: Overhead;
  readonly scheduling?: Scheduling;
};

export type RuntimeClassV1alpha1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: RuntimeClassSpecV1alpha1;
};

export type Scheduling = {
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations?: readonly core.Toleration[];
};
