/**
 * Continuations of a result that is a value or a promise of one. A value is passed on synchronously, without a promise
 * and without an allocation: further data for the continuation is passed as arguments, so that the caller need not
 * create a closure.
 */

/** Further arguments of a continuation. */
type Context =
  | readonly []
  | readonly [unknown]
  | readonly [unknown, unknown]
  | readonly [unknown, unknown, unknown];

type Continuation = (value: unknown, ...context: readonly unknown[]) => unknown;

/** `next` of the value: called synchronously for a value, after the promise is fulfilled otherwise. */
export function whenFulfilled<T, R, C extends Context>(
  result: T | Promise<T>,
  next: (value: T, ...context: C) => R | Promise<R>,
  ...context: C
): R | Promise<R>;
export function whenFulfilled(result: unknown, next: Continuation, ...context: readonly unknown[]): unknown {
  return result instanceof Promise ? afterPromise(result, next, context) : next(result, ...context);
}

/**
 * The result, with `failed` of the error in place of a rejection. Errors that are thrown synchronously are left to the
 * caller.
 */
export function whenRejected<T, C extends Context>(
  result: T | Promise<T>,
  failed: (error: unknown, ...context: C) => T | Promise<T>,
  ...context: C
): T | Promise<T>;
export function whenRejected(result: unknown, failed: Continuation, ...context: readonly unknown[]): unknown {
  return result instanceof Promise ? afterRejection(result, failed, context) : result;
}

/**
 * `done` of the value, or `failed` of the error of a rejection: one promise, where `whenRejected` and `whenFulfilled` make
 * two. `failed` does not receive the errors of `done`. Errors that are thrown synchronously are left to the caller.
 */
export const whenSettled = <T, R, C>(
  result: T | Promise<T>,
  done: (value: T, context: C) => R | Promise<R>,
  failed: (error: unknown, context: C) => R | Promise<R>,
  context: C,
): R | Promise<R> =>
  result instanceof Promise ? afterOutcome(result, done, failed, context) : done(result, context);

// Separate functions: a closure in the functions above would make every call allocate the scope that it captures.

const afterPromise = (
  result: Promise<unknown>,
  next: Continuation,
  context: readonly unknown[],
): Promise<unknown> => result.then((value) => next(value, ...context));

const afterRejection = (
  result: Promise<unknown>,
  failed: Continuation,
  context: readonly unknown[],
): Promise<unknown> => result.catch((error: unknown) => failed(error, ...context));

const afterOutcome = <T, R, C>(
  result: Promise<T>,
  done: (value: T, context: C) => R | Promise<R>,
  failed: (error: unknown, context: C) => R | Promise<R>,
  context: C,
): Promise<R> =>
  result.then(
    (value) => done(value, context),
    (error: unknown) => failed(error, context),
  );
