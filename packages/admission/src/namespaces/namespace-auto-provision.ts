import type { ObjectSource } from '@orch/auth';
import { ApiError } from '@orch/machinery';
import type { AdmissionPlugin, Refusal, RequestedWrite } from '../types.ts';
import { writesInNamespaces } from './namespace-parts.ts';

export interface NamespaceAutoProvisionParts {
  readonly source: ObjectSource;
  /** Creates a namespace in the name of the server, if it does not exist. Rejects with `ApiError`. */
  readonly createNamespace: (name: string, signal: AbortSignal) => Promise<void>;
}

/** `NamespaceAutoProvision`: the namespace of a new object is created when it does not exist. */
export const namespaceAutoProvision = ({
  source,
  createNamespace,
}: NamespaceAutoProvisionParts): AdmissionPlugin => ({
  name: 'NamespaceAutoProvision',
  handles: writesInNamespaces('CREATE'),
  precheck(write) {
    const { namespace, dryRun } = write;
    if (dryRun || source.find('namespaces', namespace) !== undefined) return undefined;
    return provision(write, createNamespace);
  },
});

/** Undefined when the namespace exists now. */
async function provision(
  { namespace, signal }: RequestedWrite,
  create: NamespaceAutoProvisionParts['createNamespace'],
): Promise<Refusal | undefined> {
  try {
    await create(namespace, signal);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}
