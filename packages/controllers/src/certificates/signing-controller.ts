import { type Controller, type ControllerContext, controller, informerSource } from '@orch/client';
import type { Names } from '@orch/machinery';
import type { Authority } from '@orch/pki/x509';
import { unless } from '../api/failures.ts';
import { signingRequests } from '../api/resources.ts';
import type { ControllerOptions, SignerKey } from '../options.ts';
import { readRequest } from './approving.ts';
import { authorityIn } from './authorities.ts';
import { issueFor } from './issue.ts';
import { signerProblem } from './signer-rules.ts';
import {
  is,
  readSigningRequest,
  type SigningRequest,
  withCertificate,
  withCondition,
} from './signing-request.ts';

/** The built-in signer of a request. In releases without signers there was one, which signed everything. */
export function signerOf({ signerName }: SigningRequest, { signers }: Names): SignerKey | undefined {
  switch (signerName) {
    case signers.apiserverClient:
      return 'apiserverClient';
    case signers.apiserverClientNodeagent:
      return 'apiserverClientNodeagent';
    case signers.nodeagentServing:
      return 'nodeagentServing';
    case signers.legacyUnknown:
    case undefined:
      return 'legacyUnknown';
    default:
      return undefined;
  }
}

/** Whether a request waits for its signer. */
export const isToBeSigned = (request: SigningRequest): boolean =>
  is(request, 'Approved') && !is(request, 'Denied', 'Failed') && request.certificate === '';

/**
 * Signs approved requests for the built-in signers (spec 5.15), or says why it never will. An update carries the
 * resourceVersion that was decided on, and the server lets nobody replace a certificate: each is issued once.
 */
export function signingController(context: ControllerContext, options: ControllerOptions): Controller {
  const { client, env } = context;
  const { names } = client;
  const resource = signingRequests(names, options.release);
  const informer = context.informers.informer(resource);
  const status = client.resource(resource).subresource('status');
  const { log } = env;
  const authorities = new Map<SignerKey, () => Promise<Authority>>(
    Object.entries(options.signing.authorities).map(([signer, content]) => [
      signer as SignerKey,
      authorityIn(content, log),
    ]),
  );

  const issue = async (signer: SignerKey, request: SigningRequest, authority: Authority) => {
    const asked = readRequest(request);
    const problem =
      asked === undefined
        ? 'the request cannot be read'
        : signerProblem(signer, { request: asked, usages: request.usages }, names);
    if (asked === undefined || problem !== undefined) {
      const message = problem ?? '';
      return withCondition(request, { type: 'Failed', reason: 'SignerValidationFailure', message });
    }
    const now = env.clock.now();
    if (authority.notAfter <= now) throw new Error(`the authority of signer ${signer} has expired`);
    const by = { now, durationMs: options.signing.durationMs, random: env.random };
    return withCertificate(request, issueFor({ ...request, request: asked }, authority, by));
  };

  return controller({
    name: 'csrsigning',
    sources: [informerSource(informer)],
    concurrency: options.concurrency.certificate,
    async reconcile(key, signal) {
      const object = informer.store.get(key);
      if (object === undefined) return;
      const request = readSigningRequest(object);
      const signer = signerOf(request, names);
      const authority = signer === undefined ? undefined : authorities.get(signer);
      if (signer === undefined || authority === undefined || !isToBeSigned(request)) return;
      const answer = await issue(signer, request, await authority());
      const written = await unless(['NotFound'], () => status.update(answer, {}, signal));
      if (written !== undefined)
        log.info('a request for a certificate was answered', {
          request: request.name,
          signer: request.signerName,
          issued: readSigningRequest(answer).certificate !== '',
        });
    },
  });
}
