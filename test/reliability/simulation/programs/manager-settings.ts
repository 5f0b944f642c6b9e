import { generateKeyPairSync } from 'node:crypto';
import { type ControllerSettings, fixedContent } from '@orch/controller-manager';
import { allControllers } from '@orch/controllers';
import { usualOptions } from '@orch/controllers/testing';
import type { Names } from '@orch/machinery';
import { systemRandom } from '@orch/machinery/env';
import { FAKE_EPOCH_MS } from '@orch/machinery/testing';
import { issueCertificate } from '@orch/pki/x509';

const YEAR_MS = 365 * 86_400_000;

/** Controllers whose work the simulation checks. */
const simulated: ReadonlySet<string> = new Set([
  'namespace',
  'garbagecollector',
  'serviceaccount',
  'serviceaccount-token',
  'root-ca-cert-publisher',
  'csrsigning',
]);

/** Keys take long to generate: one set serves all seeds. They do not affect the results. */
export function simulatedSettings(names: Names): ControllerSettings {
  const authority = issueCertificate(
    {
      commonName: 'authority',
      use: 'authority',
      notBefore: FAKE_EPOCH_MS - YEAR_MS,
      notAfter: FAKE_EPOCH_MS + 5 * YEAR_MS,
    },
    systemRandom,
  );
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const content = (text: string) => fixedContent('the simulation', text);
  const signer = { cert: content(authority.cert), key: content(authority.key) };
  return {
    names,
    selected: allControllers.filter(({ name }) => simulated.has(name)),
    useAccounts: false,
    options: {
      ...usualOptions,
      namespace: { ...usualOptions.namespace, finalizeDelayMs: 0 },
      signing: { durationMs: YEAR_MS, authorities: { apiserverClient: signer } },
      serviceAccountKey: content(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
      rootCa: content(authority.cert),
    },
  };
}
