/** Phrases that comments, pages, titles and messages do not use, and what they say instead. */
export interface Phrase {
  readonly pattern: RegExp;
  readonly instead: string;
}

const phrase = (pattern: string, instead: string): Phrase => ({
  pattern: new RegExp(`\\b(?:${pattern})\\b`, 'gi'),
  instead,
});

export const PHRASES: readonly Phrase[] = [
  // Pronouns and personification: programs and people without a gender, and programs that do not speak or want.
  phrase('he|his|him|himself|she|her|hers|herself', 'they, the user, the client'),
  phrase('whoever|whosoever|whomever', 'a client that, the user who'),
  phrase('nobody', 'no client, no user, none'),
  phrase('(?:is|are|was|were|be|been|being|gets) told', 'receives, is notified, is configured with'),
  phrase('(?:has|have|had) had enough', 'is done, closes'),
  phrase('last words|farewell', 'final frame, GOAWAY'),
  phrase('dies? young', 'is short-lived'),
  phrase('(?:says?|said) (?:so|otherwise)', 'sets it, requests it, overrides it'),
  phrase('(?:has|have|had) to be asked', 'must be called, must decide'),
  phrase('spoken of|to speak of', 'described, mentioned; omit it'),
  phrase('lets? go', 'releases, removes, unregisters'),
  phrase('gives? back', 'returns, releases'),
  phrase('(?:hands?|handed) out', 'returns, allocates, issues'),
  phrase('hostile', 'malicious, adversarial, malformed'),

  // Literary and archaic words.
  phrase('for ever|forever', 'indefinitely, permanently, without limit'),
  phrase('anew', 'again'),
  phrase("of (?:its|their|his|her|our|your|my|one’s|one's) own", 'own, separate, dedicated'),
  phrase('shall', 'must, is'),
  phrase('hitherto|thereof|therein|whereof|herein|nought|aught', 'until now, of it, in it, nothing'),
  phrase('be it|be they', 'whether, including'),
  phrase('(?:is|are) to be', 'must be, has to be'),
  phrase('lest', 'so that … not'),
  phrase('gives? away', 'grants'),
  phrase('comes? into being|came into being', 'is created'),
  phrase('beforehand', 'before, in advance'),
  phrase('unsaid', 'unset, not specified'),
  phrase('out of reach', 'not accessible, cannot be read'),
  phrase('everyday', 'usual, most frequent'),
  phrase('by chance', 'at random'),
  phrase('through and through', 'with all values within, completely'),
  phrase('takes? apart|taken apart', 'parses, splits'),
  phrase('at hand', 'current, present'),
  phrase('sane', 'valid, realistic'),
];
