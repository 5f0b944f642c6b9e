import { createHash } from 'node:crypto';

const DIGEST_BYTES = 32;
const WORD = 4;

/**
 * The queues that a flow may wait in: `handSize` different ones of `queues`, the same whenever the same flow is attributes
 * for. Two flows seldom share all of theirs, so that a flow that fills its queues leaves others room.
 */
export function dealHand(flow: string, queues: number, handSize: number): readonly number[] {
  const digest = createHash('sha256').update(flow).digest();
  const hand: number[] = [];
  for (let i = 0; i < Math.min(handSize, queues); i++) {
    const word = digest.readUInt32BE((i * WORD) % DIGEST_BYTES);
    let card = (word ^ Math.imul(Math.floor((i * WORD) / DIGEST_BYTES), 0x9e3779b1)) >>> 0;
    card %= queues - i;
    // Of the cards that are left: those that were dealt are stepped over, the lowest first.
    const sorted = [...hand].sort((a, b) => a - b);
    for (const dealt of sorted) if (card >= dealt) card++;
    hand.push(card);
  }
  return hand;
}
