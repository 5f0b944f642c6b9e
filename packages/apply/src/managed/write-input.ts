import type { FieldSet } from '../fields/field-set.ts';
import type { KindVersions } from './versions.ts';

/** Common input of all writes. Objects are never changed. */
export interface WriteInput {
  readonly versions: KindVersions;
  /** Version of the request, in which the objects are. */
  readonly apiVersion: string;
  /** The writer: the `fieldManager` parameter, or its default. */
  readonly manager: string;
  /** The subresource that is written; empty for the object itself. */
  readonly subresource?: string;
  /** The stored time of the write: `2006-01-02T15:04:05Z`. */
  readonly now: string;
  /** Fields that this way of writing leaves as they are: `status` of the object itself, `spec` of its status. */
  readonly resetFields?: FieldSet;
  /** Work on large parts of the objects is divided into pieces. */
  readonly isLarge?: boolean;
}
