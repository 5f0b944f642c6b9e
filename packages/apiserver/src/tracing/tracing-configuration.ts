import type { Names } from '@orch/machinery';
import { ConfigValue } from '@orch/machinery/yaml';

export interface TracingConfiguration {
  /** Host and port of the collector. */
  readonly endpoint: string;
  /** Share of requests without a parent that are sampled, 0 to 1. */
  readonly share: number;
}

const DEFAULT_ENDPOINT = 'localhost:4317';
const MILLION = 1_000_000;

/** Reads a `TracingConfiguration`. Throws `ConfigFileError`. */
export function readTracingConfiguration({
  text,
  file,
  names,
}: {
  readonly text: string;
  readonly file: string;
  readonly names: Names;
}): TracingConfiguration {
  const field = ConfigValue.parse(text, file).document(
    {
      kind: 'TracingConfiguration',
      apiVersions: ['v1alpha1', 'v1beta1'].map((version) => names.apiVersion('apiserverconfig', version)),
    },
    ['endpoint', 'samplingRatePerMillion'],
  );
  const rate = field('samplingRatePerMillion').whole({ least: 0, most: MILLION }) ?? 0;
  return { endpoint: endpointOf(field('endpoint')), share: rate / MILLION };
}

/** `host:port`, also as `dns:///host:port`, which is how gRPC writes it. */
function endpointOf(field: ConfigValue): string {
  const text = field.text();
  if (text === '') return DEFAULT_ENDPOINT;
  const address = text.replace(/^dns:\/\/\//, '');
  if (/^(?:\[[\da-f:.]+\]|[\w.-]+):\d{1,5}$/i.test(address) && URL.canParse(`http://${address}`))
    return address;
  return field.fail(`must be host:port or dns:///host:port, not ${JSON.stringify(text)}`);
}
