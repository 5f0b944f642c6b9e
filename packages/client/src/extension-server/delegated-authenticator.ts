import { createHash } from 'node:crypto';
import type { ApiObject, Clock } from '@orch/machinery';
import { asObject, asStrings, asText, objectAt } from '@orch/machinery/json';
import type { Client } from '../client.ts';
import type { RequestUser } from './request-user.ts';
import { TimedAnswers } from './timed-answers.ts';

/**
 * Authenticates bearer tokens at the API server (TokenReview), for clients that connect to an extension server without
 * the proxy. Responses are cached for ten seconds.
 */
export class DelegatedAuthenticator {
  readonly #client: Client;
  readonly #users: TimedAnswers<RequestUser | undefined>;

  constructor(client: Client, clock: Pick<Clock, 'monotonic'>) {
    this.#client = client;
    this.#users = new TimedAnswers(clock);
  }

  /** Undefined for an invalid token. Rejects when the API server cannot be reached. */
  user(token: string, signal?: AbortSignal): Promise<RequestUser | undefined> {
    // No token stays in memory for longer than its request.
    const key = createHash('sha256').update(token).digest('base64');
    return this.#users.get(key, () => this.#ask(token, signal));
  }

  async #ask(token: string, signal?: AbortSignal): Promise<RequestUser | undefined> {
    const { names } = this.#client;
    const resource = {
      group: names.group('authentication'),
      version: 'v1',
      resource: 'tokenreviews',
      kind: 'TokenReview',
      namespaced: false,
    };
    const review: ApiObject = {
      kind: resource.kind,
      apiVersion: names.apiVersion('authentication', 'v1'),
      metadata: {},
      spec: { token },
    };
    const status = objectAt(await this.#client.resource(resource).create(review, {}, signal), 'status');
    const { username, uid, groups, extra } = objectAt(status, 'user');
    const name = asText(username);
    if (status['authenticated'] !== true || name === '') return undefined;
    return {
      name,
      uid: asText(uid),
      groups: asStrings(groups),
      extra: Object.fromEntries(
        Object.entries(asObject(extra)).map(([key, values]) => [key, asStrings(values)]),
      ),
    };
  }
}

/** The token of an `Authorization` header field; undefined for another scheme. */
export function bearerToken(authorization: string | undefined): string | undefined {
  const token = /^bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1];
  return token === '' ? undefined : token;
}
