import type { Authorizer, ObjectSource, UserInfo } from '@orch/auth';
import type { ParamKind, ParamRef } from '@orch/kinds/admissionregistration';
import { type ApiObject, type Names, parseApiVersion } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import type { OwnerReferencesParts } from '../owner-references/owner-references-permission.ts';
import type { AdmissionAttributes, Refusal, ResourceTarget } from '../types.ts';

export interface ParamAccessParts extends Pick<OwnerReferencesParts, 'resourcesOf'> {
  readonly authorizer: Authorizer;
  readonly source: Pick<ObjectSource, 'get'>;
  readonly names: Names;
}

/** Resources of policies and their bindings, as in paths. */
export interface PolicyResources {
  readonly policies: string;
  readonly bindings: string;
}

/** The fields of policies and bindings that refer to parameters. */
interface ParamReferences extends ApiObject {
  readonly spec?: {
    readonly paramKind?: ParamKind;
    readonly paramRef?: ParamRef;
    readonly policyName?: string;
  };
}

/** The objects that a user must be able to read. */
interface Needed {
  readonly verb: 'get' | 'list';
  readonly namespace: string;
  readonly name: string;
}

/**
 * Messages of policies can contain parameters, which the server reads with its own permissions. Therefore only users
 * who may read parameters can refer to them.
 */
export class ParamAccess {
  readonly #parts: ParamAccessParts;
  readonly #resources: PolicyResources;

  constructor(parts: ParamAccessParts, resources: PolicyResources) {
    this.#parts = parts;
    this.#resources = resources;
  }

  handles({ group, resource, subresource, operation }: ResourceTarget): boolean {
    const { policies, bindings } = this.#resources;
    return (
      group === 'admissionregistration' &&
      (resource === policies || resource === bindings) &&
      subresource === '' &&
      (operation === 'CREATE' || operation === 'UPDATE')
    );
  }

  /** The reason why a user may not write a policy or a binding. */
  async refusal(write: AdmissionAttributes): Promise<Refusal | undefined> {
    const { user, resource } = write;
    if (user.groups.includes(this.#parts.names.userGroups.masters)) return undefined;
    const [object, old] = [write.object, write.oldObject] as readonly (ParamReferences | undefined)[];
    return resource === this.#resources.policies
      ? this.#ofPolicy(write, object, old)
      : this.#ofBinding(write, object, old);
  }

  async #ofPolicy(
    { user, signal }: AdmissionAttributes,
    object: ParamReferences | undefined,
    old: ParamReferences | undefined,
  ): Promise<Refusal | undefined> {
    const kind = object?.spec?.paramKind;
    if (kind === undefined || jsonEquals(kind, old?.spec?.paramKind)) return undefined;
    const needed: Needed = { verb: 'get', namespace: '*', name: '*' };
    if (await this.#mayRead(user, { kind, needed }, signal)) return undefined;
    const { apiVersion = '', kind: name = '' } = kind;
    return `user ${user.name} must have "get" permission on all objects of the referenced paramKind (kind=${name}, apiVersion=${apiVersion})`;
  }

  async #ofBinding(
    { user, signal }: AdmissionAttributes,
    object: ParamReferences | undefined,
    old: ParamReferences | undefined,
  ): Promise<Refusal | undefined> {
    const { paramRef, policyName = '' } = object?.spec ?? {};
    if (paramRef === undefined) return undefined;
    const isOld = policyName === old?.spec?.policyName && jsonEquals(paramRef, old.spec.paramRef);
    if (isOld) return undefined;
    const { policies } = this.#resources;
    const policy = this.#parts.source.get(`${policies}.admissionregistration`, '', policyName);
    const kind = (policy as ParamReferences | undefined)?.spec?.paramKind;
    const { name = '', namespace = '' } = paramRef;
    const verb = name === '' ? 'list' : 'get';
    const needed: Needed = { verb, namespace: orAll(namespace), name: orAll(name) };
    if (await this.#mayRead(user, { kind, needed }, signal)) return undefined;
    return `user ${user.name} does not have "${verb}" permission on the object referenced by paramRef`;
  }

  /** For an unknown kind, the user must be able to read everything. */
  async #mayRead(
    user: UserInfo,
    { kind, needed }: { readonly kind: ParamKind | undefined; readonly needed: Needed },
    signal: AbortSignal,
  ): Promise<boolean> {
    const { apiVersion = '', kind: name = '' } = kind ?? {};
    const parsed = parseApiVersion(apiVersion);
    const { group = '*', version = '*' } = kind === undefined || parsed === undefined ? {} : parsed;
    const resource =
      kind === undefined ? '*' : (this.#parts.resourcesOf(apiVersion, name)[0]?.resource ?? '*');
    const question = {
      user,
      isResource: true,
      group,
      version,
      resource,
      subresource: '',
      ...needed,
    } as const;
    const { verdict } = await this.#parts.authorizer.authorize(question, { signal });
    return verdict === 'allow';
  }
}

const orAll = (name: string): string => (name === '' ? '*' : name);
