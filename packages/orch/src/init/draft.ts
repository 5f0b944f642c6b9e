const actions = ['created', 'kept', 'renewed', 'updated', 'removed'] as const;
export type Action = (typeof actions)[number];

/** The action for a file, and its reason. */
export interface FileReport {
  readonly file: string;
  readonly action: Action;
  readonly reason?: string;
  /** End of the validity of its certificate, RFC 3339. */
  readonly expires?: string;
}

/** A change of a file; removed without a string. */
export interface FileChange {
  readonly file: string;
  readonly text: string | undefined;
}

interface Details {
  readonly reason?: string;
  readonly expires?: string;
}

/** The planned files of a cluster: nothing is written before the plan is complete. */
export class Draft {
  readonly #files: Map<string, string>;
  readonly #before: ReadonlyMap<string, string>;
  readonly #reports = new Map<string, FileReport>();
  readonly warnings: string[] = [];

  constructor(before: ReadonlyMap<string, string>) {
    this.#before = before;
    this.#files = new Map(before);
  }

  read(file: string): string | undefined {
    return this.#files.get(file);
  }

  /** Keeps a file, or writes it when its content differs. */
  put(file: string, text: string, details: Details & { readonly action?: Action } = {}): void {
    const { action: wanted = 'updated', ...rest } = details;
    const known = this.#files.get(file);
    this.#files.set(file, text);
    const earlier = this.#reports.get(file);
    if (known === text && earlier !== undefined) return;
    const action = this.#before.get(file) === text ? 'kept' : this.#before.has(file) ? wanted : 'created';
    this.#reports.set(file, {
      file,
      action,
      ...(action !== 'kept' && action !== 'created' && rest.reason !== undefined && { reason: rest.reason }),
      ...(rest.expires !== undefined && { expires: rest.expires }),
    });
  }

  /** Reports a file that is not changed. */
  keep(file: string, details: Pick<Details, 'expires'> = {}): void {
    const text = this.#files.get(file);
    if (text !== undefined) this.put(file, text, details);
  }

  remove(file: string, reason: string): void {
    if (!this.#files.delete(file)) return;
    this.#reports.set(file, { file, action: 'removed', reason });
  }

  /** In the order in which files were planned. */
  reports(): readonly FileReport[] {
    return [...this.#reports.values()];
  }

  changes(): readonly FileChange[] {
    const names = new Set([...this.#before.keys(), ...this.#files.keys()]);
    return [...names]
      .filter((file) => this.#before.get(file) !== this.#files.get(file))
      .map((file) => ({ file, text: this.#files.get(file) }));
  }
}
