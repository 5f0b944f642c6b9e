import {
  authorizationRequest,
  exchangeCode,
  type LoginContext,
  type LoginTokens,
  redirectResult,
} from '@orch/client/login';
import { withDeadline } from '@orch/machinery/concurrency';
import type { Io } from '../../io.ts';
import { openBrowser } from './open-browser.ts';
import { listenForRedirect } from './redirect-listener.ts';

const EXCHANGE_MS = 30_000;

export interface BrowserLogin {
  readonly io: Io;
  readonly signal: AbortSignal;
  /** Port of the redirection; 0 for any free port. */
  readonly port: number;
  /** Whether to open the browser; the address is printed in any case. */
  readonly opens: boolean;
}

/** Opens the provider in a browser, waits for its redirection to this machine, and exchanges the code. */
export async function browserLogin(
  context: LoginContext,
  { io, signal, port, opens }: BrowserLogin,
): Promise<LoginTokens> {
  await using listener = await listenForRedirect(port);
  const request = authorizationRequest(context, { redirectUrl: listener.url, random: io.env.random });
  io.err.write(`Log in at ${request.url.href}\n`);
  if (opens) openBrowser(request.url.href, io.environment);
  const code = await listener.wait((query) => redirectResult(context, request, query), signal);
  using exchange = withDeadline(signal, io.env.clock, EXCHANGE_MS);
  return exchangeCode(context, { ...request, code }, exchange.signal);
}
