/**
 * Environment variables with which the runtime becomes something else than the program in it: its own command line, further
 * options and modules to load first, a debugger, files to write.
 */
const controls = [
  'BUN_BE_BUN',
  'BUN_OPTIONS',
  'BUN_INSPECT',
  'BUN_BYTECODE_ORDER_OUT',
  'BUN_BYTECODE_ORDER_NAMES_OUT',
  'BUN_BYTECODE_DIGEST_OUT',
];

/**
 * The runtime without these variables: the first byte of each name becomes NUL, which is the end of a string and in no name of a
 * variable. Throws when a name does not occur exactly once, as in another version of the runtime.
 */
export function sealedRuntime(runtime: Uint8Array): Buffer {
  const bytes = Buffer.from(runtime);
  for (const name of controls) {
    const text = Buffer.from(`\0${name}\0`, 'latin1');
    const at = bytes.indexOf(text);
    if (at < 0 || bytes.indexOf(text, at + 1) >= 0)
      throw new Error(`the runtime does not have the name ${name} exactly once: review what it reads`);
    bytes[at + 1] = 0;
  }
  return bytes;
}
