import { createHash } from 'node:crypto';

const DIGEST_BYTES = 32;
const WORD = 4;

/**
 * The queues of a flow: `handSize` different ones of `queues`, always the same for a flow. Two flows rarely
 * share all of them, so that a flow that fills its queues leaves room for others (shuffle sharding).
 */
export function dealHand(flow: string, queues: number, handSize: number): readonly number[] {
  const digest = createHash('sha256').update(flow).digest();
  const hand: number[] = [];
  for (let i = 0; i < Math.min(handSize, queues); i++) {
    const word = digest.readUInt32BE((i * WORD) % DIGEST_BYTES);
    let card = (word ^ Math.imul(Math.floor((i * WORD) / DIGEST_BYTES), 0x9e3779b1)) >>> 0;
    card %= queues - i;
    // Index among the remaining queues: dealt ones are skipped, lowest first.
    const sorted = [...hand].sort((a, b) => a - b);
    for (const dealt of sorted) if (card >= dealt) card++;
    hand.push(card);
  }
  return hand;
}
