import { isAbsolute } from 'node:path';
import { type AccessExpressions, compileFor, types } from '@orch/cel';
import { durationMs } from '@orch/machinery/time';
import type { ConfigValue } from '@orch/machinery/yaml';
import type { ReviewCondition, WebhookConfiguration } from './configuration.ts';

const fields = [
  'authorizedTTL',
  'cacheAuthorizedRequests',
  'unauthorizedTTL',
  'cacheUnauthorizedRequests',
  'timeout',
  'subjectAccessReviewVersion',
  'matchConditionSubjectAccessReviewVersion',
  'failurePolicy',
  'connectionInfo',
  'matchConditions',
] as const;

type Field = (name: (typeof fields)[number]) => ConfigValue;

const MINUTE_MS = 60_000;
const MAX_TIMEOUT_MS = 30_000;
const MAX_CONDITIONS = 64;

/** Reads `webhook` of an authorizer. */
export function readWebhook(value: ConfigValue, expressions: () => AccessExpressions): WebhookConfiguration {
  const field = value.object(fields);
  const [isAllowedCached, isDeniedCached] = [
    field('cacheAuthorizedRequests'),
    field('cacheUnauthorizedRequests'),
  ];
  const authorizedTtlMs = readTtl(field('authorizedTTL'), 5 * MINUTE_MS);
  const unauthorizedTtlMs = readTtl(field('unauthorizedTTL'), MINUTE_MS / 2);
  return {
    authorizedTtlMs: (isAllowedCached.flag() ?? true) ? authorizedTtlMs : 0,
    unauthorizedTtlMs: (isDeniedCached.flag() ?? true) ? unauthorizedTtlMs : 0,
    timeoutMs: readTimeout(field('timeout')),
    version: field('subjectAccessReviewVersion').oneOf(['v1', 'v1beta1']),
    onFailure: field('failurePolicy').oneOf(['NoOpinion', 'Deny']) === 'Deny' ? 'deny' : 'noOpinion',
    connection: readConnection(field('connectionInfo')),
    conditions: readConditions(field, expressions),
  };
}

function readTtl(value: ConfigValue, initialMs: number): number {
  const ms = readDuration(value) ?? initialMs;
  return ms > 0 ? ms : value.fail('must be greater than zero');
}

function readTimeout(value: ConfigValue): number {
  const ms = readDuration(value) ?? value.fail('is required');
  return ms > 0 && ms <= MAX_TIMEOUT_MS ? ms : value.fail('must be greater than zero, and at most 30s');
}

function readDuration(value: ConfigValue): number | undefined {
  if (value.isAbsent) return undefined;
  return durationMs(value.text()) ?? value.fail('must be a duration such as 30s or 1h5m');
}

function readConnection(value: ConfigValue): ConfigValue {
  const field = value.object(['type', 'kubeConfigFile']);
  const type = field('type').oneOf(['KubeConfigFile', 'InClusterConfig']);
  if (type === 'InClusterConfig')
    field('type').fail('InClusterConfig is not possible in an API server, which would call itself');
  const path = field('kubeConfigFile');
  if (!isAbsolute(path.text())) path.fail('must be an absolute path');
  return path;
}

/** The version of the reviews that conditions see is `v1`, also when the webhook receives another. */
function readConditions(field: Field, expressions: () => AccessExpressions): readonly ReviewCondition[] {
  const entries = field('matchConditions').list();
  const version = field('matchConditionSubjectAccessReviewVersion');
  if (entries.length > 0 || !version.isAbsent) version.oneOf(['v1']);
  if (entries.length > MAX_CONDITIONS)
    field('matchConditions').fail(`must have at most ${MAX_CONDITIONS} items`);
  const known = new Set<string>();
  return entries.map((entry) => {
    const expression = entry.object(['expression'])('expression');
    const source = expression.text();
    if (source.trim() === '') expression.fail('an expression is required');
    if (known.has(source)) expression.fail('the expression is repeated');
    known.add(source);
    const program = compileFor(source, expressions().request, [types.bool]);
    return typeof program === 'string' ? expression.fail(program) : { program, source };
  });
}
