import type { ApiVerb, Reply, ResourceContext } from '@orch/request';
import type { ReadPath, RequestPath, WritePath } from '../context/paths.ts';
import type { StoredResource } from '../resource/served-resource.ts';
import type { UpdateRules } from '../write/rules/update-rules.ts';
import { apply } from './apply.ts';
import { create } from './create.ts';
import { remove } from './delete.ts';
import { removeCollection } from './delete-collection.ts';
import { patch } from './patch.ts';
import { update } from './update.ts';

/**
 * Parses a write request and executes its verb. `rules` define the part of the object that the path writes; all of it
 * when absent.
 */
type ServeWrite = (
  path: RequestPath & ReadPath & WritePath,
  resource: StoredResource,
  call: ResourceContext,
  rules?: UpdateRules,
) => Promise<Reply>;

type WriteVerb = Extract<ApiVerb, 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'deletecollection'>;

/** The verbs that write objects. */
export const writeVerbs: Readonly<Record<WriteVerb, ServeWrite>> = {
  create,
  update,
  patch,
  apply,
  delete: remove,
  deletecollection: removeCollection,
};
