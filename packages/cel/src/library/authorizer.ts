import { dns1123label, dns1123subdomain } from '@orch/machinery/formats';
import { type Library, member } from '../functions/overload.ts';
import * as types from '../types/type.ts';
import { EvaluationError } from '../values/evaluation-error.ts';
import { OpaqueValue } from '../values/value.ts';
import { constantCost } from './costs.ts';

/** The service account whose permissions an expression checks; undefined for those of the user of the request. */
export interface AccountName {
  readonly namespace: string;
  readonly name: string;
}

/** A question of an expression: may the user, or a service account, do something with a resource or a path? */
export type AccessQuery = { readonly account: AccountName | undefined; readonly verb: string } & (
  | { readonly path: string }
  | ResourceName
);

export interface ResourceName {
  /** As in paths: `''`, `apps`. */
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

export interface AccessDecision {
  readonly isAllowed: boolean;
  readonly reason: string;
  /** The reason why there is no decision; the permission then counts as missing. */
  readonly error?: string;
}

/**
 * Answers the questions of expressions. It may throw something other than an `EvaluationError` to interrupt the
 * evaluation, which then has no outcome and is repeated when the decision is known.
 */
export type AccessCheck = (query: AccessQuery) => AccessDecision;

const NAMESPACE = 'kubernetes.authorization';

/** Values of these types are equal only to themselves. */
abstract class AccessValue extends OpaqueValue {
  equals(other: OpaqueValue): boolean {
    return other === this;
  }
}

/** The variable `authorizer`. */
export class AuthorizerValue extends AccessValue {
  readonly typeName = `${NAMESPACE}.Authorizer`;
  readonly check: AccessCheck;
  readonly account: AccountName | undefined;
  constructor(check: AccessCheck, account?: AccountName) {
    super();
    this.check = check;
    this.account = account;
  }
}

class PathCheck extends AccessValue {
  readonly typeName = `${NAMESPACE}.PathCheck`;
  readonly authorizer: AuthorizerValue;
  readonly path: string;
  constructor(authorizer: AuthorizerValue, path: string) {
    super();
    this.authorizer = authorizer;
    this.path = path;
  }
}

class GroupCheck extends AccessValue {
  readonly typeName = `${NAMESPACE}.GroupCheck`;
  readonly authorizer: AuthorizerValue;
  readonly group: string;
  constructor(authorizer: AuthorizerValue, group: string) {
    super();
    this.authorizer = authorizer;
    this.group = group;
  }
}

/** A resource for which a check can be made, such as the variable `authorizer.requestResource`. */
export class ResourceCheckValue extends AccessValue {
  readonly typeName = `${NAMESPACE}.ResourceCheck`;
  readonly authorizer: AuthorizerValue;
  readonly resource: ResourceName;
  constructor(authorizer: AuthorizerValue, resource: ResourceName) {
    super();
    this.authorizer = authorizer;
    this.resource = resource;
  }
}

class DecisionValue extends AccessValue {
  readonly typeName = `${NAMESPACE}.Decision`;
  readonly decision: AccessDecision;
  constructor(decision: AccessDecision) {
    super();
    this.decision = decision;
  }
}

export const authorizerType = types.opaque(`${NAMESPACE}.Authorizer`);
export const resourceCheckType = types.opaque(`${NAMESPACE}.ResourceCheck`);
const pathCheckType = types.opaque(`${NAMESPACE}.PathCheck`);
const groupCheckType = types.opaque(`${NAMESPACE}.GroupCheck`);
const decisionType = types.opaque(`${NAMESPACE}.Decision`);

function serviceAccount({ check }: AuthorizerValue, namespace: string, name: string): AuthorizerValue {
  if (dns1123subdomain(name) !== undefined) throw new EvaluationError('Invalid service account name');
  if (dns1123label(namespace) !== undefined) throw new EvaluationError('Invalid service account namespace');
  return new AuthorizerValue(check, { namespace, name });
}

function pathCheck(authorizer: AuthorizerValue, path: string): PathCheck {
  if (path === '') throw new EvaluationError('path must not be empty');
  return new PathCheck(authorizer, path);
}

const resourceCheck = ({ authorizer, group }: GroupCheck, resource: string): ResourceCheckValue =>
  new ResourceCheckValue(authorizer, { group, resource, subresource: '', namespace: '', name: '' });

const refined =
  (field: 'subresource' | 'namespace' | 'name') =>
  ({ authorizer, resource }: ResourceCheckValue, value: string): ResourceCheckValue =>
    new ResourceCheckValue(authorizer, { ...resource, [field]: value });

/** Decisions do not depend on selectors: without permission for all objects, the check fails. */
const unrefined = (check: ResourceCheckValue): ResourceCheckValue => check;

const checkPath = ({ authorizer, path }: PathCheck, verb: string): DecisionValue =>
  new DecisionValue(authorizer.check({ account: authorizer.account, verb, path }));

const checkResource = ({ authorizer, resource }: ResourceCheckValue, verb: string): DecisionValue =>
  new DecisionValue(authorizer.check({ account: authorizer.account, verb, ...resource }));

const { bool, string } = types;
const cheap = constantCost(1);
/** A check may be a request to another service: two fit into the limit of an expression. */
const check = { ...constantCost(350_000), work: 100 };

const refinement = (id: string, refine: (value: ResourceCheckValue, text: string) => ResourceCheckValue) => [
  member(id, [[resourceCheckType, string], resourceCheckType], refine, { ...cheap, work: 20 }),
];

/** Functions on the variable `authorizer`, which only expressions of admission have. */
export const authorizerLibrary: Library = {
  name: 'authorizer',
  types: [authorizerType, pathCheckType, groupCheckType, resourceCheckType, decisionType],
  functions: {
    path: [member('authorizer_path', [[authorizerType, string], pathCheckType], pathCheck, cheap)],
    group: [
      member(
        'authorizer_group',
        [[authorizerType, string], groupCheckType],
        (authorizer: AuthorizerValue, group: string) => new GroupCheck(authorizer, group),
        cheap,
      ),
    ],
    serviceAccount: [
      member(
        'authorizer_serviceaccount',
        [[authorizerType, string, string], authorizerType],
        serviceAccount,
        cheap,
      ),
    ],
    resource: [
      member('groupcheck_resource', [[groupCheckType, string], resourceCheckType], resourceCheck, cheap),
    ],
    subresource: refinement('resourcecheck_subresource', refined('subresource')),
    namespace: refinement('resourcecheck_namespace', refined('namespace')),
    name: refinement('resourcecheck_name', refined('name')),
    fieldSelector: refinement('resourcecheck_fieldselector', unrefined),
    labelSelector: refinement('resourcecheck_labelselector', unrefined),
    check: [
      member('pathcheck_check', [[pathCheckType, string], decisionType], checkPath, check),
      member('resourcecheck_check', [[resourceCheckType, string], decisionType], checkResource, check),
    ],
    errored: [
      member(
        'decision_errored',
        [[decisionType], bool],
        ({ decision }: DecisionValue) => decision.error !== undefined,
        cheap,
      ),
    ],
    error: [
      member(
        'decision_error',
        [[decisionType], string],
        ({ decision }: DecisionValue) => decision.error ?? '',
        cheap,
      ),
    ],
    allowed: [
      member(
        'decision_allowed',
        [[decisionType], bool],
        ({ decision }: DecisionValue) => decision.isAllowed,
        cheap,
      ),
    ],
    reason: [
      member(
        'decision_reason',
        [[decisionType], string],
        ({ decision }: DecisionValue) => decision.reason,
        cheap,
      ),
    ],
  },
};
