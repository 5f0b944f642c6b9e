import {
  type ApiError,
  type ApiObject,
  errors,
  hasDeletionTimestamp,
  type ObjectMeta,
  type OwnerReference,
  type Subject,
} from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { type ServedResource, subjectOf } from '../../resource/served-resource.ts';

/** Fields of ObjectMeta in stored order. */
const META_FIELDS = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
] as const satisfies readonly (keyof ObjectMeta)[];

/** Fields that a deletion or the server's rules may clear are omitted when empty. */
const isPresent = (value: unknown): boolean => value !== undefined && value !== '';

/**
 * Metadata as it is stored: fields in canonical order, without `resourceVersion`, which is the revision of the write, and
 * without `selfLink`, which this API no longer has.
 */
export function storedMeta(meta: ObjectMeta): ObjectMeta {
  const stored: Record<string, unknown> = {};
  for (const name of META_FIELDS) if (isPresent(meta[name])) stored[name] = meta[name];
  return stored;
}

/**
 * Sets the fields of a new object that the server determines, overriding those of the client (facts: validation,
 * ObjectMeta create).
 */
export function prepareCreateMeta(
  meta: ObjectMeta,
  set: {
    readonly namespace: string;
    readonly uid: string;
    readonly now: string;
    readonly generation: number | undefined;
  },
): void {
  if (set.namespace !== '') meta.namespace = set.namespace;
  meta.uid = set.uid;
  meta.creationTimestamp = set.now;
  // `delete` is slow even where the field is absent.
  if (meta.deletionTimestamp !== undefined) delete meta.deletionTimestamp;
  if (meta.deletionGracePeriodSeconds !== undefined) delete meta.deletionGracePeriodSeconds;
  if (set.generation !== undefined) meta.generation = set.generation;
  else if (meta.generation !== undefined) delete meta.generation;
}

/**
 * Copies the immutable and the omitted fields of the stored metadata, except managed fields, into an update (facts:
 * validation, ObjectMeta update). Forbidden changes are left for validation to report.
 */
export function prepareUpdateMeta(meta: ObjectMeta, old: ObjectMeta): void {
  meta.name ??= old.name ?? '';
  carry(meta, old, 'namespace');
  carry(meta, old, 'uid');
  carry(meta, old, 'creationTimestamp');
  carry(meta, old, 'generation');
  if (hasDeletionTimestamp(old)) carry(meta, old, 'deletionTimestamp');
  else if (meta.deletionTimestamp === null) delete meta.deletionTimestamp;
  if (old.deletionGracePeriodSeconds !== undefined && meta.deletionGracePeriodSeconds === undefined) {
    meta.deletionGracePeriodSeconds = old.deletionGracePeriodSeconds;
  }
}

function carry<K extends keyof ObjectMeta>(meta: ObjectMeta, old: ObjectMeta, field: K): void {
  const value = old[field];
  if (value !== undefined) meta[field] = value;
  else if (meta[field] !== undefined) delete meta[field];
}

const noUids: readonly string[] = [];

/** Keeps one of owners that are equal (facts: validation, ObjectMeta). Returns the uids of those that it removes. */
export function removeRepeatedOwners(meta: ObjectMeta): readonly string[] {
  const { ownerReferences: owners } = meta;
  if (owners === undefined || owners.length < 2) return noUids;
  const distinct = new Map(owners.map((owner) => [ownerKey(owner), owner]));
  if (distinct.size === owners.length) return noUids;
  const removed: string[] = [];
  const seen = new Set<string>();
  meta.ownerReferences = owners.filter((owner) => {
    const key = ownerKey(owner);
    if (!seen.has(key)) return seen.add(key);
    removed.push(owner.uid);
    return false;
  });
  return removed;
}

const ownerKey = ({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): string =>
  JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);

