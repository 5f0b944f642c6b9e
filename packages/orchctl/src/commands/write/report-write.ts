import type { ApiObject } from '@orch/machinery';
import { UsageError } from '@orch/program/flags';
import { type DryRun, dryRunSuffix } from '../../cli/write-flags.ts';
import type { Io } from '../../io.ts';
import { objectText, withoutManagedFields } from '../../print/object-text.ts';
import { type OutputFormat, type OutputValues, parseOutputFormat } from '../../print/output-format.ts';
import { type NamedKind, targetName } from '../../resources/targets.ts';

/** Reports the writes of a command: a line for each, or the written objects with `--output`. */
export class WriteReport {
  readonly #io: Io;
  readonly #output: string;
  readonly #format: OutputFormat;
  readonly #dryRun: DryRun;
  readonly #showManagedFields: boolean;
  readonly #objects: ApiObject[] = [];

  /** Throws a UsageError for an output format that writes do not have. */
  constructor(
    io: Io,
    options: OutputValues & { readonly dryRun: DryRun; readonly showManagedFields?: boolean },
  ) {
    this.#format = parseOutputFormat(options, io);
    if (this.#format.kind === 'table' && this.#format.isWide)
      throw new UsageError('--output wide is for commands that read');
    this.#io = io;
    this.#output = options.output;
    this.#dryRun = options.dryRun;
    this.#showManagedFields = options.showManagedFields ?? false;
  }

  /** An object that is answered and not stored: all of it, as YAML without another format. */
  answer(object: ApiObject): void {
    if (this.#output !== '') this.#objects.push(object);
    else this.#io.out.write(objectText({ kind: 'yaml' }, { objects: [object], isList: false }));
  }

  /** `action`: `created`, `labeled`. */
  add(target: Pick<NamedKind, 'resource'>, object: ApiObject, action: string): void {
    if (this.#output === '') {
      const name = targetName({ ...target, name: object.metadata.name ?? '' });
      this.#io.out.write(`${name} ${action}${dryRunSuffix(this.#dryRun)}\n`);
    } else this.#objects.push(this.#showManagedFields ? object : withoutManagedFields(object));
  }

  /** Prints the collected objects. */
  end(): void {
    if (this.#objects.length === 0) return;
    const format = this.#format;
    if (format.kind === 'table') return;
    const isList = this.#objects.length > 1;
    this.#io.out.write(objectText(format, { objects: this.#objects, isList }));
  }
}
