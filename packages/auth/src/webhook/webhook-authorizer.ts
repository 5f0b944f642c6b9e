import type { Clock, Metrics } from '@orch/machinery';
import { BoundedCache } from '@orch/machinery/bounded-cache';
import { isJsonObject } from '@orch/machinery/json';
import type { Attributes, Authorizer, Decision } from '../types.ts';
import { evaluationMetrics } from './evaluation-metrics.ts';
import type { Remote } from './remote.ts';
import { RemoteError } from './remote-error.ts';

/** Options of `webhookAuthorizer`. */
export interface WebhookAuthorizerOptions {
  readonly remote: Remote;
  /** API group of access reviews. */
  readonly group: string;
  readonly version: 'v1' | 'v1beta1';
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
  /** The verdict when the service is unavailable: the next authorizer decides, or the request is denied. */
  readonly onFailure: 'noOpinion' | 'deny';
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** The name of the webhook in metrics. */
  readonly name: string;
  /** Timeout of one decision with all attempts, as the service has it. */
  readonly timeoutMs?: number;
}

const MAX_CACHED = 8_192;
/** Longer requests are not cached: names that clients invent must not fill the memory. */
const MAX_CACHED_CHARACTERS = 10_000;

/**
 * Authorization mode `Webhook`: a service decides. Its decisions are cached, with one TTL for allowed requests and one for
 * the others; its failures are not cached.
 */
export function webhookAuthorizer(options: WebhookAuthorizerOptions): Authorizer {
  const { remote, group, version, clock } = options;
  const cacheFor = (ttlMs: number): BoundedCache<string, Decision> =>
    new BoundedCache({ maxEntries: MAX_CACHED, expiry: { ttlMs, clock } });
  const allowed = cacheFor(options.authorizedTtlMs);
  const denied = cacheFor(options.unauthorizedTtlMs);
  const apiVersion = `${group}/${version}`;

  const evaluations = evaluationMetrics(options.name, options.metrics);
  const isOpen = options.onFailure === 'noOpinion';
  const failed = (problem: string): Decision => ({
    verdict: options.onFailure,
    reason: `the authorization webhook: ${problem}`,
  });

  async function review(key: string, spec: object, signal: AbortSignal): Promise<Decision> {
    const began = clock.monotonic();
    const elapsedMs = (): number => clock.monotonic() - began;
    let answer: unknown;
    try {
      answer = await remote.query(key, { apiVersion, kind: 'SubjectAccessReview', spec }, signal);
    } catch (error) {
      if (!(error instanceof RemoteError)) {
        evaluations.evaluated('canceled', elapsedMs() / 1000);
        throw error;
      }
      const isLate = options.timeoutMs !== undefined && elapsedMs() >= options.timeoutMs;
      evaluations.evaluated(isLate ? 'timeout' : 'error', elapsedMs() / 1000, { isOpen });
      return failed(error.message);
    }
    const decision = decisionOf(answer, apiVersion);
    if (decision === undefined) {
      evaluations.evaluated('error', elapsedMs() / 1000, { isOpen });
      return failed(`its response is not an ${apiVersion} SubjectAccessReview`);
    }
    evaluations.evaluated('success', elapsedMs() / 1000);
    if (key.length <= MAX_CACHED_CHARACTERS)
      (decision.verdict === 'allow' ? allowed : denied).set(key, decision);
    return decision;
  }

  return {
    authorize(attributes, { signal }) {
      const spec = specOf(attributes, version);
      const key = JSON.stringify(spec);
      return allowed.get(key) ?? denied.get(key) ?? review(key, spec, signal);
    },
  };
}

/** Empty fields are left out, as in the reviews of the API. */
function specOf(attributes: Attributes, version: 'v1' | 'v1beta1'): object {
  const { name, uid, groups, extra } = attributes.user;
  const [pending, about] = attributes.isResource
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
    [pending as string]: withoutEmpty(about as Readonly<Record<string, string>>),
    user: name,
    // The older version has another name for this field.
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