/** Refuses an object whose namespace is not that of the path (400). */
export function checkNamespace(object: ApiObject, resource: ServedResource, namespace: string): void {
  const given = object.metadata.namespace ?? '';
  if (given === '' || !resource.type.namespaced || given === namespace) return;
  throw errors.badRequest(
    `the namespace of the object (${JSON.stringify(given)}) does not match that of the request (${JSON.stringify(namespace)})`,
    `the namespace of the object does not match that of the request (${JSON.stringify(namespace)})`,
  );
}

/** Refuses an object whose name is not that of the path (400). An absent name is taken from the path. */
export function checkName(object: ApiObject, name: string): void {
  const given = object.metadata.name ?? '';
  if (given === '') object.metadata.name = name;
  else if (given !== name) {
    throw errors.badRequest(
      `the name of the object (${JSON.stringify(given)}) does not match that of the request (${JSON.stringify(name)})`,
      `the name of the object does not match that of the request (${JSON.stringify(name)})`,
    );
  }
}

/** Refuses a replacement without a name, or with another name than that of the path (400). */
export function requireName(object: ApiObject, name: string): void {
  if ((object.metadata.name ?? '') === '')
    throw errors.badRequest(`metadata.name must be provided: the path names ${JSON.stringify(name)}`);
  checkName(object, name);
}

/** A deleted object without finalizers and grace period may be removed (spec 3.1). */
export const isDeletable = (meta: ObjectMeta): boolean =>
  hasDeletionTimestamp(meta) &&
  (meta.finalizers ?? []).length === 0 &&
  (meta.deletionGracePeriodSeconds ?? 0) === 0;

const NO_VERSION = 'Invalid value: 0x0: must be specified for an update';

/** The two preconditions in the object of an update: uid (409) and resourceVersion (409, 422). */
export function checkUpdatePreconditions(
  resource: ServedResource,
  next: ObjectMeta,
  old: ObjectMeta,
  rev: number,
): void {
  const name = old.name ?? '';
  const { uid = '', resourceVersion = '' } = next;
  if (uid !== '' && uid !== old.uid) {
    throw uidConflict(subjectOf(resource, name), uid, old.uid);
  }
  if (resourceVersion === '' || resourceVersion === '0') {
    if (resource.type.strategy.unconditionalUpdate) return;
    throw errors.invalid(subjectOf(resource, name), [
      {
        type: 'FieldValueInvalid',
        field: 'metadata.resourceVersion',
        message: NO_VERSION,
        withoutValue: NO_VERSION,
      },
    ]);
  }
  if (resourceVersion !== String(rev)) throw staleVersion(resource, name);
}

export const staleVersion = (resource: ServedResource, name: string): Error =>
  errors.conflict(
    subjectOf(resource, name),
    'the object has been modified; please apply your changes to the latest version and try again',
  );

export const uidMismatch = (wanted: string, actual: string | undefined): string =>
  `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${actual ?? ''}`;

/** The 409 for an object with another uid than the client expects. */
export const uidConflict = (subject: Subject, wanted: string, actual: string | undefined): ApiError =>
  errors.conflictingValue(
    subject,
    uidMismatch(wanted, actual),
    `Precondition failed: UID in object meta: ${actual ?? ''}`,
  );

/** Reports whether a write increases `metadata.generation`, as the strategy of the resource determines. */
export function changesGeneration(resource: ServedResource, next: ApiObject, old: ApiObject): boolean {
  switch (resource.type.strategy.generation) {
    case 'spec':
    case 'updates':
      if ('spec' in next || 'spec' in old) return !jsonEquals(next['spec'], old['spec']);
      return !jsonEquals(withoutStatus(next), withoutStatus(old));
    case 'content': {
      const content = resource.subresources.has('status') ? withoutStatus : withStatus;
      return !jsonEquals(content(next), content(old));
    }
    case 'fixed':
    case 'none':
      return false;
  }
}

function withStatus(object: ApiObject): Record<string, unknown> {
  const { metadata: _metadata, kind: _kind, apiVersion: _apiVersion, ...content } = object;
  return content;
}

function withoutStatus(object: ApiObject): Record<string, unknown> {
  const { status: _status, ...content } = withStatus(object);
  return content;
}
