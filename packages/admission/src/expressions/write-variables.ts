import { AuthorizerValue, ResourceCheckValue } from '@orch/cel';
import type { ApiObject, Clock } from '@orch/machinery';
import type { VersionedObjects } from '../matching/versioned-objects.ts';
import type { AdmissionAttributes } from '../types.ts';
import type { VersionedResource } from '../versioned-resource.ts';
import { AccessDecisions, type AccessParts } from './access-decisions.ts';
import { type RequestVariable, requestVariable } from './request-variable.ts';
import { Turn } from './turn.ts';

/** Dependencies of expressions. */
export interface ExpressionParts extends AccessParts {
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Variables of every expression about a write, by name. */
export type VersionVariables = {
  /** Null when there is none: variables without a value would be errors. */
  readonly object: ApiObject | null;
  readonly oldObject: ApiObject | null;
  readonly request: RequestVariable;
  readonly authorizer: AuthorizerValue;
  readonly 'authorizer.requestResource': ResourceCheckValue;
};

/** The state that the expressions about one write share: its objects in each version, the decisions of the authorizer, and the turn. */
export class WriteVariables {
  readonly turn: Turn;
  readonly #write: AdmissionAttributes;
  readonly #objects: VersionedObjects;
  readonly #authorizer: AuthorizerValue;
  readonly #requestResource: ResourceCheckValue;
  readonly #requests = new Map<VersionedResource, RequestVariable>();

  constructor(parts: ExpressionParts, write: AdmissionAttributes, objects: VersionedObjects) {
    this.turn = new Turn(parts.clock);
    this.#write = write;
    this.#objects = objects;
    const decisions = new AccessDecisions(parts, write);
    this.#authorizer = new AuthorizerValue((query) => decisions.of(query));
    this.#requestResource = new ResourceCheckValue(this.#authorizer, requestResourceOf(write));
  }

  /** The variables in the version in which a webhook or a policy receives objects. Rejects with a failed conversion. */
  async in(version: VersionedResource): Promise<VersionVariables> {
    const { object, oldObject } = await this.#objects.in(version);
    return {
      object: object ?? null,
      oldObject: oldObject ?? null,
      request: this.#request(version),
      authorizer: this.#authorizer,
      'authorizer.requestResource': this.#requestResource,
    };
  }

  #request(version: VersionedResource): RequestVariable {
    const known = this.#requests.get(version) ?? requestVariable(this.#write, version);
    this.#requests.set(version, known);
    return known;
  }
}

const requestResourceOf = ({ requested, namespace, name }: AdmissionAttributes) => ({
  group: requested.resource.group,
  resource: requested.resource.resource,
  subresource: requested.subresource,
  namespace,
  name,
});
