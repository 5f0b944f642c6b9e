import { type ApiObject, type Clock, objectAt } from '@orch/machinery';
import type { Client } from '../client.ts';
import type { ProxiedUser } from './proxied-user.ts';

/** What a request wants to do with a resource. */
export interface ResourceAccess {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** How long a decision is used. */
const DECISION_MS = 10_000;
const MAX_DECISIONS = 1_000;

interface Decision {
  readonly isAllowed: boolean;
  /** By the monotonic clock. */
  readonly untilMs: number;
}

/**
 * Asks the API server whether a user may do something (SubjectAccessReview), so that its roles count for an extension server
 * too. Decisions are used for ten seconds.
 */
export class DelegatedAuthorizer {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #decisions = new Map<string, Decision>();

  constructor(client: Client, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** Rejects when the API server cannot be asked: the request must not be served then. */
  async isAllowed(user: ProxiedUser, access: ResourceAccess, signal?: AbortSignal): Promise<boolean> {
    const key = JSON.stringify([user, access]);
    const now = this.#clock.monotonic();
    const known = this.#decisions.get(key);
    if (known !== undefined && known.untilMs > now) return known.isAllowed;
    const isAllowed = await this.#ask(user, access, signal);
    this.#keep(key, { isAllowed, untilMs: now + DECISION_MS });
    return isAllowed;
  }

  async #ask(user: ProxiedUser, access: ResourceAccess, signal?: AbortSignal): Promise<boolean> {
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
        resourceAttributes: access,
      },
    };
    const answered = await this.#client.resource(resource).create(review, {}, signal);
    return objectAt(answered, 'status')['allowed'] === true;
  }

  /** The oldest decisions give way. */
  #keep(key: string, decision: Decision): void {
    this.#decisions.delete(key);
    this.#decisions.set(key, decision);
    const [oldest] = this.#decisions.keys();
    if (this.#decisions.size > MAX_DECISIONS && oldest !== undefined) this.#decisions.delete(oldest);
  }
}
