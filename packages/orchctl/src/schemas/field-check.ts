import { formatApiVersion } from '@orch/machinery';
import { asObject, asText } from '@orch/machinery/json';
import { fieldValidation, type Validation } from '../cli/write-flags.ts';
import { CommandError } from '../command-error.ts';
import type { Io } from '../io.ts';
import type { Target } from '../resources/targets.ts';
import type { Session } from '../session/session.ts';
import { readSchemas } from './read-schemas.ts';
import type { SchemaReader } from './schema-reader.ts';
import { unknownFields } from './unknown-fields.ts';

/** The first release whose servers report unknown fields themselves. */
const VALIDATING_MINOR = 25;

export interface FieldCheckContext {
  readonly session: Session;
  readonly validate: Validation;
  readonly io: Pick<Io, 'err'>;
  readonly signal: AbortSignal;
}

/** Checks objects of files for fields that their kinds do not have and the server would drop silently. */
export class FieldCheck {
  readonly #context: FieldCheckContext;
  readonly #schemas = new Map<string, Promise<SchemaReader>>();
  #isNeeded: Promise<boolean> | undefined;

  constructor(context: FieldCheckContext) {
    this.#context = context;
  }

  /** Warns about unknown fields, or rejects with a `CommandError`, depending on `--validate`. */
  async check({ resource, document }: Target): Promise<void> {
    const { validate, session, io, signal } = this.#context;
    const policy = fieldValidation(validate);
    if (policy === 'Ignore' || document === undefined) return;
    this.#isNeeded ??= this.#validatesHere();
    if (!(await this.#isNeeded)) return;
    const apiVersion = formatApiVersion(resource);
    const reading = this.#schemas.get(apiVersion) ?? readSchemas(session, resource, { signal });
    this.#schemas.set(apiVersion, reading);
    const reader = await reading;
    const { groupVersionKind, preserveUnknownFields: anyFields } = session.names.schemaExtensions;
    const schema = reader.ofKind(resource, groupVersionKind);
    const unknown = schema && unknownFields(document.object, schema, { reader, anyFields });
    if (unknown === undefined || unknown.length === 0) return;
    const text = `error validating ${JSON.stringify(document.place.file)}: ${unknown
      .map((path) => `unknown field ${JSON.stringify(path)}`)
      .join(', ')} in ${apiVersion} ${resource.kind}`;
    if (policy === 'Strict')
      throw new CommandError(
        `${text}; if you choose to ignore this, turn validation off with --validate=false`,
      );
    io.err.write(`Warning: ${text}\n`);
  }

  async #validatesHere(): Promise<boolean> {
    const { session, signal } = this.#context;
    const version = asObject(
      await session.client.raw({ method: 'GET', target: '/version', headers: {} }, signal),
    );
    return Number.parseInt(asText(version['minor']), 10) < VALIDATING_MINOR;
  }
}
