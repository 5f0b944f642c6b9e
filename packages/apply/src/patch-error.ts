/**
 * - `malformed`: the document is not a patch of its kind at all.
 * - `failed`: the patch is well formed but cannot be applied to this object.
 * - `testFailed`: an operation `test` of a JSON patch fails for this object.
 * - `tooLarge`: a limit on operations or on copied bytes was passed.
 */
export type PatchErrorCode = 'malformed' | 'failed' | 'testFailed' | 'tooLarge';

/** The one way a patch fails. `message` is for the client: it names the operation and the path. */
export class PatchError extends Error {
  readonly code: PatchErrorCode;
  /** The failed part, for readers who must not see content of the patch: `operation 3 of the JSON patch`. */
  readonly part: string;

  constructor(code: PatchErrorCode, message: string, part = 'the patch') {
    super(message);
    this.name = 'PatchError';
    this.code = code;
    this.part = part;
  }
}
