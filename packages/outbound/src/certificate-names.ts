import type { PeerCertificate } from 'node:tls';
import type { Metrics } from '@orch/machinery';

/**
 * Counts connections to servers whose certificate has no alternative names (facts: metric names): it is accepted by its common name,
 * which other clients refuse. `title` names the servers in the description of the metric.
 */
export function certificateNamesCounter(
  metrics: Metrics,
  name: string,
  title: string,
): (certificate: PeerCertificate) => void {
  const missing = metrics
    .counter({
      name,
      help: `Connections to ${title} whose certificate has no alternative names.`,
      stability: 'ALPHA',
    })
    .series();
  return ({ raw, subjectaltname }) => {
    // Without a certificate the object is empty.
    if (raw !== undefined && subjectaltname === undefined) missing.inc();
  };
}
