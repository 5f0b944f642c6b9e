import type { Representation } from '@orch/request';
import type { IncludeObject } from '../table/index.ts';

/** The format of a response. */
export interface ResponseFormat {
  readonly representation: Representation;
  readonly pretty: boolean;
  /** For tables. */
  readonly include: IncludeObject;
}
