/** A secret key, and the prefix of the values that are encrypted with it. */
export interface CipherKey {
  readonly prefix: string;
  readonly secret: Buffer;
}
