import { type ParseArgsConfig, parseArgs } from 'node:util';

const HELP = { type: 'boolean', short: 'h', default: false } as const;

type WithHelp<Config extends ParseArgsConfig> = Config & {
  readonly options: { readonly help: typeof HELP };
};

/**
 * The arguments of a program of the project. `--help` prints the usage and ends the process. An unknown or incomplete argument ends it
 * with status 2 and one line.
 */
export function programArguments<const Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
): ReturnType<typeof parseArgs<WithHelp<Config>>> {
  const known = { ...config, options: { ...config.options, help: HELP } } as WithHelp<Config>;
  const parsed = orRefused(() => parseArgs(known));
  if ((parsed.values as { help?: boolean }).help === true) {
    process.stdout.write(usage);
    process.exit();
  }
  return parsed;
}

/** Ends the process with one line about its arguments, and status 2. */
export function refuseArguments(problem: string): never {
  process.stderr.write(`${problem}; see --help\n`);
  process.exit(2);
}

function orRefused<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    // The platform adds advice about positional arguments, which is not what went wrong.
    return refuseArguments((error as Error).message.replace(/\. .*$/s, ''));
  }
}
