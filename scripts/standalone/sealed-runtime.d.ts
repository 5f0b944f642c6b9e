/**
 * The runtime without these variables: the first byte of each name becomes NUL, which is the end of a text and in no name of a
 * variable. Throws when a name does not occur exactly once, as in another version of the runtime.
 */
export declare function sealedRuntime(runtime: Uint8Array): Buffer;
