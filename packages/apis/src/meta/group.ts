import { type KindDeclaration, kindOf } from '../kind-declaration.ts';
import { APIGroup, APIGroupList, APIResourceList, APIVersions } from './discovery.ts';
import {
  ApplyOptions,
  CreateOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  PatchOptions,
  TableOptions,
  UpdateOptions,
} from './options.ts';
import { PartialObjectMetadata, PartialObjectMetadataList } from './partial-object-metadata.ts';
import { Status } from './status.ts';
import { Table } from './table.ts';
import { WatchEvent } from './watch-event.ts';

/** Kinds that every group version shares. */
export const metaKinds: readonly KindDeclaration[] = [
  APIGroup,
  APIGroupList,
  APIResourceList,
  APIVersions,
  ApplyOptions,
  CreateOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  PartialObjectMetadata,
  PartialObjectMetadataList,
  PatchOptions,
  Status,
  Table,
  TableOptions,
  UpdateOptions,
  WatchEvent,
].map((schema) => kindOf('meta', 'v1', schema));
