/** Entry of writer threads when running from source. */
export const writerProgram = new URL('./writer-thread.ts', import.meta.url);
