import { checkFiniteOptions } from '@orch/machinery';
import { CredentialError } from '../credential-error.ts';
import { type Found, RenewedCredentials } from '../renewed.ts';
import type { Credentials } from '../types.ts';
import type { ExecConfig, ExecContext } from './config.ts';
import { readPluginOutput } from './plugin-output.ts';
import { permittedProgram } from './plugin-policy.ts';
import { runPlugin } from './run-plugin.ts';

const DEFAULT_TIMEOUT_MS = 60_000;
/** A user may have to enter a second factor. */
const DEFAULT_INTERACTIVE_TIMEOUT_MS = 300_000;

/**
 * The credentials of a program (access control, 5.11 and 2.3): run without credentials, after their expiration, and after a
 * rejection by the server. Concurrent callers share one run. Nothing is stored on disk.
 */
export function execCredentials(config: ExecConfig, context: ExecContext): Credentials {
  checkFiniteOptions(context, ['timeoutMs'], { above: 0 });
  const { clock } = context.env;
  return new RenewedCredentials({ clock, search: () => findCredential(config, context) });
}

async function findCredential(config: ExecConfig, context: ExecContext): Promise<Found> {
  const { command, apiVersion } = config;
  const isInteractive = mayUseTerminal(config, context);
  const problem = problemOfWords(config);
  if (problem !== undefined) throw new CredentialError(`exec plugin ${command} was not run: ${problem}`);
  const environment = environmentOf(config, context, isInteractive);
  const policy = await context.policy?.();
  const ownEnvironment = context.environment;
  const output = await runPlugin({
    command:
      policy === undefined ? command : permittedProgram(policy, { command, environment, ownEnvironment }),
    args: config.args,
    environment,
    isInteractive,
    timeoutMs: context.timeoutMs ?? (isInteractive ? DEFAULT_INTERACTIVE_TIMEOUT_MS : DEFAULT_TIMEOUT_MS),
    clock: context.env.clock,
    ...(config.installHint !== undefined && { installHint: config.installHint }),
  });
  return readPluginOutput(output, { command, apiVersion });
}

function mayUseTerminal({ command, interactiveMode }: ExecConfig, { hasTerminal }: ExecContext): boolean {
  if (interactiveMode === 'Always' && !hasTerminal)
    throw new CredentialError(
      `exec plugin ${command} was not run: its interactiveMode is Always, and there is no terminal to read from`,
    );
  return interactiveMode !== 'Never' && hasTerminal;
}

/** The operating system rejects such strings, and the error of the runtime would contain them. */
function problemOfWords({ command, args, env }: ExecConfig): string | undefined {
  if (command.includes('\0')) return 'the command holds a NUL character';
  const arg = args.findIndex((one) => one.includes('\0'));
  if (arg >= 0) return `args[${arg}] holds a NUL character`;
  const variable = env.findIndex(({ name, value }) => !/^[^=\0]+$/.test(name) || value.includes('\0'));
  return variable < 0 ? undefined : `env[${variable}] cannot be an environment variable`;
}

/** Inherited variables, those of the configuration, then those for the plugin; the last value of a name applies. */
function environmentOf(
  config: ExecConfig,
  context: ExecContext,
  isInteractive: boolean,
): Readonly<Record<string, string>> {
  const inherited = Object.entries(context.environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries([
    ...inherited,
    ...config.env.map(({ name, value }) => [name, value] as const),
    [context.names.environment.execInfo, pluginInput(config, context, isInteractive)],
  ]);
}

/** The ExecCredential for a plugin, as JSON (access control, 2.3). */
function pluginInput(config: ExecConfig, context: ExecContext, isInteractive: boolean): string {
  const { apiVersion, provideClusterInfo } = config;
  const { cluster } = context;
  return JSON.stringify({
    apiVersion,
    kind: 'ExecCredential',
    spec: {
      ...(provideClusterInfo && cluster !== undefined && { cluster }),
      interactive: isInteractive,
    },
  });
}
