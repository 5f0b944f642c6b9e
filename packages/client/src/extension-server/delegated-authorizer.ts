import type { ApiObject, Clock } from '@orch/machinery';
import { objectAt } from '@orch/machinery/json';
import type { Client } from '../client.ts';
import type { RequestUser } from './request-user.ts';
import { TimedAnswers } from './timed-answers.ts';

/** The access of a request to a resource. */
export interface ResourceAccess {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** A request to a path that is not a resource. */
export interface PathAccess {
  /** The method in lower case. */
  readonly verb: string;
  readonly path: string;
}

/**
 * Authorizes requests at the API server (SubjectAccessReview), so that its roles apply to an extension server too.
 * Decisions are cached for ten seconds.
 */
export class DelegatedAuthorizer {
  readonly #client: Client;
  readonly #decisions: TimedAnswers<boolean>;

  constructor(client: Client, clock: Pick<Clock, 'monotonic'>) {
    this.#client = client;
    this.#decisions = new TimedAnswers(clock);
  }

  /** Rejects when the API server cannot be reached: the request must not be served then. */
  isAllowed(user: RequestUser, access: ResourceAccess | PathAccess, signal?: AbortSignal): Promise<boolean> {
    return this.#decisions.get(JSON.stringify([user, access]), () => this.#ask(user, access, signal));
  }

  async #ask(user: RequestUser, access: ResourceAccess | PathAccess, signal?: AbortSignal): Promise<boolean> {
    const { names } = this.#client;
    const resource = {
      group: names.group('authorization'),
      version: 'v1',
      resource: 'subjectaccessreviews',
      kind: 'SubjectAccessReview',
      namespaced: false,
    };
    const review: ApiObject = {
      kind: resource.kind,
      apiVersion: names.apiVersion('authorization', 'v1'),
      metadata: {},
      spec: {
        user: user.name,
        ...(user.uid === '' ? {} : { uid: user.uid }),
        groups: user.groups,
        extra: user.extra,
        ...('path' in access ? { nonResourceAttributes: access } : { resourceAttributes: access }),
      },
    };
    const answered = await this.#client.resource(resource).create(review, {}, signal);
    return objectAt(answered, 'status')['allowed'] === true;
  }
}
