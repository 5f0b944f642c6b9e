import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Episode, episodesAfter } from './episodes.ts';

const MINUTE = 60_000;

/** The episodes after readings at these minutes, as `text from-to`, with `!` for those at present. */
function after(readings: readonly (readonly [minute: number, findings: readonly string[]])[]): string[] {
  let all: readonly Episode[] = [];
  for (const [minute, findings] of readings) all = episodesAfter(all, findings, minute * MINUTE);
  return all.map(
    ({ text, fromMs, toMs, isPresent }) =>
      `${text} ${fromMs / MINUTE}-${toMs / MINUTE}${isPresent ? '!' : ''}`,
  );
}

describe('episodes of what needs attention', () => {
  it('an episode lasts while it is found, also through a short pause', () => {
    assert.deepEqual(
      after([
        [1, ['a']],
        [1.5, []],
        [2, ['a', 'b']],
      ]),
      ['b 2-2!', 'a 1-2!'],
    );
  });

  it('an episode that has ended stays for an hour, and a later one is another', () => {
    const readings = [
      [1, ['a']],
      [3, []],
      [10, ['a']],
      [11.5, []],
    ] as const;
    assert.deepEqual(after(readings), ['a 10-10', 'a 1-1']);
    assert.deepEqual(after([...readings, [62, []]]), ['a 10-10']);
  });

  it('the number of episodes is bounded', () => {
    const many = Array.from({ length: 300 }, (_, place) => [2 * place, [`finding ${place}`]] as const);
    assert.equal(after(many.map(([minute, findings]) => [minute / 20, findings])).length, 200);
  });
});
