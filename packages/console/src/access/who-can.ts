import { asObject, asObjects, asStrings, asText, type JsonObject } from '@orch/machinery/json';

/** An operation on objects of a resource. */
export interface Operation {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  /** The namespace; empty for objects of the cluster, or of all namespaces. */
  readonly namespace: string;
  /** Empty for any name. */
  readonly name: string;
}

/** The roles and bindings of a cluster, and those of the namespace of the operation. */
export interface RoleObjects {
  readonly roles: readonly JsonObject[];
  readonly bindings: readonly JsonObject[];
}

/** A subject that may carry out an operation, and the grant that allows it. */
export interface Grant {
  /** `User ann`, `Group ops`, `ServiceAccount web/default`. */
  readonly subject: string;
  readonly role: RolePlace;
  readonly binding: RolePlace;
}

export interface RolePlace {
  /** `ClusterRole`. */
  readonly kind: string;
  /** Empty for an object of the cluster. */
  readonly namespace: string;
  readonly name: string;
}

/** The grants of an operation by roles, sorted by subject. Authorizers other than RBAC may allow it to more. */
export function whoCan(operation: Operation, { roles, bindings }: RoleObjects): readonly Grant[] {
  const allowing = new Map(
    roles
      .filter((role) => asObjects(role['rules']).some((rule) => allows(rule, operation)))
      .map((role) => [keyOf(placeOf(role)), placeOf(role)]),
  );
  const grants = bindings.flatMap((binding) => {
    const place = placeOf(binding);
    const role = allowing.get(keyOf(roleOf(binding, place)));
    if (role === undefined) return [];
    return asObjects(binding['subjects']).map((subject) => ({
      subject: subjectText(subject),
      role,
      binding: place,
    }));
  });
  return grants.sort((a, b) => (a.subject < b.subject ? -1 : 1));
}

const keyOf = ({ kind, namespace, name }: RolePlace): string => `${kind} ${namespace} ${name}`;

function placeOf(object: JsonObject): RolePlace {
  const { namespace, name } = asObject(object['metadata']);
  return { kind: asText(object['kind']), namespace: asText(namespace), name: asText(name) };
}

function roleOf(binding: JsonObject, { namespace }: RolePlace): RolePlace {
  const { kind, name } = asObject(binding['roleRef']);
  return { kind: asText(kind), namespace: kind === 'Role' ? namespace : '', name: asText(name) };
}

const subjectText = ({ kind, namespace, name }: JsonObject): string =>
  `${asText(kind)} ${asText(namespace) === '' ? '' : `${asText(namespace)}/`}${asText(name)}`;

function allows(rule: JsonObject, { verb, group, resource, subresource, name }: Operation): boolean {
  const type = subresource === '' ? resource : `${resource}/${subresource}`;
  const forms = subresource === '' ? [type, '*'] : [type, '*', `*/${subresource}`, `${resource}/*`, '*/*'];
  const names = asStrings(rule['resourceNames']);
  return (
    hasAny(rule['verbs'], [verb, '*']) &&
    hasAny(rule['apiGroups'], [group, '*']) &&
    hasAny(rule['resources'], forms) &&
    (names.length === 0 || (name !== '' && names.includes(name)))
  );
}

const hasAny = (values: unknown, sought: readonly string[]): boolean =>
  asStrings(values).some((value) => sought.includes(value));
