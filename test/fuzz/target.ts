type Seeds = readonly (string | Uint8Array)[];

/** A parser of input from outside, and what must hold for any bytes. */
export interface FuzzTarget {
  /** Inputs from which the fuzzer starts; tests check them too. */
  readonly seeds: Seeds | Promise<Seeds>;
  /** Strings that the fuzzer inserts into inputs. */
  readonly words?: readonly string[];
  /** Rejects or throws if a promise does not hold. Refusing invalid input is not a failure. */
  check(data: Buffer): void | Promise<void>;
}

/** The seeds of a target as bytes. */
export const seedsOf = async ({ seeds }: FuzzTarget): Promise<readonly Buffer[]> =>
  (await seeds).map((seed) => Buffer.from(seed));

type ErrorClass = abstract new (...args: never[]) => Error;

/** The result of `call` in a box; undefined if it refuses its input with an error of one of the classes. */
export function unlessRefused<T>(
  call: () => T,
  ...refusals: readonly ErrorClass[]
): { value: T } | undefined {
  try {
    return { value: call() };
  } catch (error) {
    if (refusals.some((one) => error instanceof one)) return undefined;
    throw error;
  }
}

/** The message of the error with which `call` refuses its input; undefined if it does not. */
export function refusalOf(call: () => unknown, ...refusals: readonly ErrorClass[]): string | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    if (error instanceof Error && refusals.some((one) => error instanceof one)) return error.message;
    throw error;
  }
}

/** The input in two parts; its last byte tells where the first one ends. */
export function splitInTwo(data: Buffer): readonly [Buffer, Buffer] {
  const at = Math.floor(((data.at(-1) ?? 0) / 256) * data.length);
  return [data.subarray(0, at), data.subarray(at)];
}
