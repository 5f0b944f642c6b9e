import { MemoryObjectSource } from '@orch/auth/testing';
import { ApiError, type ApiObject, namesFor } from '@orch/machinery';
import { createMetrics } from '@orch/machinery/env';
import { ConfigValue } from '@orch/machinery/yaml';
import { type PodSecurityParts, podSecurity } from '../pod-security/pod-security.ts';
import type { AdmissionAttributes } from '../types.ts';
import { testWrite, validated } from './plugin-calls.ts';

const names = namesFor('orch');
const PREFIX = names.labels.podSecurityEnforce.replace(/enforce$/, '');

/** Labels by mode: `{ enforce: 'baseline', 'enforce-version': 'v1.20' }`. */
export type ModeLabels = Readonly<Record<string, string>>;

export const namespace = (name: string, modes: ModeLabels = {}): ApiObject => ({
  metadata: {
    name,
    labels: Object.fromEntries(Object.entries(modes).map(([mode, value]) => [`${PREFIX}${mode}`, value])),
  },
});

/** The outcome of a write. */
export interface Reviewed {
  /** The refusal, or the message of an error. */
  readonly refusal: string | undefined;
  readonly warnings: readonly string[];
  readonly annotations: Readonly<Record<string, string>>;
}

/** The plugin over objects in memory. */
export function podSecurityFixture(
  options: Partial<Pick<PodSecurityParts, 'release' | 'clock' | 'hasPodSecurity'>> & {
    /** Body of the configuration. */
    readonly configuration?: string;
  } = {},
) {
  const { configuration, ...others } = options;
  const source = new MemoryObjectSource();
  const metrics = createMetrics();
  const document = ConfigValue.parse(
    `apiVersion: ${names.apiVersion('podSecurity', 'v1')}\nkind: PodSecurityConfiguration\n${configuration ?? ''}`,
    'config.yaml',
  );
  const plugin = podSecurity({
    source,
    names,
    metrics,
    release: '1.24',
    clock: { monotonic: () => 0 },
    hasPodSecurity: true,
    configuration: () => (configuration === undefined ? undefined : document),
    ...others,
  });
  return {
    source,
    plugin,
    /** The series of a metric with their values. */
    counts: (name: string): readonly string[] =>
      metrics
        .text()
        .split('\n')
        .filter((line) => line.startsWith(`${name}{`)),
    async review(write: Partial<AdmissionAttributes>): Promise<Reviewed> {
      const warnings: string[] = [];
      const annotations: Record<string, string> = {};
      const report = {
        warn: (message: string) => void warnings.push(message),
        annotate: (key: string, value: string) => {
          annotations[key.replace(PREFIX, '')] = value;
        },
        exclude: () => {},
        step: () => {},
      };
      const refusal = await outcome(() => validated(plugin, testWrite({ ...write, report })));
      return { refusal, warnings, annotations };
    },
  };
}

async function outcome(
  call: () => string | undefined | Promise<string | undefined>,
): Promise<string | undefined> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}
