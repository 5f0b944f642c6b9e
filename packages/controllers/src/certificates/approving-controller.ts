import { type Controller, type ControllerContext, controller, informerSource, typed } from '@orch/client';
import { ignoreReasons } from '../api/writes.ts';
import type { ControllerOptions } from '../options.ts';
import { type AutoApproval, accessReview, autoApprovals } from './approving.ts';
import {
  readSigningRequest,
  type SigningRequest,
  signingRequests,
  withCondition,
} from './signing-request.ts';

const MIN_WAIT_MS = 10_000;
const MAX_WAIT_MS = 600_000;

/** A request without permission is reviewed again at growing intervals, because roles may change. */
const waitMs = ({ createdAt }: SigningRequest, now: number): number =>
  Math.min(Math.max(now - createdAt, MIN_WAIT_MS), MAX_WAIT_MS);

/** Approves requests of nodes for client certificates when an access review allows it (spec 5.15). */
export function approvingController(context: ControllerContext, options: ControllerOptions): Controller {
  const { client, env } = context;
  const { names } = client;
  const requests = signingRequests(client, options.release);
  const informer = context.informers.informer(requests.resource);
  const approvals = requests.subresource('approval');
  const { subjectaccessreviews } = typed(client).authorization.v1;

  const isAllowed = async (
    request: SigningRequest,
    approval: AutoApproval,
    signal: AbortSignal,
  ): Promise<boolean> => {
    const review = accessReview(request, approval, names);
    const { status } = await subjectaccessreviews.create(review, {}, signal);
    return status?.allowed === true;
  };

  return controller({
    name: 'csrapproving',
    sources: [informerSource(informer)],
    concurrency: options.concurrency.certificate,
    async reconcile(key, signal) {
      const object = informer.store.get(key);
      if (object === undefined) return;
      const request = readSigningRequest(object);
      const possible = autoApprovals(request, names);
      for (const approval of possible) {
        if (!(await isAllowed(request, approval, signal))) continue;
        const written = withCondition(request, approval.condition);
        await ignoreReasons(['NotFound'], () => approvals.update(written, {}, signal));
        env.log.info('approved a certificate signing request', {
          request: request.name,
          as: approval.subresource,
        });
        return;
      }
      return possible.length === 0 ? undefined : { requeueAfterMs: waitMs(request, env.clock.now()) };
    },
  });
}
