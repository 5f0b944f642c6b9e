import { type ApiObject, type Names, parseApiVersion } from '@orch/machinery';
import {
  type FlagSpec,
  type FlagTable,
  type FlagValues,
  listFlag,
  switchFlag,
  UsageError,
} from '@orch/program/flags';
import { type Command, command, type Invocation } from '../../cli/command.ts';
import { showManagedFieldsFlag } from '../../cli/flag-sets.ts';
import { fieldValidation, validateFlag, writeFlags } from '../../cli/write-flags.ts';
import type { Io } from '../../io.ts';
import { outputFlags } from '../../print/output-format.ts';
import type { Session } from '../../session/session.ts';
import { WriteReport } from '../write/report-write.ts';

export const section = 'Flags';

/** The input of a generator. */
export interface GeneratorInput<Values> {
  readonly name: string;
  /** The words after `--`. */
  readonly command: readonly string[];
  readonly flags: Values;
  readonly io: Io;
  /** The connection to the server. Generators that do not call it work without a server in a dry run of the client. */
  session(): Promise<Session>;
  /** The names of the server. */
  names(): Promise<Names>;
  readonly signal: AbortSignal;
}

/** A command that makes one object from flags. */
export interface Generator<Table extends FlagTable> {
  /** After `create`: `deployment NAME --image=IMAGE [flags]`. */
  readonly usage: string;
  readonly about: string;
  readonly examples: Command['examples'];
  readonly flags: Table;
  readonly isNamespaced: boolean;
  /** Makes the object, without its namespace. Rejects with a UsageError for flags that contradict each other. */
  build(input: GeneratorInput<FlagValues<Table>>): ApiObject | Promise<ApiObject>;
}

/** The flags of commands that create an object. */
export const commonFlags = {
  ...writeFlags,
  ...validateFlag,
  ...showManagedFieldsFlag,
  ...outputFlags(section),
  saveConfig: switchFlag({
    name: 'save-config',
    help: 'Accepted for scripts of kubectl; server-side apply needs no stored configuration.',
    section,
  }),
} as const;

export type Common = Invocation<FlagValues<typeof commonFlags>>;

/** The command of a generator: the object is created, or printed with `--dry-run`. */
export const generator = <Table extends FlagTable>(definition: Generator<Table>): Command =>
  command({
    usage: `create ${definition.usage}`,
    about: definition.about,
    examples: definition.examples,
    flags: { ...definition.flags, ...commonFlags },
    async run(invocation) {
      const common = invocation as unknown as Common;
      const report = new WriteReport(invocation.io, common.flags);
      const object = await definition.build(inputOf(invocation as unknown as Invocation<FlagValues<Table>>));
      const { namespace } = invocation.globals;
      if (definition.isNamespaced && namespace !== '') object.metadata.namespace = namespace;
      await createObject(common, object, { report, action: 'created' });
      report.end();
      return 0;
    },
  }) as unknown as Command;

function inputOf<Values>(invocation: Invocation<Values>): GeneratorInput<Values> {
  const { words, wordsBeforeDash, flags, io, signal, session } = invocation;
  const before = wordsBeforeDash ?? words.length;
  const [name = ''] = words;
  if (before !== 1 || name === '') throw new UsageError(`exactly one NAME is required, got ${before}`);
  return {
    ...{ name, command: words.slice(1), flags, io, signal, session },
    names: async () => (await session()).names,
  };
}

/** Creates an object in the namespace of the session, or only reports it in a dry run of the client. Without `report` nothing is printed. */
export async function createObject(
  { flags, session: open, signal }: Pick<Common, 'flags' | 'session' | 'signal'>,
  object: ApiObject,
  { report, action }: { readonly report?: WriteReport; readonly action: string },
): Promise<ApiObject> {
  const { apiVersion = '', kind = '' } = object;
  const group = parseApiVersion(apiVersion)?.group ?? '';
  if (flags.dryRun === 'client') {
    report?.add({ resource: { kind, group } }, object, action);
    return object;
  }
  const session = await open();
  const resource = await session.resources.ofKind(apiVersion, kind);
  const namespace = resource.namespaced ? session.namespace : undefined;
  const options = {
    dryRun: flags.dryRun === 'server',
    fieldManager: flags.fieldManager,
    fieldValidation: fieldValidation(flags.validate),
  };
  const created = await session.client.resource(resource, namespace).create(object, options, signal);
  report?.add({ resource }, created, action);
  return created;
}

/** A flag that may be repeated; its values may have commas. */
export const textsFlag = (spec: FlagSpec) => ({
  ...listFlag(spec),
  read: (text: string, earlier: readonly string[] | undefined): readonly string[] => [
    ...(earlier ?? []),
    text,
  ],
});

/** Metadata of a new object. */
export const newMetadata = (name?: string): ApiObject['metadata'] => (name === undefined ? {} : { name });
