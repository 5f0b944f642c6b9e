import type { AdmissionAttributes, AdmissionChain, Operation, WriteTarget } from '@orch/admission';
import type { UserInfo } from '@orch/auth';
import type { ApiObject } from '@orch/machinery';
import type { ServedResource } from '../resource/served-resource.ts';

/**
 * The operation that admission plugins receive for a change. `nothing` for changes that the server makes itself, or in
 * addition to an admitted write.
 */
export type AdmissionOperation =
  | { readonly operation: Exclude<Operation, 'CREATE'>; readonly subresource: string }
  | 'nothing';

/** The target and the user of a write. */
export interface Writing {
  readonly name: string;
  readonly namespace: string;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

/** The states of an object around a write, in the hub version. */
export type WrittenStates = Pick<AdmissionAttributes, 'object' | 'oldObject'>;

/** Passes a write to the plugins that handle it. Rejects with their refusal. */
export type Admit = (states: WrittenStates) => Promise<void>;

/** Undefined when no plugin handles such a write: then its states need not be decoded. */
export function admissionOf(
  chain: AdmissionChain | undefined,
  { type }: Pick<ServedResource, 'type'>,
  as: { readonly operation: Operation; readonly subresource: string } | 'nothing',
  { user, ...writing }: Writing,
): Admit | undefined {
  if (chain === undefined || as === 'nothing') return undefined;
  const target: WriteTarget = { ...as, group: type.group, resource: type.resource, user };
  return chain.handles(target) ? (states) => chain.admit({ ...target, ...writing, ...states }) : undefined;
}

/** Namespace and name of an object, from its key in the resource. */
export function namespacedNameOf(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/');
  return { namespace: slash === -1 ? '' : key.slice(0, slash), name: key.slice(slash + 1) };
}

/** The states of a creation. */
export const creating = (object: ApiObject): WrittenStates => ({ object, oldObject: undefined });
