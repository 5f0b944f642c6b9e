import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '@orch/kinds/rbac';
import type { Names } from '@orch/machinery';
import type { ObjectSource, SourceObject } from '../object-source.ts';
import type { UserInfo } from '../types.ts';
import { BindingIndex, type BoundRole } from './binding-index.ts';
import type { CompiledRule } from './compiled-rule.ts';
import {
  type CompiledBinding,
  type CompiledRole,
  compileBinding,
  compileRole,
  type RoleKey,
  roleKey,
  type SubjectKey,
} from './policy-objects.ts';
import type { PolicyRule } from './policy-rule.ts';
import { RoleTable } from './role-table.ts';

type Binding = ClusterRoleBinding | RoleBinding;

/** A rule that a user has, and what gives it. */
export interface Grant {
  readonly rule: CompiledRule;
  readonly binding: CompiledBinding;
  readonly subject: SubjectKey;
}

/** Names the role that a binding is for. */
export interface RoleRef {
  readonly kind: string;
  readonly name: string;
}

/**
 * All roles and bindings, updated within the same update as the cache, so that no decision is older than the state that
 * readers see. The cost of a decision depends on the number of bindings of the user.
 */
export class RbacPolicy {
  readonly #source: ObjectSource;
  readonly #names: Names;
  readonly #roles = new RoleTable();
  readonly #bindings = new BindingIndex();
  readonly #aggregating = new Set<CompiledRole>();
  #generation = 0;

  constructor(source: ObjectSource, names: Names) {
    this.#source = source;
    this.#names = names;
    for (const [resource, kind] of [
      ['clusterroles.rbac', 'ClusterRole'],
      ['roles.rbac', 'Role'],
    ] as const) {
      const keyOf = (key: string): RoleKey => (kind === 'ClusterRole' ? `/${key}` : key);
      const isOfKind = (key: RoleKey): boolean => key.startsWith('/') === (kind === 'ClusterRole');
      source.subscribe(resource, {
        reset: (objects) => {
          for (const key of [...this.#roles.keys()].filter(isOfKind)) this.#setRole(key, undefined);
          for (const object of objects) this.#setRole(keyOf(object.key), object);
        },
        changed: (key, object) => this.#setRole(keyOf(key), object),
      });
    }
    for (const resource of ['clusterrolebindings.rbac', 'rolebindings.rbac'] as const) {
      const prefix = `${resource}/`;
      source.subscribe(resource, {
        reset: (objects) => {
          for (const key of this.#bindings.keys())
            if (key.startsWith(prefix)) this.#setBinding(key, undefined);
          for (const object of objects) this.#setBinding(prefix + object.key, object);
        },
        changed: (key, object) => this.#setBinding(prefix + key, object),
      });
    }
  }

  /** Increases with every change: decisions of another generation may be outdated. */
  get generation(): number {
    return this.#generation;
  }

  /** Undefined once all roles and bindings are known. */
  loaded(signal: AbortSignal): Promise<void> | undefined {
    return this.#source.loaded(signal);
  }

  /** Resolves when the policy includes all writes before the call. */
  fresh(signal: AbortSignal): Promise<void> {
    return this.#source.fresh(signal);
  }

  /**
   * Visits the roles of a user that count in a namespace, those of the whole cluster first. `visit` returns false to
   * end. The role is undefined where a binding names one that does not exist.
   */
  eachRole(
    user: UserInfo,
    namespace: string,
    visit: (role: CompiledRole | undefined, bound: BoundRole, subject: SubjectKey) => boolean,
  ): void {
    this.#bindings.each(user, namespace, (bound, subject) => visit(bound.slot.role, bound, subject));
  }

  /** All bindings with their roles. */
  bound(): Iterable<BoundRole> {
    return this.#bindings.all();
  }

  /** All rules of a user that count in a namespace. */
  grants(user: UserInfo, namespace: string, missing?: (role: RoleKey) => void): readonly Grant[] {
    const grants: Grant[] = [];
    this.eachRole(user, namespace, (role, { binding }, subject) => {
      if (role === undefined) missing?.(binding.role);
      else for (const rule of role.rules) grants.push({ rule, binding, subject });
      return true;
    });
    return grants;
  }

  /** The rules of the role that a binding of a namespace refers to; undefined when the role does not exist. */
  rulesOf({ kind, name }: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    return this.#roles.get(roleKey(kind, namespace, name))?.rules.map(({ rule }) => rule);
  }

  /** Names of the roles of the cluster that are made up of those with such labels. */
  rolesMadeOf(labels: Readonly<Record<string, string>>): readonly string[] {
    return [...this.#aggregating]
      .filter(({ madeOf = [] }) => madeOf.some((selector) => selector.matches(labels)))
      .map(({ key }) => key.slice(1));
  }

  #setRole(key: RoleKey, object: SourceObject<ClusterRole | Role> | undefined): void {
    const old = this.#roles.get(key);
    if (old !== undefined) this.#aggregating.delete(old);
    this.#generation++;
    if (object === undefined) {
      this.#roles.set(key, undefined);
      return;
    }
    const role = compileRole(key, object.read());
    this.#roles.set(key, role);
    if (role.madeOf !== undefined && role.madeOf.length > 0) this.#aggregating.add(role);
  }

  #setBinding(key: string, object: SourceObject<Binding> | undefined): void {
    this.#generation++;
    const before =
      object === undefined ? this.#bindings.delete(key) : this.#bindings.set(key, this.#boundRole(object));
    if (before !== undefined) this.#roles.release(before.slot);
  }

  #boundRole(object: SourceObject<Binding>): BoundRole {
    const binding = compileBinding(object.read(), this.#names);
    return { binding, slot: this.#roles.hold(binding.role) };
  }
}
