import type { MetricsFormat } from '@orch/machinery';

/**
 * The format for a client: OpenMetrics when it accepts version 1.0.0 at least as much as the text format (RFC 9110 section
 * 12.5.1), and the text format otherwise.
 */
export function metricsFormat(accept: string | undefined): MetricsFormat {
  let openMetrics = 0;
  let text = 0;
  for (const item of (accept ?? '').split(',')) {
    const [type = '', ...rest] = item.split(';').map((part) => part.trim().toLowerCase());
    const parameters = new Map(rest.map((part) => part.split(/\s*=\s*/) as [string, string]));
    const quality = Number(parameters.get('q') ?? 1);
    if (type === 'application/openmetrics-text' && (parameters.get('version') ?? '1.0.0') === '1.0.0')
      openMetrics = Math.max(openMetrics, quality);
    if (type === 'text/plain') text = Math.max(text, quality);
  }
  return openMetrics > 0 && openMetrics >= text ? 'openMetrics' : 'text';
}
