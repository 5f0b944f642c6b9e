import type { Release } from '@orch/apis';
import type { Authorizer, ObjectSource } from '@orch/auth';
import type { Names } from '@orch/machinery';
import type { AdmissionAttributes } from '../types.ts';

export interface NodeRestrictionParts {
  readonly source: ObjectSource;
  readonly names: Names;
  readonly authorizer: Authorizer;
  /** Whether nodes request tokens only for audiences that volumes of the pod need, or that a rule permits to them. */
  readonly restrictsAudiences: boolean;
  readonly release: Release;
}

/** Input of a rule about one resource. */
export interface NodeWrite {
  /** The node that writes. */
  readonly node: string;
  readonly write: AdmissionAttributes;
  readonly parts: NodeRestrictionParts;
}

/** A name in the form of messages. */
export const quoted = (name: string): string => JSON.stringify(name);
