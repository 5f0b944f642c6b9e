import {
  type AllowedSubject,
  type Attributes,
  type Authorizer,
  allowedSubjects,
  type Operation,
  type RbacPolicy,
  type UserInfo,
} from '@orch/auth';
import type { Names } from '@orch/machinery';
import { forbidden } from '@orch/request';
import type { ObjectPlace, Resolution } from './cause.ts';

/** An operation on objects, in API groups as served. */
export interface ResourceOperation extends ObjectPlace {
  readonly verb: string;
  readonly subresource?: string;
}

export interface AskerParts {
  readonly authorizer: Authorizer;
  readonly policy: RbacPolicy;
  readonly names: Names;
}

/** Maximum number of subjects in a resolution. */
const MAX_SUBJECTS = 10;
const ADMINISTRATOR: readonly string[] = ['a cluster administrator'];

/** The client that asks: an explanation contains only objects that this user may read. */
export class Asker {
  readonly user: UserInfo;
  readonly signal: AbortSignal;
  readonly #parts: AskerParts;

  constructor(
    parts: AskerParts,
    { user, signal }: { readonly user: UserInfo; readonly signal: AbortSignal },
  ) {
    this.#parts = parts;
    this.user = user;
    this.signal = signal;
  }

  async may(operation: ResourceOperation): Promise<boolean> {
    return this.#isAllowed({ user: this.user, version: '*', ...operationOf(operation) });
  }

  /** Throws the 403 that the operation itself would return. */
  async check(operation: ResourceOperation): Promise<void> {
    const attributes = { user: this.user, version: '*', ...operationOf(operation) };
    const decision = await this.#parts.authorizer.authorize(attributes, this);
    if (decision.verdict !== 'allow') throw forbidden(attributes, decision);
  }

  /** Throws the 403 of a request for the path. */
  async checkPath(path: string): Promise<void> {
    const attributes = { user: this.user, isResource: false, verb: 'get', path } as const;
    const decision = await this.#parts.authorizer.authorize(attributes, this);
    if (decision.verdict !== 'allow') throw forbidden(attributes, decision);
  }

  mayGetPath(path: string): Promise<boolean> {
    return this.#isAllowed({ user: this.user, isResource: false, verb: 'get', path });
  }

  /** The subjects that may resolve a cause, as far as this user may read them. */
  async resolution(action: string, operation: ResourceOperation): Promise<Resolution> {
    if (!(await this.#mayReadRoles(operation.namespace))) return { action, subjects: ADMINISTRATOR };
    const found = allowedSubjects(this.#parts.policy, operationOf(operation));
    if (found.length === 0) return { action, subjects: ADMINISTRATOR };
    const rest = found.length - MAX_SUBJECTS;
    const subjects = found.slice(0, MAX_SUBJECTS).map(subjectText);
    return { action, subjects: rest > 0 ? [...subjects, `${rest} more`] : subjects };
  }

  async #mayReadRoles(namespace: string): Promise<boolean> {
    const group = this.#parts.names.group('rbac');
    const mayList = (resource: string, within: string): Promise<boolean> =>
      this.may({ verb: 'list', group, resource, namespace: within, name: '' });
    if (!(await mayList('clusterroles', '')) || !(await mayList('clusterrolebindings', ''))) return false;
    return namespace === '' || ((await mayList('roles', namespace)) && mayList('rolebindings', namespace));
  }

  async #isAllowed(attributes: Attributes): Promise<boolean> {
    const { verdict } = await this.#parts.authorizer.authorize(attributes, this);
    return verdict === 'allow';
  }
}

export const subjectText = ({ kind, name }: AllowedSubject): string => `${kind} ${JSON.stringify(name)}`;

const operationOf = ({ verb, group, resource, subresource = '', namespace, name }: ResourceOperation) =>
  ({ isResource: true, verb, group, resource, subresource, namespace, name }) as const satisfies Operation;
