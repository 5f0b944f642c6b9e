import { type Clock, isJsonObject } from '@orch/machinery';
import { BoundedMemory } from '../jwt/bounded-memory.ts';
import type { Attributes, Authorizer, Decision } from '../types.ts';
import { RemoteError } from './post-json.ts';
import type { Remote } from './remote.ts';

/** Options of `webhookAuthorizer`. */
export interface WebhookAuthorizerOptions {
  readonly remote: Remote;
  /** API group of access reviews. */
  readonly group: string;
  readonly version: 'v1' | 'v1beta1';
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
  /** What it means that the service cannot be asked: nothing, so that the next authorizer may decide, or no. */
  readonly onFailure: 'noOpinion' | 'deny';
  readonly clock: Clock;
}

const maxRemembered = 8_192;
/** Longer questions are not remembered: what clients make up must not fill the memory. */
const maxRememberedLength = 10_000;

/**
 * Authorization mode `Webhook`: a service decides. That it allows is believed for one time, that it does not for
 * another; its failures are not remembered.
 */
export function webhookAuthorizer(options: WebhookAuthorizerOptions): Authorizer {
  const { remote, group, version, clock } = options;
  const memory = (ttlMs: number): BoundedMemory<Decision> =>
    new BoundedMemory<Decision>({ most: maxRemembered, ttlMs, clock });
  const yes = memory(options.authorizedTtlMs);
  const no = memory(options.unauthorizedTtlMs);
  const apiVersion = `${group}/${version}`;

  async function ask(key: string, spec: object, signal: AbortSignal): Promise<Decision> {
    let answer: unknown;
    try {
      answer = await remote.ask(key, { apiVersion, kind: 'SubjectAccessReview', spec }, signal);
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      return { verdict: options.onFailure, reason: `the authorization webhook: ${error.message}` };
    }
    const decision = decisionOf(answer, apiVersion);
    if (decision === undefined) {
      const reason = `the authorization webhook: its answer is no ${apiVersion} SubjectAccessReview`;
      return { verdict: options.onFailure, reason };
    }
    if (key.length <= maxRememberedLength) (decision.verdict === 'allow' ? yes : no).set(key, decision);
    return decision;
  }

  return {
    authorize(attributes, { signal }) {
      const spec = specOf(attributes, version);
      const key = JSON.stringify(spec);
      return yes.get(key) ?? no.get(key) ?? ask(key, spec, signal);
    },
  };
}

/** Members that are empty are left out, as the reviews of the API have it. */
function specOf(attributes: Attributes, version: 'v1' | 'v1beta1'): object {
  const { name, uid, groups, extra } = attributes.user;
  const [asked, about] = attributes.isResource
    ? [
        'resourceAttributes',
        {
          namespace: attributes.namespace,
          verb: attributes.verb,
          group: attributes.group,
          version: attributes.version,
          resource: attributes.resource,
          subresource: attributes.subresource,
          name: attributes.name,
        },
      ]
    : ['nonResourceAttributes', { path: attributes.path, verb: attributes.verb }];
  return {
    [asked as string]: withoutEmpty(about as Readonly<Record<string, string>>),
    user: name,
    // The older version names this member otherwise.
    ...(groups.length === 0 ? {} : { [version === 'v1' ? 'groups' : 'group']: groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
    ...(uid === '' ? {} : { uid }),
  };
}

const withoutEmpty = (texts: Readonly<Record<string, string>>): object =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));

function decisionOf(answer: unknown, apiVersion: string): Decision | undefined {
  if (!isJsonObject(answer) || answer['apiVersion'] !== apiVersion) return undefined;
  const { status, kind } = answer;
  if (kind !== 'SubjectAccessReview' || !isJsonObject(status) || typeof status['allowed'] !== 'boolean')
    return undefined;
  const { allowed, denied } = status;
  if (allowed && denied === true) return undefined;
  const reason = typeof status['reason'] === 'string' ? status['reason'] : '';
  return { verdict: allowed ? 'allow' : denied === true ? 'deny' : 'noOpinion', reason };
}
