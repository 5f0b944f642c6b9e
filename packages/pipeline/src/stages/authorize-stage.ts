import type { Attributes, Authorizer, Decision } from '@orch/auth';
import type { Env, Names } from '@orch/machinery';
import { whenFulfilled } from '@orch/machinery/concurrency';
import {
  type Answer,
  attributesOf,
  forbidden,
  type Handler,
  type Identified,
  type Stage,
} from '@orch/request';
import { filterDuration } from '../metrics/filter-durations.ts';
import { NOTABLE_MS } from '../records/index.ts';

/** Authorizes the request; a denied one is answered with 403. */
export function authorize(
  authorizer: Authorizer,
  { clock, metrics, names }: Pick<Env, 'clock' | 'metrics'> & { readonly names: Names },
): Stage<Identified> {
  const keys = names.auditAnnotations;
  const duration = filterDuration(metrics, 'authorization');
  const proceed = (
    decision: Decision,
    context: Identified,
    next: Handler<Identified>,
    started: number,
  ): Answer => {
    const ms = clock.monotonic() - started;
    duration.observe(ms / 1000);
    const isAllowed = decision.verdict === 'allow';
    const { trace } = context;
    if (ms >= NOTABLE_MS) trace.authorizationMs = ms;
    const { annotate } = trace;
    if (annotate !== undefined) {
      annotate(keys.decision, isAllowed ? 'allow' : 'forbid');
      annotate(keys.reason, decision.reason);
    }
    if (!isAllowed) {
      trace.refusedBy = 'authorization';
      throw forbidden(attributesIn(context), decision);
    }
    return next(context);
  };
  return (context, next) => {
    const started = clock.monotonic();
    const decision = authorizer.authorize(attributesIn(context), context.request);
    return whenFulfilled(decision, proceed, context, next, started);
  };
}

const attributesIn = ({ info, user, request }: Identified): Attributes =>
  attributesOf(info, user, request.rawQuery);
