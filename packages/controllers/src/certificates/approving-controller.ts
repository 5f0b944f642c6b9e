import { type Controller, type ControllerContext, controller, informerSource } from '@orch/client';
import { asObject } from '@orch/machinery';
import { unless } from '../api/failures.ts';
import { accessReviews, signingRequests } from '../api/resources.ts';
import type { ControllerOptions } from '../options.ts';
import { accessReview, type Recognized, recognized } from './approving.ts';
import { readSigningRequest, type SigningRequest, withCondition } from './signing-request.ts';

const LEAST_WAIT_MS = 10_000;
const MOST_WAIT_MS = 600_000;

/** A request that its owner may not have approved is looked at less and less often: roles may change meanwhile. */
const waitMs = ({ createdAt }: SigningRequest, now: number): number =>
  Math.min(Math.max(now - createdAt, LEAST_WAIT_MS), MOST_WAIT_MS);

/** Approves what nodes ask for their own client certificates, when an access review says that they may (spec 5.15). */
export function approvingController(context: ControllerContext, options: ControllerOptions): Controller {
  const { client, env } = context;
  const { names } = client;
  const resource = signingRequests(names, options.release);
  const informer = context.informers.informer(resource);
  const approvals = client.resource(resource).subresource('approval');
  const reviews = client.resource(accessReviews(names));
  const { log } = env;

  const isAllowed = async (
    request: SigningRequest,
    as: Recognized,
    signal: AbortSignal,
  ): Promise<boolean> => {
    const question = { metadata: {}, ...accessReview(request, as, names) };
    const answer = await reviews.create(question, {}, signal);
    return asObject(answer['status'])['allowed'] === true;
  };

  return controller({
    name: 'csrapproving',
    sources: [informerSource(informer)],
    concurrency: options.concurrency.certificate,
    async reconcile(key, signal) {
      const object = informer.store.get(key);
      if (object === undefined) return;
      const request = readSigningRequest(object);
      const kinds = recognized(request, names);
      for (const kind of kinds) {
        if (!(await isAllowed(request, kind, signal))) continue;
        await unless(['NotFound'], () => approvals.update(withCondition(request, kind.approval), {}, signal));
        log.info('a request for a certificate was approved', { request: request.name, as: kind.subresource });
        return;
      }
      return kinds.length === 0 ? undefined : { requeueAfterMs: waitMs(request, env.clock.now()) };
    },
  });
}
