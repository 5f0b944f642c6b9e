/** The Prometheus text format, as the media type says it. */
export const metricsMediaType = 'text/plain; version=0.0.4; charset=utf-8';
