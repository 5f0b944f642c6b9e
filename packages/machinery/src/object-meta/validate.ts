import type { Work } from '../concurrency/index.ts';
import { type FieldError, fieldError } from '../field-error.ts';
import {
  dns1123label,
  labelValue,
  qualifiedName,
  validateFormat,
  validateNamePrefix,
} from '../formats/index.ts';
import type { ObjectMeta, OwnerReference } from '../meta.ts';
import type { Names } from '../names/names.ts';
import { child, type ItemCheck, index, problemsInPieces, problemsOf } from './field-path.ts';
import { validateMetaUpdate } from './update.ts';

export interface ObjectMetaRules {
  readonly namespaced: boolean;
  /** Format of `name`, a key of `formats`. */
  readonly nameFormat: string;
  readonly maxNameLength?: number | undefined;
  /** Finalizers need no domain. */
  readonly unqualifiedFinalizers?: boolean;
  readonly names: Names;
  /** Reports whether a rule holds that came with a release; none does without it. */
  readonly since?: (release: string) => boolean;
  /** The stored metadata, on update. */
  readonly old?: ObjectMeta | undefined;
  /** Path of the metadata; `metadata` when absent. */
  readonly path?: string;
}

/** Keys and values of all annotations together, in bytes. */
const MAX_ANNOTATION_BYTES = 262_144;

/**
 * Returns all errors in an object's metadata, in the order that clients expect (facts: validation, ObjectMeta). The
 * server has already set the fields that it manages: on create a name generated from `generateName`, uid and
 * timestamps.
 */
export function validateObjectMeta(meta: ObjectMeta, rules: ObjectMetaRules): FieldError[] {
  const path = rules.path ?? 'metadata';
  const { labels, annotations, ownerReferences, finalizers, managedFields } = meta;
  const found = [validateIdentity(meta, rules, path)];
  // Most objects have few of these fields, and those without errors cost nothing.
  if (labels !== undefined) found.push(validateLabels(labels, child(path, 'labels')));
  if (annotations !== undefined) found.push(validateAnnotations(annotations, child(path, 'annotations')));
  if (ownerReferences !== undefined)
    found.push(validateOwnerReferences(ownerReferences, child(path, 'ownerReferences'), rules));
  if (finalizers !== undefined) found.push(validateFinalizers(finalizers, child(path, 'finalizers'), rules));
  if (managedFields !== undefined)
    found.push(validateManagedFields(managedFields, child(path, 'managedFields')));
  return found.flat();
}

/** Like `validateObjectMeta`, in pieces. */
export function* validatingObjectMeta(meta: ObjectMeta, rules: ObjectMetaRules): Work<FieldError[]> {
  const path = rules.path ?? 'metadata';
  const { labels = {}, annotations = {}, finalizers = [] } = meta;
  const [labelsPath, annotationsPath, finalizersPath] = [
    child(path, 'labels'),
    child(path, 'annotations'),
    child(path, 'finalizers'),
  ];
  const ofIdentity = validateIdentity(meta, rules, path);
  yield;
  const ofLabels = yield* problemsInPieces(Object.keys(labels), labelCheck(labels, labelsPath));
  yield;
  const ofAnnotations = yield* problemsInPieces(Object.keys(annotations), annotationCheck(annotationsPath));
  yield;
  const ofSize = checkAnnotationSize(annotations, annotationsPath);
  yield;
  const ofOwners = validateOwnerReferences(meta.ownerReferences, child(path, 'ownerReferences'), rules);
  yield;
  const ofFinalizers = yield* problemsInPieces(finalizers, finalizerCheck(finalizersPath, rules));
  return [
    ...ofIdentity,
    ...ofLabels,
    ...ofAnnotations,
    ...ofSize,
    ...ofOwners,
    ...ofFinalizers,
    ...checkRivals(finalizers, finalizersPath, rules.names),
    ...validateManagedFields(meta.managedFields, child(path, 'managedFields')),
  ];
}

/** Checks the fields that name the object: on update they stay as they are. */
const validateIdentity = (meta: ObjectMeta, rules: ObjectMetaRules, path: string): FieldError[] =>
  rules.old === undefined
    ? validateNewIdentity(meta, rules, path)
    : validateMetaUpdate(meta, rules.old, path);

function nameProblem(name: string, rules: ObjectMetaRules): string | undefined {
  const { maxNameLength } = rules;
  if (maxNameLength !== undefined && name.length > maxNameLength) {
    return `must be no more than ${maxNameLength} characters`;
  }
  return validateFormat(rules.nameFormat, name);
}

