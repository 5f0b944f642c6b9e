import type { AdmissionChain, AdmittedWrite, Operation, WriteTarget } from '@orch/admission';
import type { UserInfo } from '@orch/auth';
import type { ApiObject } from '@orch/machinery';
import type { ServedResource } from '../resource/served-resource.ts';

/**
 * As what the plugins of admission see a change of an object. `nothing` stands for what the server does beside a write
 * that they have seen, or of its own accord.
 */
export type AdmittedAs =
  | { readonly operation: Exclude<Operation, 'CREATE'>; readonly subresource: string }
  | 'nothing';

/** Whose write it is, and how it is made. */
export interface Writing {
  readonly name: string;
  readonly namespace: string;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

/** The states of an object around a write, in the hub version. */
export type WrittenStates = Pick<AdmittedWrite, 'object' | 'oldObject'>;

/** Shows a write to those plugins that are concerned. Rejects with their refusal. */
export type Admit = (states: WrittenStates) => Promise<void>;

/** Undefined when no plugin is concerned with such a write, so that nothing has to be read for them. */
export function admissionOf(
  chain: AdmissionChain | undefined,
  { type }: Pick<ServedResource, 'type'>,
  as: { readonly operation: Operation; readonly subresource: string } | 'nothing',
  { user, ...writing }: Writing,
): Admit | undefined {
  if (chain === undefined || as === 'nothing') return undefined;
  const target: WriteTarget = { ...as, group: type.group, resource: type.resource, user };
  return chain.concerns(target) ? (states) => chain.admit({ ...target, ...writing, ...states }) : undefined;
}

/** Namespace and name of an object, from its key in the resource. */
export function namespacedNameOf(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/');
  return { namespace: slash === -1 ? '' : key.slice(0, slash), name: key.slice(slash + 1) };
}

/** An object that is about to be stored, as a write that makes it. */
export const creating = (object: ApiObject): WrittenStates => ({ object, oldObject: undefined });
