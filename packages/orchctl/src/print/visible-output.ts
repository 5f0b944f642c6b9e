import { visibleText } from '@orch/machinery/formats';
import type { Io, TextOutput } from '../io.ts';

/**
 * The input and output of commands: the one place where text reaches the outputs of the program. Text for a terminal,
 * and all text for standard error, has no active control characters. Bytes are written unchanged: data of containers
 * and files, and `ownSequences`.
 */
export const visibleIo = (io: Io): Io =>
  // Other properties are read from the original when they are used: some of them open streams.
  Object.create(io, {
    out: { value: visibleOutput(io.out, () => io.out.columns !== undefined), enumerable: true },
    err: { value: visibleOutput(io.err, () => true), enumerable: true },
  });

const visibleOutput = (output: TextOutput, isForPeople: () => boolean): TextOutput => ({
  get columns() {
    return output.columns;
  },
  write(text) {
    output.write(typeof text === 'string' && isForPeople() ? visibleText(text) : text);
  },
  drained: () => output.drained(),
});

/** Text with terminal sequences of this program. Its parts that come from elsewhere must have gone through `visibleText`. */
export const ownSequences = (text: string): Uint8Array => Buffer.from(text);
