// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type * as core from './core.ts';

/** Resources that a pod of the class uses in addition to those of its containers. */
export interface Overhead {
  /** Amount by resource, the same for every pod. */
  podFixed?: Record<string, string>;
}

/** A container runtime, or a configuration of one, that pods can select by name. */
export type RuntimeClass = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Name of the runtime on the nodes. It cannot change. */
  handler: string;
  /** Resources that pods of the class use in addition to their containers. */
  overhead?: Overhead;
  /** Where pods of the class can run; anywhere when absent. */
  scheduling?: Scheduling;
};

/** The runtime, and the requirements of its pods. */
export interface RuntimeClassSpecV1alpha1 {
  /** Name of the runtime on the nodes. It cannot change. */
  runtimeHandler: string;
  /** Resources that pods of the class use in addition to their containers. */
  overhead?: Overhead;
  /** Where pods of the class can run; anywhere when absent. */
  scheduling?: Scheduling;
}

/** A container runtime, or a configuration of one, that pods can select by name. */
export type RuntimeClassV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec: RuntimeClassSpecV1alpha1;
};

/** Nodes on which pods of the class can run. */
export interface Scheduling {
  /** Labels that such nodes have; merged with the node selector of the pod. */
  nodeSelector?: Record<string, string>;
  /** Tolerations that are added to pods of the class. */
  tolerations?: core.Toleration[];
}
