import { CONDITIONS_COST_LIMIT, CostBudget, outOfBudget } from '@orch/cel';
import type { Clock, Logger, Metrics } from '@orch/machinery';
import type { Attributes, Authorizer, Decision } from '../types.ts';
import type { ReviewCondition } from './configuration.ts';

export interface ConditionalAuthorizerOptions {
  readonly authorizer: Authorizer;
  readonly conditions: readonly ReviewCondition[];
  readonly onFailure: 'noOpinion' | 'deny';
  /** Name of the authorizer in the configuration. */
  readonly name: string;
  readonly metrics: Metrics;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log: Pick<Logger, 'warn'>;
}

/** Least interval of log lines about errors, which any client may be able to cause. */
const LOG_INTERVAL_MS = 10_000;

/** `excluded` wins over errors of other conditions. */
type Outcome =
  | { readonly kind: 'matches' }
  | { readonly kind: 'excluded' }
  | { readonly kind: 'failed'; readonly message: string };

const excluded: Decision = { verdict: 'noOpinion', reason: '' };

/**
 * An authorizer that decides only about requests for which all conditions are true; it has no opinion about others. Errors of
 * conditions are logged: expressions and their values are not for users whose requests are denied.
 */
export function conditionalAuthorizer(options: ConditionalAuthorizerOptions): Authorizer {
  const { authorizer, conditions, onFailure, name, clock } = options;
  if (conditions.length === 0) return authorizer;
  const metrics = conditionMetrics(options);
  const logged = failureLog(options);
  const reason = `the conditions of the authorization webhook ${name} cannot be evaluated`;
  return {
    authorize(attributes, request) {
      const began = clock.monotonic();
      const outcome = evaluated(conditions, attributes);
      metrics.took((clock.monotonic() - began) / 1000);
      if (outcome.kind === 'matches') return authorizer.authorize(attributes, request);
      if (outcome.kind === 'excluded') {
        metrics.excluded();
        return excluded;
      }
      metrics.failed();
      logged(outcome.message);
      return { verdict: onFailure, reason };
    },
    ...(authorizer.rules === undefined ? {} : { rules: authorizer.rules.bind(authorizer) }),
  };
}

function failureLog({ name, clock, log }: ConditionalAuthorizerOptions): (error: string) => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    const now = clock.monotonic();
    if (now - loggedAt < LOG_INTERVAL_MS) return;
    loggedAt = now;
    log.warn('conditions of an authorization webhook cannot be evaluated', { webhook: name, error });
  };
}

function evaluated(conditions: readonly ReviewCondition[], attributes: Attributes): Outcome {
  const variables = { request: specOf(attributes) };
  const budget = new CostBudget(CONDITIONS_COST_LIMIT);
  const errors: string[] = [];
  for (const { program, source } of conditions) {
    const outcome = program.evaluate(variables);
    if (!budget.spend(outcome)) return { kind: 'failed', message: outOfBudget };
    if (outcome.kind !== 'value') errors.push(`${source}: ${outcome.message}`);
    else if (outcome.value !== true) return { kind: 'excluded' };
  }
  return errors.length === 0 ? { kind: 'matches' } : { kind: 'failed', message: errors.join(', ') };
}

/**
 * The `spec` of a review in version v1, with empty strings: only the attributes of the other kind of request are
 * absent.
 */
function specOf(attributes: Attributes): object {
  const { name: user, groups, extra, uid } = attributes.user;
  const identity = { user, groups, extra, uid };
  if (!attributes.isResource) {
    const { path, verb } = attributes;
    return { nonResourceAttributes: { path, verb }, ...identity };
  }
  const { namespace, verb, group, version, resource, subresource, name } = attributes;
  return {
    resourceAttributes: { namespace, verb, group, version, resource, subresource, name },
    ...identity,
  };
}

const prefix = 'apiserver_authorization_match_condition';

function conditionMetrics({ metrics, name }: Pick<ConditionalAuthorizerOptions, 'metrics' | 'name'>) {
  const labels = ['type', 'name'];
  const stability = 'ALPHA';
  const errors = metrics
    .counter({
      name: `${prefix}_evaluation_errors_total`,
      help: 'Requests for which a condition of an authorizer had an error.',
      labels,
      stability,
    })
    .series('Webhook', name);
  const exclusions = metrics
    .counter({
      name: `${prefix}_exclusions_total`,
      help: 'Requests that a condition excluded from an authorizer.',
      labels,
      stability,
    })
    .series('Webhook', name);
  const seconds = metrics
    .histogram({
      name: `${prefix}_evaluation_seconds`,
      help: 'Time that the conditions of an authorizer took for a request.',
      labels,
      buckets: [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
      stability,
    })
    .series('Webhook', name);
  return {
    failed: () => errors.inc(),
    excluded: () => exclusions.inc(),
    took: (duration: number) => seconds.observe(duration),
  };
}
