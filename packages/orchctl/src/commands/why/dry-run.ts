import { collectionPath, objectPath } from '@orch/client';
import { ApiError } from '@orch/machinery';
import type { Target } from '../../resources/targets.ts';
import type { Session } from '../../session/session.ts';

/** Sends an object as a dry run with an audit id. Resolves with the refusal; undefined when there is none. */
export async function dryRun(
  { client }: Session,
  {
    target,
    auditId,
    signal,
  }: { readonly target: Target; readonly auditId: string; readonly signal: AbortSignal },
): Promise<ApiError | undefined> {
  const { resource, namespace, name, document } = target;
  const query = 'dryRun=All&fieldManager=orchctl';
  // An object with a generated name can only be created.
  const [method, path, type] =
    name === ''
      ? (['POST', collectionPath(resource, namespace), 'application/json'] as const)
      : (['PATCH', objectPath(resource, namespace, name), 'application/apply-patch+yaml'] as const);
  const headers = { 'audit-id': auditId, 'content-type': type, accept: 'application/json' };
  const body = Buffer.from(JSON.stringify(document?.object));
  try {
    await client.rawBody({ method, target: `${path}?${query}`, headers, body }, signal);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
