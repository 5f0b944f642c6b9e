import { type LoginContext, type LoginTokens, startDeviceLogin, waitForDevice } from '@orch/client/login';
import type { Io } from '../../io.ts';

/** Shows address and code on standard error, and waits until the user has logged in there. */
export async function deviceLogin(context: LoginContext, io: Io, signal: AbortSignal): Promise<LoginTokens> {
  const device = await startDeviceLogin(context, signal);
  io.err.write(`Open ${device.url.href} and enter the code ${device.userCode}\n`);
  if (device.completeUrl !== undefined) io.err.write(`or open ${device.completeUrl.href}\n`);
  return waitForDevice({ ...context, clock: io.env.clock }, device, signal);
}
