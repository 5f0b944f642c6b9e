import { AdmissionEnvironments } from '@orch/cel';
import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
} from '@orch/kinds/admissionregistration';
import type { ApiObject } from '@orch/machinery';
import { type JsonObject, type MutableJsonObject, setField } from '@orch/machinery/json';
import { messageFor, WriteVariables } from '../expressions/index.ts';
import { VersionedObjects } from '../matching/versioned-objects.ts';
import type { AdmissionAttributes, AdmissionPlugin, Refusal, Reinvocation } from '../types.ts';
import type { VersionedResource } from '../versioned-resource.ts';
import { type BindingDefinition, bindingOf, type MutatingPolicy, readMutatingPolicy } from './definitions.ts';
import { MutationError } from './mutated-object.ts';
import { runMutations } from './mutation-run.ts';
import { ParamAccess } from './param-access.ts';
import { PolicyMatching } from './policy-matching.ts';
import { type PolicyMatched, policyMatches } from './policy-metrics.ts';
import type { PolicyParts } from './policy-parts.ts';
import { policyRefusal } from './policy-refusal.ts';
import { type BoundPolicy, PolicyRegistry } from './policy-registry.ts';

const resources = { policies: 'mutatingadmissionpolicies', bindings: 'mutatingadmissionpolicybindings' };

type Bound = BoundPolicy<MutatingPolicy, BindingDefinition>;

/** `MutatingAdmissionPolicy`: the expressions of bound policies mutate objects. */
export function mutatingAdmissionPolicy(parts: PolicyParts): AdmissionPlugin {
  const environments = new AdmissionEnvironments();
  const registry = new PolicyRegistry<MutatingPolicy, BindingDefinition>(parts.source, {
    policies: `${resources.policies}.admissionregistration`,
    bindings: `${resources.bindings}.admissionregistration`,
    readPolicy: (object) => readMutatingPolicy(object as MutatingAdmissionPolicy, environments),
    readBinding: ({ metadata, spec = {} }: MutatingAdmissionPolicyBinding) => bindingOf(metadata.name, spec),
  });
  const access = new ParamAccess(parts, resources);
  const matched = policyMatches(parts.metrics, 'mutating');
  return {
    name: 'MutatingAdmissionPolicy',
    handles: () => true,
    handlesWrite: (target) => access.handles(target) || registry.candidates(target).length > 0,
    configuredBy: (target) => (access.handles(target) ? undefined : registry),
    async mutate(write, reinvocation): Promise<Refusal | undefined> {
      if (write.object === undefined || access.handles(write)) return undefined;
      const mutation = new WriteMutation(parts, { write, object: write.object, reinvocation, matched });
      for (const bound of registry.candidates(write))
        if (!reinvocation.isSecond || bound.policy.isReinvoked) await mutation.apply(bound);
      return undefined;
    },
    validate: (write) => (access.handles(write) ? access.refusal(write) : undefined),
  };
}

/** Passes one write to policies. */
class WriteMutation {
  readonly #parts: PolicyParts;
  readonly #write: AdmissionAttributes;
  readonly #object: MutableJsonObject;
  readonly #reinvocation: Reinvocation;
  readonly #objects: VersionedObjects;
  readonly #variables: WriteVariables;
  readonly #matching: PolicyMatching;

  constructor(
    parts: PolicyParts,
    {
      write,
      object,
      reinvocation,
      matched,
    }: {
      readonly write: AdmissionAttributes;
      readonly object: ApiObject;
      readonly reinvocation: Reinvocation;
      readonly matched: PolicyMatched;
    },
  ) {
    this.#parts = parts;
    this.#write = write;
    this.#object = object;
    this.#reinvocation = reinvocation;
    this.#objects = new VersionedObjects(write);
    this.#variables = new WriteVariables(parts, write, this.#objects);
    this.#matching = new PolicyMatching(parts, write, matched);
  }

  /** Changes the object. Rejects with the `ApiError` of a policy that fails. */
  async apply({ policy, bindings }: Bound): Promise<void> {
    const unusable = (why: string): void =>
      this.#fail(policy, undefined, `failed to configure policy: ${why}`);
    const version = await this.#matching.configured(() => this.#matching.version(policy), unusable);
    if (version === undefined) return;
    for (const binding of bindings) {
      const params = await this.#matching.configured(
        () => this.#matching.params(policy, binding),
        (why) => this.#fail(policy, binding, `failed to configure binding: ${why}`),
      );
      for (const each of params ?? []) await this.#mutate({ policy, binding }, version, each);
    }
  }

  async #mutate(
    { policy, binding }: { readonly policy: MutatingPolicy; readonly binding: BindingDefinition },
    version: VersionedResource,
    params: ApiObject | null,
  ): Promise<void> {
    const run = () =>
      runMutations(policy.program, {
        version,
        turn: this.#variables.turn,
        variables: async () => ({
          ...(await this.#variables.in(version)),
          params,
          namespaceObject: await this.#matching.namespaceObject(),
        }),
        replace: (changed) => this.#replace(version, changed),
      });
    try {
      await this.#matching.configured(run, (why) => this.#fail(policy, binding, why));
    } catch (error) {
      if (!(error instanceof MutationError)) throw error;
      this.#fail(policy, binding, messageFor(this.#write, error));
    }
  }

  /** Assigns the fields of the changed object, with defaults. */
  async #replace(version: VersionedResource, changed: JsonObject): Promise<void> {
    const { oldObject, signal } = this.#write;
    const next = await version.toHub(changed, oldObject, signal);
    for (const field of Object.keys(this.#object))
      if (!Object.hasOwn(next, field)) delete this.#object[field];
    for (const [field, value] of Object.entries(next)) setField(this.#object, field, value);
    this.#objects.changed();
    if (!this.#reinvocation.isSecond) this.#reinvocation.request();
  }

  /** Rejects the write, unless errors of the policy are ignored. */
  #fail(
    { name: policy, isFailClosed }: MutatingPolicy,
    binding: BindingDefinition | undefined,
    message: string,
  ): void {
    if (!isFailClosed) return;
    throw policyRefusal(this.#write, this.#parts.names, {
      kind: 'MutatingAdmissionPolicy',
      policy,
      binding: binding?.name,
      message,
      reason: undefined,
    });
  }
}
