import type { OpenApiResource } from '../input.ts';
import type { PathOperations } from '../operations/operation.ts';

/** A part of a document: paths of discovery, and then those of the resources of one group version. */
export interface DocumentSection {
  readonly discovery: readonly PathOperations[];
  readonly resources: readonly OpenApiResource[];
}
