import { hostname } from 'node:os';
import { parseArgs } from 'node:util';
import { loadClientConfig, networkTransport } from '@orch/client';
import { type Naming, namesFor } from '@orch/machinery';
import { systemEnv } from '@orch/machinery/env';
import { runOperator } from './run-operator.ts';

const { values } = parseArgs({
  options: {
    'client-config': { type: 'string', default: '.orch/admin.conf' },
    naming: { type: 'string', default: 'orch' },
    namespace: { type: 'string', default: 'settings-profiles' },
  },
});

const env = systemEnv();
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => stop.abort(new Error(signal)));
const names = namesFor(values.naming as Naming);
const settings = await loadClientConfig({
  env,
  names,
  files: [values['client-config']],
  environment: process.env,
  hasTerminal: process.stdin.isTTY === true,
});
const transport = networkTransport(settings, env);
try {
  const options = { transport, names, env, host: hostname(), namespace: values.namespace };
  await runOperator(options, stop.signal);
} catch (error) {
  env.log.error('the operator ended', { error });
  process.exitCode = 1;
} finally {
  await transport.close();
  await env.flush();
}