function validateNewIdentity(meta: ObjectMeta, rules: ObjectMetaRules, path: string): FieldError[] {
  const { name = '', generateName = '', generation = 0 } = meta;
  const errors: FieldError[] = [];
  if (generateName !== '') {
    const wrong = validateNamePrefix(rules.nameFormat, generateName);
    if (wrong !== undefined)
      errors.push(fieldError.invalid(child(path, 'generateName'), generateName, wrong));
  }
  if (name === '') errors.push(fieldError.required(child(path, 'name'), 'name or generateName is required'));
  else {
    const wrong = nameProblem(name, rules);
    if (wrong !== undefined) errors.push(fieldError.invalid(child(path, 'name'), name, wrong));
  }
  errors.push(...validateNamespace(meta.namespace ?? '', rules.namespaced, child(path, 'namespace')));
  if (generation < 0) {
    errors.push(
      fieldError.invalid(child(path, 'generation'), generation, 'must be greater than or equal to 0'),
    );
  }
  return errors;
}

function validateNamespace(namespace: string, namespaced: boolean, path: string): FieldError[] {
  if (!namespaced) return namespace === '' ? [] : [fieldError.forbidden(path, 'not allowed on this type')];
  if (namespace === '') return [fieldError.required(path)];
  const wrong = dns1123label(namespace);
  return wrong === undefined ? [] : [fieldError.invalid(path, namespace, wrong)];
}

type TextMap = Readonly<Record<string, string>>;

/** Keys are qualified names, values label values. Errors name the map, as clients expect. */
export const validateLabels = (labels: TextMap | undefined, path: string): FieldError[] =>
  labels === undefined ? [] : problemsOf(Object.keys(labels), labelCheck(labels, path));

const labelCheck =
  (labels: TextMap, path: string): ItemCheck<string> =>
  (key) => {
    const value = labels[key] ?? '';
    const wrongKey = qualifiedName(key);
    const wrongValue = labelValue(value);
    return [
      ...(wrongKey === undefined ? [] : [fieldError.invalid(path, key, wrongKey)]),
      ...(wrongValue === undefined ? [] : [fieldError.invalid(path, value, wrongValue)]),
    ];
  };

/** Keys are qualified names in any case; all of it together is bounded. */
export const validateAnnotations = (annotations: TextMap | undefined, path: string): FieldError[] =>
  annotations === undefined
    ? []
    : [
        ...problemsOf(Object.keys(annotations), annotationCheck(path)),
        ...checkAnnotationSize(annotations, path),
      ];

const annotationCheck =
  (path: string): ItemCheck<string> =>
  (key) => {
    const wrong = qualifiedName(key.toLowerCase());
    return wrong === undefined ? [] : [fieldError.invalid(path, key, wrong)];
  };

function checkAnnotationSize(annotations: TextMap, path: string): FieldError[] {
  let bytes = 0;
  for (const key of Object.keys(annotations)) {
    bytes += Buffer.byteLength(key) + Buffer.byteLength(annotations[key] ?? '');
    if (bytes > MAX_ANNOTATION_BYTES) return [fieldError.tooLong(path, MAX_ANNOTATION_BYTES)];
  }
  return [];
}

const validateFinalizers = (
  finalizers: readonly string[] | undefined,
  path: string,
  rules: ObjectMetaRules,
): FieldError[] =>
  finalizers === undefined
    ? []
    : [...problemsOf(finalizers, finalizerCheck(path, rules)), ...checkRivals(finalizers, path, rules.names)];

/** Reports a malformed name at the path of the list, and a name without a domain at its index. */
const finalizerCheck =
  (path: string, { names, unqualifiedFinalizers = false }: ObjectMetaRules): ItemCheck<string> =>
  (name, i) => [
    ...qualifiedNameErrors(name, path),
    ...(unqualifiedFinalizers ? [] : domainErrors(name, index(path, i), names)),
  ];

/** The dependents of an object are either deleted or orphaned. */
function checkRivals(
  finalizers: readonly string[],
  path: string,
  { finalizers: known }: Names,
): FieldError[] {
  const { orphan, foregroundDeletion } = known;
  if (!finalizers.includes(orphan) || !finalizers.includes(foregroundDeletion)) return [];
  const why = `finalizer ${orphan} and ${foregroundDeletion} cannot be both set`;
  return [fieldError.invalid(path, finalizers, why)];
}

function qualifiedNameErrors(name: string, path: string): FieldError[] {
  const wrong = qualifiedName(name);
  return wrong === undefined ? [] : [fieldError.invalid(path, name, wrong)];
}

/** One finalizer: a qualified name with a domain, or one of the few without a domain that the server defines. */
export const validateFinalizer = (name: string, path: string, names: Names): FieldError[] => [
  ...qualifiedNameErrors(name, path),
  ...domainErrors(name, path, names),
];

