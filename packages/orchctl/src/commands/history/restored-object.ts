import { isNotFound } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { asText } from '@orch/machinery/json';
import { CommandError } from '../../command-error.ts';
import type { Session } from '../../session/session.ts';

/** An earlier state of an object that exists: the current identity and revision, everything else as it was. */
export function stateFor(past: ApiObject, live: ApiObject): ApiObject {
  const {
    managedFields: _,
    deletionTimestamp: __,
    deletionGracePeriodSeconds: ___,
    ...metadata
  } = past.metadata;
  const { uid, resourceVersion } = live.metadata;
  return { ...past, metadata: { ...metadata, uid, resourceVersion } } as ApiObject;
}

/**
 * A deleted object, to be created again. The server sets its identity. Owners that no longer exist are omitted: the
 * object would be garbage collected with them.
 */
export async function recreated(
  past: ApiObject,
  session: Session,
  signal: AbortSignal,
): Promise<{ readonly object: ApiObject; readonly warnings: readonly string[] }> {
  const {
    name,
    generateName,
    namespace,
    labels,
    annotations,
    finalizers,
    ownerReferences = [],
  } = past.metadata;
  const kept: (typeof ownerReferences)[number][] = [];
  const warnings: string[] = [];
  for (const owner of ownerReferences) {
    if (await exists(owner, namespace, { session, signal })) kept.push(owner);
    else
      warnings.push(
        `the owner ${owner.kind} ${JSON.stringify(owner.name)} does not exist any more; the object is restored without it`,
      );
  }
  const given = { name, generateName, namespace, labels, annotations, finalizers };
  const metadata = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const owned = kept.length === 0 ? metadata : { ...metadata, ownerReferences: kept };
  return { object: { ...past, metadata: owned } as ApiObject, warnings };
}

async function exists(
  owner: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly name?: string;
    readonly uid?: string;
  },
  namespace: string | undefined,
  { session, signal }: { readonly session: Session; readonly signal: AbortSignal },
): Promise<boolean> {
  try {
    const resource = await session.resources.ofKind(asText(owner.apiVersion), asText(owner.kind));
    const found = await session.client.metadata(resource, namespace).get(asText(owner.name), {}, signal);
    return found.metadata.uid === owner.uid;
  } catch (error) {
    // A kind that is not served has no objects.
    if (isNotFound(error) || error instanceof CommandError) return false;
    throw error;
  }
}
