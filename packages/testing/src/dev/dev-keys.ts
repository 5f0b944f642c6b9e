/** The standard input of a terminal. */
export interface KeyInput {
  readonly isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
  setEncoding(encoding: 'utf8'): unknown;
  on(event: 'data', received: (keys: string) => void): unknown;
  off(event: 'data', received: (keys: string) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

const CONTROL_C = '\u0003';

export interface KeyActions {
  reset(): void;
  stop(): void;
}

/** Reads keys while it exists: r, q, and Ctrl-C, which is no signal then. */
export function readKeys(input: KeyInput, { reset, stop }: KeyActions): Disposable {
  const received = (keys: string): void => {
    for (const key of keys) {
      if (key === 'r') reset();
      else if (key === 'q' || key === CONTROL_C) stop();
    }
  };
  input.setRawMode?.(true);
  input.setEncoding('utf8');
  input.on('data', received);
  input.resume();
  return {
    [Symbol.dispose]() {
      input.off('data', received);
      input.setRawMode?.(false);
      input.pause();
    },
  };
}
