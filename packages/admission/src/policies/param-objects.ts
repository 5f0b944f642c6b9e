import type { ParamKind } from '@orch/kinds/admissionregistration';
import type { ApiObject } from '@orch/machinery';
import type { LabelSelector } from '@orch/machinery/selectors';
import { namespaceOf } from '../shared/namespaces.ts';
import type { AdmissionAttributes } from '../types.ts';
import type { ParamSelection } from './definitions.ts';

/** The stored objects of any kind, read with the permissions of the server, in the version of the kind. */
export interface KindObjects {
  readonly namespaced: boolean;
  /** Undefined when it does not exist. With `isFresh`, the answer contains all writes before the call. */
  get(name: ObjectName, options: KindReadOptions): Promise<ApiObject | undefined>;
  /** The objects of a namespace, or cluster-scoped ones when it is empty, sorted by name. */
  list(namespace: string, selector: LabelSelector, options: KindReadOptions): Promise<readonly ApiObject[]>;
}

export interface ObjectName {
  readonly namespace: string;
  readonly name: string;
}

export interface KindReadOptions {
  readonly isFresh: boolean;
  readonly signal: AbortSignal;
}

export interface ParamParts {
  /** Undefined when no such kind is currently stored: `v1`, `ConfigMap`. */
  readonly objectsOf: (apiVersion: string, kind: string) => KindObjects | undefined;
}

/** A binding cannot be used for a write: the failure policy of its policy applies. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

type ParamWrite = Pick<AdmissionAttributes, 'group' | 'resource' | 'name' | 'namespace' | 'signal'>;

/**
 * The parameters for which a policy is evaluated: once with each. Null means none. Rejects with a `ConfigurationError`.
 */
export async function paramsOf(
  { objectsOf }: ParamParts,
  {
    kind,
    selection,
  }: { readonly kind: ParamKind | undefined; readonly selection: ParamSelection | undefined },
  write: ParamWrite,
): Promise<readonly (ApiObject | null)[]> {
  if (kind === undefined || selection === undefined) return [null];
  const { apiVersion = '', kind: kindName = '' } = kind;
  const objects = objectsOf(apiVersion, kindName);
  if (objects === undefined)
    throw new ConfigurationError(`paramKind kind \`${apiVersion}, Kind=${kindName}\` not known`);
  const namespace = paramNamespace(selection, objects, write);
  const found = await selected(objects, { namespace, selection }, write.signal);
  if (found.length === 0 && selection.isRequired)
    throw new ConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction');
  return found;
}

function paramNamespace(
  { namespace }: ParamSelection,
  { namespaced }: KindObjects,
  write: ParamWrite,
): string {
  if (!namespaced) {
    if (namespace === '') return '';
    throw new ConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  }
  const used = namespace === '' ? namespaceOf(write) : namespace;
  if (used !== '') return used;
  throw new ConfigurationError(
    'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
  );
}

async function selected(
  objects: KindObjects,
  { namespace, selection }: { readonly namespace: string; readonly selection: ParamSelection },
  signal: AbortSignal,
): Promise<readonly ApiObject[]> {
  const { select, isRequired } = selection;
  const read = async (isFresh: boolean): Promise<readonly ApiObject[]> => {
    if (typeof select !== 'string') return objects.list(namespace, select, { isFresh, signal });
    const found = await objects.get({ namespace, name: select }, { isFresh, signal });
    return found === undefined ? [] : [found];
  };
  const found = await read(false);
  // A write must not fail because its parameters were created moments ago, perhaps on another replica.
  return found.length === 0 && isRequired ? read(true) : found;
}
