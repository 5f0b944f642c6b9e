import { CredentialError } from '../credential-error.ts';
import { type Found, RenewedCredentials } from '../renewed.ts';
import type { Credentials } from '../types.ts';
import type { ExecConfig, ExecContext } from './config.ts';
import { pluginInput } from './plugin-input.ts';
import { readPluginOutput } from './plugin-output.ts';
import { runPlugin } from './run-plugin.ts';

const defaultTimeoutMs = 60_000;
/** Somebody may have to find a second factor. */
const defaultInteractiveTimeoutMs = 300_000;

/**
 * What a program answers (access control, 5.11 and 2.3): run when there is no answer yet, when the last one has
 * expired, and when the server has rejected it. One run at a time serves all who wait. Nothing is kept on disk.
 */
export function execCredentials(config: ExecConfig, context: ExecContext): Credentials {
  const { clock } = context.env;
  return new RenewedCredentials({ clock, search: () => askPlugin(config, context) });
}

async function askPlugin(config: ExecConfig, context: ExecContext): Promise<Found> {
  const { command, apiVersion } = config;
  const isInteractive = mayUseTerminal(config, context);
  const problem = problemOfWords(config);
  if (problem !== undefined) throw new CredentialError(`exec plugin ${command} was not run: ${problem}`);
  const output = await runPlugin({
    command,
    args: config.args,
    environment: environmentOf(config, context, isInteractive),
    isInteractive,
    timeoutMs: context.timeoutMs ?? (isInteractive ? defaultInteractiveTimeoutMs : defaultTimeoutMs),
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

/** The operating system takes no such words, and the runtime would quote them, secret or not. */
function problemOfWords({ command, args, env }: ExecConfig): string | undefined {
  if (command.includes('\0')) return 'the command holds a NUL character';
  const arg = args.findIndex((one) => one.includes('\0'));
  if (arg >= 0) return `args[${arg}] holds a NUL character`;
  const variable = env.findIndex(({ name, value }) => !/^[^=\0]+$/.test(name) || value.includes('\0'));
  return variable < 0 ? undefined : `env[${variable}] cannot be an environment variable`;
}

/** Inherited, then of the configuration, then what the plugin is told; of variables named twice the last one counts. */
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
