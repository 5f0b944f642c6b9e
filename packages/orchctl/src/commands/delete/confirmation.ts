import type { Io } from '../../io.ts';
import { type Target, targetName } from '../../resources/targets.ts';

/** Lists objects, and asks whether to delete them. */
export async function isConfirmed(
  targets: readonly Target[],
  { out, input }: Pick<Io, 'out' | 'input'>,
): Promise<boolean> {
  const names = targets.map((target) => `${targetName(target)}\n`).join('');
  out.write(`You are about to delete the following ${targets.length} resource(s):\n${names}`);
  out.write('Do you want to continue? (y/n): ');
  return /^(?:y|yes)$/i.test((await firstLine(input)).trim());
}

/** Maximum length of an answer. */
const MAX_ANSWER_CHARS = 100;

async function firstLine(input: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const chunk of input) {
    text += Buffer.from(chunk).toString('utf8');
    if (text.includes('\n') || text.length > MAX_ANSWER_CHARS) break;
  }
  return text.split('\n')[0] ?? '';
}
