import type { ObjectFeed } from '@orch/auth';
import type { Names } from '@orch/machinery';
import type { AdmittedWrite } from '../types.ts';

export interface NodeRestrictionParts {
  readonly feed: ObjectFeed;
  readonly names: Names;
}

/** What a rule about one resource knows. */
export interface NodeWrite {
  /** The node that writes. */
  readonly node: string;
  readonly write: AdmittedWrite;
  readonly parts: NodeRestrictionParts;
}

/** A name as messages show it. */
export const quoted = (name: string): string => JSON.stringify(name);
