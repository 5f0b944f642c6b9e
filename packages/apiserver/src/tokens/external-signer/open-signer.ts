import { atLeast } from '@orch/apis';
import { type Env, messageOf } from '@orch/machinery';
import { type Cleanup, StartError } from '@orch/program';
import type { Settings } from '../../settings/settings.ts';
import { ExternalSigner } from './external-signer.ts';

const FLAG = 'service-account-signing-endpoint';

/** The signer that the flag names, with its keys. Throws `StartError` when it does not answer, or not properly. */
export async function openSigner(
  { flags, release, tokens: { maxSeconds } }: Settings,
  { env, cleanup }: { readonly env: Env; readonly cleanup: Cleanup },
  signal: AbortSignal,
): Promise<ExternalSigner> {
  const { serviceAccountSigningEndpoint: socketPath } = flags;
  const version = atLeast(release, '1.34') ? 'v1' : 'v1alpha1';
  const external = new ExternalSigner({ socketPath, version, env });
  cleanup.add('close the signer of tokens', async () => external.close());
  try {
    await external.start(signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new StartError(`--${FLAG} ${socketPath}: ${messageOf(error)}`);
  }
  if (maxSeconds > external.maxSeconds)
    throw new StartError(
      `--service-account-max-token-expiration is longer than the ${external.maxSeconds} s that the signer of --${FLAG} permits`,
    );
  return external;
}
