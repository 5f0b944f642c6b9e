// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type * as core from './core.ts';

/** Resources that a pod of the class uses beside those of its containers. */
export interface Overhead {
  /** Amount by resource, the same for every pod. */
  podFixed?: Record<string, string>;
}

/** A container runtime, or a configuration of one, that pods can ask for by name. */
export type RuntimeClass = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What nodes call the runtime. It cannot change. */
  handler: string;
  /** What pods of the class use beside their containers. */
  overhead?: Overhead;
  /** Where pods of the class can run; anywhere when absent. */
  scheduling?: Scheduling;
};

/** Which runtime is meant, and what its pods need. */
export interface RuntimeClassSpecV1alpha1 {
  /** What nodes call the runtime. It cannot change. */
  runtimeHandler: string;
  /** What pods of the class use beside their containers. */
  overhead?: Overhead;
  /** Where pods of the class can run; anywhere when absent. */
  scheduling?: Scheduling;
}

/** A container runtime, or a configuration of one, that pods can ask for by name. */
export type RuntimeClassV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec: RuntimeClassSpecV1alpha1;
};

/** Nodes on which pods of the class can run. */
export interface Scheduling {
  /** Labels that such nodes have; merged with what the pod asks for. */
  nodeSelector?: Record<string, string>;
  /** Tolerations that pods of the class get. */
  tolerations?: core.Toleration[];
}
