import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const HOOK = fileURLToPath(new URL('./stepped-clock.ts', import.meta.url));

/** The wall clock of a program, which a fault can step. Monotonic time is that of the machine. */
export class ProgramClock {
  readonly #path: string;

  /** `path` is a file that need not exist. */
  constructor(path: string) {
    this.#path = path;
  }

  /** The environment of the program. */
  get env(): Readonly<Record<string, string>> {
    return { NODE_OPTIONS: `--require=${HOOK}`, SOAK_CLOCK: this.#path };
  }

  /** Sets the clock to that of the machine and some milliseconds; the program follows within a second. */
  set(offsetMs: number): void {
    writeFileSync(`${this.#path}.new`, String(offsetMs));
    renameSync(`${this.#path}.new`, this.#path);
  }

  /** Sets the clock to that of the machine. */
  reset(): void {
    rmSync(this.#path, { force: true });
  }
}
