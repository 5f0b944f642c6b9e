import { followObject, TransportError } from '@orch/client';
import { ApiError, type ApiObject } from '@orch/machinery';
import { asObjects, asText, statusOf } from '@orch/machinery/json';
import { inFile } from '../../cli/in-file.ts';
import { reportFailure } from '../../cli/report-failure.ts';
import { type DryRun, fieldValidation, type Validation } from '../../cli/write-flags.ts';
import { CommandError } from '../../command-error.ts';
import type { FileDocument } from '../../files/documents.ts';
import type { Io } from '../../io.ts';
import type { Progress } from '../../print/progress.ts';
import { type Target, targetName, targetsOf } from '../../resources/targets.ts';
import { followOptions } from '../../session/follow-options.ts';
import type { Session } from '../../session/session.ts';
import type { WriteReport } from '../write/report-write.ts';
import { applyObject } from './apply-object.ts';
import { conflictText, isFieldConflict, readConflicts } from './conflicts.ts';
import { inFlight } from './in-flight.ts';

export interface ApplyContext {
  readonly session: Session;
  readonly io: Io;
  readonly signal: AbortSignal;
  readonly report: WriteReport;
  readonly progress: Progress;
  readonly flags: {
    readonly dryRun: DryRun;
    readonly fieldManager: string;
    readonly forceConflicts: boolean;
    readonly concurrency: number;
    readonly validate: Validation;
    /** Empty for the object itself. */
    readonly subresource: string;
  };
}

/** Other objects can depend on these: they are applied first. */
const firstKinds: ReadonlySet<unknown> = new Set(['Namespace', 'CustomResourceDefinition']);

/** Maximum time from the creation of a definition until its resources are served. */
const ESTABLISHED_MS = 30_000;

type Applied =
  | { readonly object: ApiObject; readonly overwritten?: readonly string[] }
  | { readonly failure: string };

/** The applies of one command. */
export class ApplyRun {
  readonly #context: ApplyContext;
  readonly #applied: ApiObject[] = [];
  #status = 0;

  constructor(context: ApplyContext) {
    this.#context = context;
  }

  /** The objects that were applied. */
  get applied(): readonly ApiObject[] {
    return this.#applied;
  }

  /** Applies all documents and returns the exit status. Refused objects are reported, and the others are applied. */
  async all(documents: readonly FileDocument[]): Promise<number> {
    const { session, flags, progress } = this.#context;
    progress.start(documents.length, 'applied');
    const [first, others] = [true, false].map((isFirst) =>
      documents.filter(({ object }) => firstKinds.has(object['kind']) === isFirst),
    );
    const definitions = await this.#phase(first ?? []);
    if (flags.dryRun === 'none') for (const one of definitions) await this.#established(one);
    if (definitions.length > 0) session.resources.refresh();
    await this.#phase(others ?? []);
    return this.#status;
  }

  /** Applies documents concurrently, and returns the definitions among the applied objects. */
  async #phase(documents: readonly FileDocument[]): Promise<readonly Target[]> {
    const { session, flags, report, io, progress } = this.#context;
    const definitions: Target[] = [];
    await inFlight(await targetsOf(documents, session), flags.concurrency, {
      act: (target) => this.#apply(target),
      report: (target, result) => {
        progress.advance();
        if ('failure' in result) {
          io.err.write(result.failure);
          this.#status = 1;
          return;
        }
        report.add(target, result.object, 'serverside-applied');
        for (const line of result.overwritten ?? []) io.err.write(`${targetName(target)}: ${line}\n`);
        this.#applied.push(result.object);
        if (target.resource.kind === 'CustomResourceDefinition') definitions.push(target);
      },
    });
    return definitions;
  }

  async #apply(target: Target): Promise<Applied> {
    const { session, flags, signal } = this.#context;
    const client = session.client.resource(target.resource, target.namespace);
    const object = target.document?.object as unknown as ApiObject;
    if (target.name === '')
      return { failure: `error: metadata.name is required for apply, and generateName is not supported\n` };
    if (flags.dryRun === 'client') return { object };
    try {
      const options = {
        fieldManager: flags.fieldManager,
        force: flags.forceConflicts,
        dryRun: flags.dryRun === 'server',
        fieldValidation: fieldValidation(flags.validate),
        subresource: flags.subresource,
      };
      return await applyObject(client, target, options, signal);
    } catch (error) {
      if (error instanceof TransportError || !(error instanceof ApiError)) throw error;
      if (!isFieldConflict(error))
        return { failure: `${reportFailure(inFile(error, 'applying', target)).text}\n` };
      return {
        failure: conflictText(
          targetName(target),
          await readConflicts(error, target, client, { fieldManager: flags.fieldManager, signal }),
        ),
      };
    }
  }

  /** Waits until the resources of a definition are served. */
  async #established({ resource, name }: Target): Promise<void> {
    const { session, io, signal } = this.#context;
    const client = session.client.resource(resource);
    const limit = AbortSignal.any([signal, AbortSignal.timeout(ESTABLISHED_MS)]);
    const options = { ...followOptions(io), retriesFirst: true };
    try {
      for await (const object of followObject(client, name, options, limit)) {
        if (object === undefined) return;
        const conditions = asObjects(statusOf(object)['conditions']);
        const state = (type: string) => asText(conditions.find((one) => one['type'] === type)?.['status']);
        if (state('Established') === 'True') return;
        if (state('NamesAccepted') === 'False') return;
      }
    } catch (error) {
      if (signal.aborted || !limit.aborted) throw error;
      throw new CommandError(`the definition ${name} was not established within ${ESTABLISHED_MS / 1000} s`);
    }
  }
}
