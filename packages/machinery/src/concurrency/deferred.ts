/** A promise with its resolving functions. Settling twice does nothing. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T | PromiseLike<T>): void;
  reject(reason: unknown): void;
  readonly settled: boolean;
}

export function deferred<T = void>(): Deferred<T> {
  let settle: Pick<Deferred<T>, 'resolve' | 'reject'> | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  let settled = false;
  return {
    promise,
    resolve(value) {
      settled = true;
      settle?.resolve(value);
    },
    reject(reason) {
      settled = true;
      settle?.reject(reason);
    },
    get settled() {
      return settled;
    },
  };
}
