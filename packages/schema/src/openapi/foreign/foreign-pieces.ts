import type { JoiningEncoder } from '../formats/document-encoder.ts';
import { compressedPieces } from '../pieces/index.ts';
import type { EncodedPart } from '../sections/custom-contents.ts';
import type { ForeignPart } from './foreign-part.ts';
import { ForeignJoiner, type OwnDigest } from './join-foreign.ts';

interface Kept {
  readonly parts: readonly ForeignPart[];
  /** Questions about the definitions of this server, with their answers. */
  readonly answers: ReadonlyMap<string, string | undefined>;
  readonly contents: EncodedPart;
}

/** The additions of other servers to one document, kept while their parts and the definitions of this server with the same names are unchanged. */
export class ForeignPieces {
  #kept: Kept | undefined;

  async of(parts: readonly ForeignPart[], encoder: JoiningEncoder, own: OwnDigest): Promise<EncodedPart> {
    const kept = this.#kept;
    if (kept !== undefined && isCurrent(kept, parts, own)) return kept.contents;
    const answers = new Map<string, string | undefined>();
    const joiner = new ForeignJoiner((name) => {
      const answer = own(name);
      answers.set(name, answer);
      return answer;
    }, encoder);
    for (const part of parts) await joiner.add(await part.read());
    const contents = {
      paths: await compressedPieces(joiner.paths, encoder.separator),
      definitions: await compressedPieces(joiner.definitions, encoder.separator),
    };
    this.#kept = { parts, answers, contents };
    return contents;
  }
}

const isCurrent = ({ answers, parts: known }: Kept, parts: readonly ForeignPart[], own: OwnDigest): boolean =>
  known.length === parts.length &&
  known.every((part, i) => part === parts[i]) &&
  [...answers].every(([name, answer]) => own(name) === answer);
