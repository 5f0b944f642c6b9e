import type { TLSSocket } from 'node:tls';
import type { Metrics, Names } from '@orch/machinery';

/**
 * Counts connections to extension API servers whose certificate has no alternative names (facts: metric names): it is accepted by
 * its common name, which other clients refuse.
 */
export function certificateNamesCounter(metrics: Metrics, names: Names): (socket: TLSSocket) => void {
  const missing = metrics
    .counter({
      name: names.metric('apiserver_orch_aggregator_x509_missing_san_total'),
      help: 'Connections to extension API servers whose certificate has no alternative names.',
      stability: 'ALPHA',
    })
    .series();
  return (socket) => {
    const { subject, subjectaltname } = socket.getPeerCertificate();
    if (subject !== undefined && subjectaltname === undefined) missing.inc();
  };
}
