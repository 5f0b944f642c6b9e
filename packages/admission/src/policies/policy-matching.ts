import type { ObjectSource } from '@orch/auth';
import { ApiError, type ApiObject, errors } from '@orch/machinery';
import { type ExpressionFailure, messageFor } from '../expressions/index.ts';
import type { AdmissionAttributes } from '../types.ts';
import type { VersionedResource } from '../versioned-resource.ts';
import type { BindingDefinition, PolicyDefinition } from './definitions.ts';
import { ConfigurationError, paramsOf } from './param-objects.ts';
import type { PolicyMatched } from './policy-metrics.ts';
import type { PolicyParts } from './policy-parts.ts';

/** The match of policies and bindings with one write. */
export class PolicyMatching {
  readonly #parts: PolicyParts;
  readonly #write: AdmissionAttributes;
  readonly #matched: PolicyMatched;
  #namespace: Promise<ApiObject | null> | undefined;

  constructor(parts: PolicyParts, write: AdmissionAttributes, matched: PolicyMatched) {
    this.#parts = parts;
    this.#write = write;
    this.#matched = matched;
  }

  /** The version in which a policy receives the objects; undefined when it does not match. */
  async version({ matcher }: PolicyDefinition): Promise<VersionedResource | undefined> {
    return matcher.match(this.#parts.source, this.#write);
  }

  /** The parameters with which a binding applies its policy; empty when it does not match. */
  async params(
    { name: policy, paramKind: kind }: PolicyDefinition,
    { name: binding, matcher, params: selection }: BindingDefinition,
  ): Promise<readonly (ApiObject | null)[]> {
    if (matcher !== undefined && (await matcher.match(this.#parts.source, this.#write)) === undefined)
      return [];
    this.#matched(policy, binding);
    return paramsOf(this.#parts, { kind, selection }, this.#write);
  }

  /** The variable `namespaceObject`. */
  namespaceObject(): Promise<ApiObject | null> {
    this.#namespace ??= namespaceObject(this.#parts.source, this.#write);
    return this.#namespace;
  }

  /**
   * Runs work for a policy or a binding. When these cannot be used for the write, `unusable` is called with the reason,
   * and the result is undefined. Rejects with other errors, such as the end of the request.
   */
  async configured<T>(work: () => Promise<T>, unusable: (why: string) => void): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      const isConfiguration = error instanceof ConfigurationError || error instanceof ApiError;
      if (!isConfiguration || this.#write.signal.aborted) throw error;
      unusable(messageFor(this.#write, explained(error)));
      return undefined;
    }
  }
}

/** An error of the server about an object, such as the result of a mutation, may repeat values of it. */
const explained = (error: ConfigurationError | ApiError): ExpressionFailure => {
  const { message } = error;
  if (!(error instanceof ApiError)) return { message };
  return {
    message,
    withoutValues:
      error.statusWithoutValues()?.message ??
      'the reason is withheld, because objects of the kind hold credentials',
  };
};

/** The variable `namespaceObject`: null for objects of the cluster and for namespaces. Rejects with 404 when there is none. */
async function namespaceObject(
  source: Pick<ObjectSource, 'get' | 'fresh'>,
  { group, resource, namespace, signal }: AdmissionAttributes,
): Promise<ApiObject | null> {
  if (namespace === '' || (group === '' && resource === 'namespaces')) return null;
  const cached = source.get('namespaces', '', namespace);
  if (cached !== undefined) return cached;
  await source.fresh(signal);
  const found = source.get('namespaces', '', namespace);
  if (found === undefined) throw errors.notFound({ group: '', kind: 'namespaces', name: namespace });
  return found;
}
