import type { KeyPair } from '@orch/pki/x509';
import type { Certificates } from './serving.ts';

/** The certificates of a process that its threads use, after a renewal. */
export interface RenewedPairs {
  /** Undefined where the operator provides the certificate. */
  readonly serving: KeyPair | undefined;
  readonly proxyClient: KeyPair | undefined;
}

export const renewedPairs = ({ isServingCaOwn, serving, proxyClient }: Certificates): RenewedPairs => ({
  serving: isServingCaOwn ? serving : undefined,
  proxyClient: proxyClient?.pair,
});
