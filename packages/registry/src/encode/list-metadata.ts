import type { ResourceType } from '@orch/apis';
import type { Revision } from '@orch/storage';

/** Metadata of a collection (spec 2.3). */
export interface ListMetadata {
  readonly rev: Revision;
  readonly continueToken: string | undefined;
  readonly remaining: number | undefined;
}

/** As JSON, with the fields in the order of ListMeta. */
export function listMetadataJson({ rev, continueToken, remaining }: ListMetadata): string {
  const token = continueToken === undefined ? '' : `,"continue":${JSON.stringify(continueToken)}`;
  const left = remaining === undefined ? '' : `,"remainingItemCount":${remaining}`;
  return `{"resourceVersion":"${rev}"${token}${left}}`;
}

/** Kind of the lists of a resource: `PodList`. */
export const listKindOf = ({ kind, listKind }: Pick<ResourceType, 'kind' | 'listKind'>): string =>
  listKind ?? `${kind}List`;
