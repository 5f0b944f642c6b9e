import { type Controller, type ControllerContext, controller, informerSource } from '@orch/client';
import type { Names } from '@orch/machinery';
import type { Authority } from '@orch/pki/x509';
import { ignoreReasons } from '../api/writes.ts';
import type { ControllerOptions, SignerKey } from '../options.ts';
import { parsedRequest } from './approving.ts';
import { authorityIn } from './authorities.ts';
import { issueFor } from './issue.ts';
import { signerProblem } from './signer-rules.ts';
import {
  hasCondition,
  readSigningRequest,
  type SigningRequest,
  type SigningRequestObject,
  signingRequests,
  withCertificate,
  withCondition,
} from './signing-request.ts';

/** The built-in signer of a request. Releases without signer names had a single signer for all requests. */
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

/** Reports whether a request is approved and neither denied, failed nor signed. */
export const isToBeSigned = (request: SigningRequest): boolean =>
  hasCondition(request, 'Approved') &&
  !hasCondition(request, 'Denied', 'Failed') &&
  request.certificate === '';

/**
 * Signs approved requests of the built-in signers (spec 5.15), or sets the condition `Failed`. An update carries the
 * resourceVersion of the examined object, and the server rejects a second certificate: each is issued once.
 */
export function signingController(context: ControllerContext, options: ControllerOptions): Controller {
  const { client, env } = context;
  const { names } = client;
  const requests = signingRequests(client, options.release);
  const informer = context.informers.informer(requests.resource);
  const status = requests.subresource('status');
  const { log } = env;
  const authorities = new Map<SignerKey, () => Promise<Authority>>(
    Object.entries(options.signing.authorities).map(([signer, content]) => [
      signer as SignerKey,
      authorityIn(content, log),
    ]),
  );

  const answer = (signer: SignerKey, request: SigningRequest, authority: Authority): SigningRequestObject => {
    const parsed = parsedRequest(request);
    const problem =
      parsed === undefined
        ? 'the request cannot be parsed'
        : signerProblem(signer, { request: parsed, usages: request.usages }, names);
    if (parsed === undefined || problem !== undefined) {
      const message = problem ?? '';
      return withCondition(request, { type: 'Failed', reason: 'SignerValidationFailure', message });
    }
    const now = env.clock.now();
    if (authority.notAfter <= now) throw new Error(`the authority of signer ${signer} has expired`);
    const issuing = { now, durationMs: options.signing.durationMs, random: env.random };
    return withCertificate(request, issueFor({ ...request, request: parsed }, authority, issuing));
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
      const answered = answer(signer, request, await authority());
      const written = await ignoreReasons(['NotFound'], () => status.update(answered, {}, signal));
      if (written !== undefined)
        log.info('processed a certificate signing request', {
          request: request.name,
          signer: request.signerName,
          issued: readSigningRequest(answered).certificate !== '',
        });
    },
  });
}
