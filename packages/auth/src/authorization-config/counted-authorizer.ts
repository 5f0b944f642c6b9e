import type { CounterSeries, Metrics } from '@orch/machinery';
import { whenFulfilled } from '@orch/machinery/concurrency';
import { explainedBy } from '../authorizers.ts';
import type { Authorizer, Decision } from '../types.ts';

interface Counted {
  readonly allowed: CounterSeries;
  readonly denied: CounterSeries;
}

/** Counts the decisions of an authorizer; no opinion is not a decision. */
export function countedAuthorizer(
  authorizer: Authorizer,
  { type, name }: { readonly type: string; readonly name: string },
  metrics: Metrics,
): Authorizer {
  const decisions = metrics.counter({
    name: 'apiserver_authorization_decisions_total',
    help: 'Requests that an authorizer allowed or denied, by type and name of the authorizer.',
    labels: ['type', 'name', 'decision'],
    stability: 'ALPHA',
  });
  const counted: Counted = {
    allowed: decisions.series(type, name, 'allowed'),
    denied: decisions.series(type, name, 'denied'),
  };
  return {
    authorize: (attributes, request) =>
      whenFulfilled(authorizer.authorize(attributes, request), count, counted),
    async explain(attributes, request) {
      const explained = await explainedBy(authorizer, attributes, request);
      const title = name === type.toLowerCase() ? type : `${type} ${name}`;
      return explained.map((one) => ({ ...one, authorizer: title }));
    },
    ...(authorizer.rules === undefined ? {} : { rules: authorizer.rules.bind(authorizer) }),
  };
}

function count(decision: Decision, { allowed, denied }: Counted): Decision {
  if (decision.verdict === 'allow') allowed.inc();
  else if (decision.verdict === 'deny') denied.inc();
  return decision;
}
