import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createClient, inClusterConfig, isInCluster, loadClientConfig, networkTransport } from '@orch/client';
import { runExtensionServer } from '@orch/client/extension-server';
import { type Naming, namesFor } from '@orch/machinery';
import { systemEnv } from '@orch/machinery/env';
import { metricsApi } from './metrics-api.ts';
import { usageFile } from './usage-file.ts';

const { values } = parseArgs({
  options: {
    naming: { type: 'string', default: 'orch' },
    'client-config': { type: 'string', default: '.orch/admin.conf' },
    usage: { type: 'string', default: join(import.meta.dirname, 'usage.json') },
    'tls-cert-file': { type: 'string', default: 'tls.crt' },
    'tls-private-key-file': { type: 'string', default: 'tls.key' },
    'bind-address': { type: 'string', default: '0.0.0.0' },
    port: { type: 'string', default: '4443' },
  },
});

const env = systemEnv();
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => stop.abort(new Error(signal)));
const names = namesFor(values.naming as Naming);
const environment = process.env;
const settings = isInCluster({ names, environment })
  ? inClusterConfig({ env, names, environment })
  : await loadClientConfig({ env, names, environment, files: [values['client-config']] });
const transport = networkTransport(settings, env);
try {
  await runExtensionServer(
    {
      api: metricsApi(names.group('metrics'), usageFile(values.usage), () => new Date().toISOString()),
      client: createClient({ transport, names, env, userAgent: 'metrics-server/1.0' }),
      env,
      certFile: values['tls-cert-file'],
      keyFile: values['tls-private-key-file'],
      port: Number(values.port),
      host: values['bind-address'],
      onListening: (port) => env.log.info('listening', { port }),
    },
    stop.signal,
  );
} catch (error) {
  env.log.error('the server ended', { error });
  process.exitCode = 1;
} finally {
  await transport.close();
  await env.flush();
}
