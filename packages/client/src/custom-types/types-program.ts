import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '@orch/machinery';
import { type Definition, DefinitionError } from './definition.ts';
import { moduleText } from './module-text.ts';
import { definitionsOf, type FoundDefinition, type SourceInput } from './sources.ts';

/** The process that the program runs in. */
export interface TypesProcess extends SourceInput {
  /** The name of the package that modules import types from. */
  readonly clientPackage: string;
  readonly version: string;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

const usage = `Usage: orch-types [flags] SOURCE...

Writes TypeScript types, resources for clients, and validators of custom resources from their definitions.

A SOURCE is a YAML or JSON file with any number of documents, an https URL of one, - for the standard input, or cluster for
the server of the current client configuration.

Flags:
  --output FOLDER  Writes a module for each definition into this folder: certificates.example.com.ts. Without this flag, the
                   module of the only definition is printed.
  --only NAME      Uses only this definition, such as certificates.example.com. May be repeated.
  --help           Prints this text.
  --version        Prints the version.

Examples:
  npx orch-types crds.yaml --output src/types
  npx orch-types cluster --only certificates.example.com > src/certificates.ts
`;

/** The flags of `orch-types`. */
export const typesFlags = {
  output: { type: 'string' },
  only: { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

/** Runs the program `orch-types`. Returns its exit status: 0, 1 for a failure, 2 for wrong arguments. */
export async function runTypesProgram(args: readonly string[], of: TypesProcess): Promise<number> {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (error) {
    of.printError(`orch-types: ${problemOf(error)}\n${hint}`);
    return 2;
  }
  const { positionals: sources, values } = parsed;
  if (values.help === true || values.version === true) {
    of.print(values.help === true ? usage : `orch-types ${of.version}\n`);
    return 0;
  }
  if (sources.length === 0) {
    of.printError(`orch-types: a SOURCE must be given\n${hint}`);
    return 2;
  }
  try {
    const found = selected(await definitionsOf(sources, of), values.only);
    if (values.output === undefined) print(found, of);
    else write(found, resolve(of.folder, values.output), of);
    return 0;
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    of.printError(`orch-types: ${error.message}\n`);
    return 1;
  }
}

const hint = "'orch-types --help' shows the flags.\n";

/** The platform explains how to escape a positional argument, which is not what went wrong. */
function problemOf(error: unknown): string {
  const message = messageOf(error);
  const flag = /^Unknown option '([^']+)'/.exec(message)?.[1];
  return flag === undefined ? message : `unknown flag: ${flag}`;
}

const parse = (args: readonly string[]) =>
  parseArgs({ args: [...args], options: typesFlags, allowPositionals: true });

/** The definitions with these names, or all; each name once. */
function selected(
  all: readonly FoundDefinition[],
  only: readonly string[] | undefined,
): readonly Definition[] {
  const byName = new Map<string, FoundDefinition>();
  for (const found of all) {
    const { name } = found.definition;
    const before = byName.get(name);
    if (before !== undefined)
      throw new DefinitionError(`${found.place}: ${before.place} defines ${name} too`);
    byName.set(name, found);
  }
  const names = only ?? [...byName.keys()].sort();
  return names.map((name) => {
    const found = byName.get(name);
    if (found === undefined) throw new DefinitionError(`there is no definition ${JSON.stringify(name)}`);
    return found.definition;
  });
}

function print(definitions: readonly Definition[], { clientPackage, print: out }: TypesProcess): void {
  const [only, ...others] = definitions;
  if (only === undefined || others.length > 0) {
    const names = definitions.map(({ name }) => name).join(', ');
    throw new DefinitionError(
      `there are ${definitions.length} definitions: choose a folder with --output, or one of them with --only: ${names}`,
    );
  }
  out(moduleText(only, clientPackage));
}

function write(definitions: readonly Definition[], folder: string, of: TypesProcess): void {
  try {
    mkdirSync(folder, { recursive: true });
    for (const definition of definitions) {
      const file = join(folder, `${definition.name}.ts`);
      writeFileSync(file, moduleText(definition, of.clientPackage));
      of.print(`${file}\n`);
    }
  } catch (cause) {
    throw new DefinitionError(`--output: ${messageOf(cause)}`, { cause });
  }
}