function domainErrors(name: string, path: string, names: Names): FieldError[] {
  const { orphan, foregroundDeletion, namespace } = names.finalizers;
  if (name.includes('/') || name === orphan || name === foregroundDeletion || name === namespace) return [];
  return [
    fieldError.invalid(path, name, 'name is neither a standard finalizer name nor is it fully qualified'),
  ];
}

/** Kinds that may not own anything, as `apiVersion/kind`. */
const forbiddenOwners: readonly string[] = ['v1/Event'];

/** Reports whether a group version has a version. */
function hasVersion(apiVersion: string): boolean {
  const [first = '', second = first, ...more] = apiVersion.split('/');
  return second !== '' && more.length === 0;
}

function validateOne(owner: OwnerReference, path: string, isRequired: boolean): FieldError[] {
  const { apiVersion = '' } = owner;
  const errors: FieldError[] = [];
  const report = (field: keyof OwnerReference, why: string): void => {
    const at = child(path, field);
    errors.push(isRequired ? fieldError.required(at) : fieldError.invalid(at, '', why));
  };
  if (apiVersion === '') report('apiVersion', 'version must not be empty');
  else if (!hasVersion(apiVersion)) {
    const why = isRequired ? 'must be <group>/<version> or <version>' : 'version must not be empty';
    errors.push(fieldError.invalid(child(path, 'apiVersion'), apiVersion, why));
  }
  for (const field of ['kind', 'name', 'uid'] as const)
    if ((owner[field] ?? '') === '') report(field, 'must not be empty');
  if (forbiddenOwners.includes(`${apiVersion}/${owner.kind}`)) {
    errors.push(
      fieldError.invalid(path, owner, `${apiVersion}, Kind=${owner.kind} is disallowed from being an owner`),
    );
  }
  return errors;
}

/**
 * Owners are complete, of a kind that may own, and one of them at most is the controller. From release 1.37 on, errors
 * name the position of the owner.
 */
export function validateOwnerReferences(
  owners: readonly OwnerReference[] | undefined,
  path: string,
  { since = () => false }: Pick<ObjectMetaRules, 'since'> = {},
): FieldError[] {
  if (owners === undefined) return [];
  const isIndexed = since('1.37');
  const errors = problemsOf(owners, (owner, i) =>
    validateOne(owner, isIndexed ? index(path, i) : path, isIndexed),
  );
  const controllers = owners.filter((owner) => owner.controller === true);
  const rivals = problemsOf(controllers.slice(1), ({ name }) => {
    const why = `Only one reference can have Controller set to true. Found "true" in references for ${controllers[0]?.name} and ${name}`;
    return [fieldError.invalid(path, owners, why)];
  });
  return [...errors, ...rivals];
}

const MAX_MANAGER_BYTES = 128;
const MAX_SUBRESOURCE_BYTES = 256;

const notPrintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** A manager's name (also the `fieldManager` parameter): at most 128 bytes, all printable. */
function validateFieldManager(manager: string, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (Buffer.byteLength(manager) > MAX_MANAGER_BYTES)
    errors.push(fieldError.tooLong(path, MAX_MANAGER_BYTES));
  if (notPrintable.test(manager)) {
    errors.push(fieldError.invalid(path, manager, 'must be made of printable characters only'));
  }
  return errors;
}

function validateEntry(entry: unknown, path: string): FieldError[] {
  if (typeof entry !== 'object' || entry === null)
    return [fieldError.invalid(path, entry, 'must be an object')];
  const { operation, fieldsType = '', manager = '', subresource = '' } = entry as Record<string, unknown>;
  const errors: FieldError[] = [];
  if (operation !== 'Apply' && operation !== 'Update') {
    errors.push(fieldError.invalid(child(path, 'operation'), operation ?? '', 'must be `Apply` or `Update`'));
  }
  if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
    errors.push(fieldError.invalid(child(path, 'fieldsType'), fieldsType, 'must be `FieldsV1`'));
  }
  if (typeof manager === 'string') errors.push(...validateFieldManager(manager, child(path, 'manager')));
  if (typeof subresource === 'string' && Buffer.byteLength(subresource) > MAX_SUBRESOURCE_BYTES) {
    errors.push(fieldError.tooLong(child(path, 'subresource'), MAX_SUBRESOURCE_BYTES));
  }
  return errors;
}

/** Entries of `metadata.managedFields`. */
export const validateManagedFields = (entries: readonly unknown[] | undefined, path: string): FieldError[] =>
  problemsOf(entries ?? [], (entry, i) => validateEntry(entry, index(path, i)));
