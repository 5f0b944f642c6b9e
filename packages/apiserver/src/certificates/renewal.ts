import { type Env, messageOf } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import type { KeyPair } from '@orch/pki/x509';
import { needsReplacement } from './keep.ts';
import { type CertificateOptions, type Certificates, renewCertificates } from './serving.ts';

export interface RenewalParts {
  readonly certificates: Certificates;
  readonly options: CertificateOptions;
  readonly env: Pick<Env, 'clock' | 'random' | 'log'>;
  /** Uses other certificates of the same authorities from now on. */
  readonly use: (renewed: Certificates) => void;
}

/** Interval at which the time that is left is checked. */
const INTERVAL_MS = 60 * 60 * 1000;

/**
 * Replaces the certificates that the server has generated before they expire, until the signal aborts. A failure is logged,
 * and the next attempt follows after the interval.
 */
export async function runRenewal(parts: RenewalParts, signal: AbortSignal): Promise<void> {
  const { options, env, use } = parts;
  let { certificates } = parts;
  for (;;) {
    await sleep(env.clock, INTERVAL_MS, signal).catch(() => undefined);
    if (signal.aborted) return;
    if (!generatedLeaves(certificates).some((pair) => needsReplacement(pair, env))) continue;
    try {
      const renewed = await renewCertificates(certificates, options, { env, signal });
      use(renewed);
      certificates = renewed;
      env.log.info('generated certificates were renewed');
    } catch (error) {
      if (signal.aborted) return;
      env.log.error('generated certificates cannot be renewed', { error: messageOf(error) });
    }
  }
}

const generatedLeaves = ({
  isServingCaOwn,
  serving,
  admin,
  proxyClient,
}: Certificates): readonly KeyPair[] => [
  ...(isServingCaOwn ? [serving] : []),
  admin,
  ...(proxyClient === undefined ? [] : [proxyClient.pair]),
];
