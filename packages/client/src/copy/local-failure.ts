/** A failure at this end of a command. The command sees only that its input ended, or ends before the failure is known. */
export class LocalFailure {
  #kept: { readonly error: unknown } | undefined;

  /** Keeps the failure, and throws it. */
  raise(error: unknown): never {
    this.#kept = { error };
    throw error;
  }

  /** Waits for the end of a command. Rejects with the kept failure rather than with that of the command, which follows from it. */
  async decide(running: Promise<void>): Promise<void> {
    const [outcome] = await Promise.allSettled([running]);
    if (this.#kept !== undefined) throw this.#kept.error;
    if (outcome.status === 'rejected') throw outcome.reason;
  }
}
