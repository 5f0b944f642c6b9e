import type { PeerCertificate } from 'node:tls';
import type { Metrics } from '@orch/machinery';

/**
 * Counts connections to webhooks of all kinds whose certificate has no alternative names (facts: metric names): it is accepted by
 * its common name, which other clients refuse.
 */
export function certificateNamesCounter(metrics: Metrics): (certificate: PeerCertificate) => void {
  const missing = metrics
    .counter({
      name: 'apiserver_webhooks_x509_missing_san_total',
      help: 'Connections to services whose certificate has no alternative names.',
      stability: 'ALPHA',
    })
    .series();
  return ({ subjectaltname }) => {
    if (subjectaltname === undefined) missing.inc();
  };
}
