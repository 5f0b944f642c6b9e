import { applyJsonPatch } from '@orch/apply';
import { type ApiObject, errors, messageOf, type ObjectMeta } from '@orch/machinery';
import { isJsonObject, jsonEquals } from '@orch/machinery/json';
import type { AdmissionAttributes } from '../types.ts';
import type { VersionedResource } from '../versioned-resource.ts';

/** A patch of a webhook, in the version in which it received the object. */
export interface WebhookPatch {
  readonly webhook: string;
  readonly version: VersionedResource;
  readonly object: ApiObject | undefined;
  readonly operations: readonly unknown[];
}

/**
 * Applies the patch of a webhook: decodes the result with defaults, and assigns it to the object of the write. Returns whether the
 * object changed. Throws an `ApiError`, 500, for a patch that cannot be applied, and for one that changes the identity of
 * the object.
 */
export async function applyPatch(
  { webhook, version, object: before, operations }: WebhookPatch,
  { object, oldObject, signal }: AdmissionAttributes,
): Promise<boolean> {
  if (object === undefined || before === undefined)
    throw unusable(webhook, 'attempted to modify the object, which is not supported for this operation');
  const patched = patchedObject(webhook, before, operations);
  const isNew = oldObject === undefined;
  const changed = changedIdentity(before, patched, isNew);
  if (changed !== undefined)
    throw unusable(webhook, `attempted to modify ${changed}, which it may not change`);
  let next: ApiObject;
  try {
    next = await version.toHub(patched, oldObject, signal);
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw unusable(webhook, `returned a patch whose result is invalid: ${messageOf(cause)}`, cause);
  }
  next.metadata = withServerFields(next.metadata, object.metadata, isNew);
  return replaceContent(object, next);
}

function patchedObject(webhook: string, before: ApiObject, operations: readonly unknown[]): ApiObject {
  let patched: unknown;
  try {
    patched = applyJsonPatch(before, operations);
  } catch (cause) {
    throw unusable(webhook, `returned a patch that cannot be applied: ${messageOf(cause)}`, cause);
  }
  if (isJsonObject(patched) && isJsonObject(patched['metadata'])) return patched as ApiObject;
  throw unusable(webhook, 'returned a patch whose result is not an object');
}

/** Metadata that identifies an object. */
const identity = [
  'name',
  'namespace',
  'uid',
  'resourceVersion',
] as const satisfies readonly (keyof ObjectMeta)[];

/** Metadata that the server sets. Values of a webhook are ignored, as those of clients are in a new object. */
const setByServer = [
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'generation',
  'managedFields',
  'selfLink',
] as const satisfies readonly (keyof ObjectMeta)[];

/** The name of an object may be set where it would be generated; the server sets the uid of a new object. */
function changedIdentity(before: ApiObject, after: ApiObject, isNew: boolean): string | undefined {
  if (before.kind !== after.kind) return 'kind';
  if (before.apiVersion !== after.apiVersion) return 'apiVersion';
  const field = identity.find((name) => {
    const value = before.metadata[name] ?? '';
    if (value === (after.metadata[name] ?? '')) return false;
    return name === 'name' ? value !== '' : !(name === 'uid' && isNew);
  });
  return field === undefined ? undefined : `metadata.${field}`;
}

/** The metadata of a patched object, with the fields of the server restored. */
function withServerFields(patched: ObjectMeta, before: ObjectMeta, isNew: boolean): ObjectMeta {
  const kept: readonly (keyof ObjectMeta)[] = isNew ? [...setByServer, 'uid'] : setByServer;
  const metadata: Record<string, unknown> = { ...patched };
  for (const field of kept)
    if (before[field] === undefined) delete metadata[field];
    else metadata[field] = before[field];
  return metadata;
}

function replaceContent(object: ApiObject, next: ApiObject): boolean {
  if (jsonEquals(object, next)) return false;
  for (const field of Object.keys(object)) if (!Object.hasOwn(next, field)) delete object[field];
  Object.assign(object, next);
  return true;
}

const unusable = (webhook: string, problem: string, cause?: unknown): Error =>
  errors.failedWebhook(`admission webhook ${JSON.stringify(webhook)} ${problem}`, cause);
