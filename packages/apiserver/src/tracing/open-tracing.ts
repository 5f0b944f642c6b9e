import type { Env } from '@orch/machinery';
import { ConfigFileError } from '@orch/machinery/yaml';
import { openTracing, Tracing } from '@orch/pipeline';
import { type Cleanup, readFlagFile, StartError } from '@orch/program';
import { asStartError } from '../reload/as-start-error.ts';
import type { Settings } from '../settings/settings.ts';
import { readTracingConfiguration } from './tracing-configuration.ts';

const FLAG = 'tracing-config-file';

/**
 * Tracing to the collector of `--tracing-config-file`, or through the SDK that was loaded before the program; undefined without
 * either. Throws a `StartError`.
 */
export async function serverTracing(
  { flags, names }: Settings,
  { env, cleanup }: { readonly env: Env; readonly cleanup: Cleanup },
): Promise<Tracing | undefined> {
  const loaded = openTracing();
  const path = flags.tracingConfigFile;
  if (path === '') return loaded;
  if (loaded !== undefined)
    throw new StartError(`--${FLAG} cannot be used with a tracing SDK that was loaded before the program`);
  const text = readFlagFile(FLAG, path);
  const configuration = asStartError({ flag: FLAG, path }, ConfigFileError, () =>
    readTracingConfiguration({ text, file: path, names }),
  );
  const { openOtlpProvider } = await import('./otlp-provider.ts');
  const { provider, close } = openOtlpProvider(configuration, env);
  cleanup.add('export the remaining spans', close);
  env.log.info('traces are exported', { ...configuration });
  return new Tracing(provider);
}
