import type { Evaluation } from '../../functions/evaluation.ts';
import { TextSearch } from './text-search.ts';

/** Work of finding one piece of a string and of adding it to a list. */
const PIECE_WORK = 8;

/** The pieces between the separators, or the characters without one: at most `most` pieces, the last with the rest of the text. */
export function piecesOf(text: string, separator: string, most: number, evaluation: Evaluation): string[] {
  const pieces: string[] = [];
  const search = new TextSearch(separator, text, evaluation);
  let from = 0;
  while (pieces.length < most - 1) {
    const found = separator === '' ? endOfCharacter(text, from) : search.first(text, from);
    if (found < 0) break;
    evaluation.work(PIECE_WORK);
    pieces.push(text.slice(from, found));
    from = found + separator.length;
  }
  if (separator !== '' || from < text.length) pieces.push(text.slice(from));
  return pieces;
}

/** The offset after the character at an offset; -1 after the last one. */
function endOfCharacter(text: string, offset: number): number {
  if (offset >= text.length) return -1;
  return offset + ((text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1);
}

/** The text around the empty strings before, between and after its characters: at most this number of them. */
export function gapsOf(text: string, most: number, evaluation: Evaluation): string[] {
  if (most === 0) return [text];
  const characters = piecesOf(text, '', most, evaluation);
  return ['', ...characters, ...(characters.length < most ? [''] : [])];
}
