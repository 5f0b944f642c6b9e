import { PriorityLevel } from '@orch/pipeline';
import { every, type PlantedDefect, replaceMethod } from './planted-defect.ts';

const { prototype } = PriorityLevel;

export const flowDefects: readonly PlantedDefect[] = [
  {
    what: 'flow control: the seats of one of twenty requests are not returned',
    make: () => ({
      plant: () => {
        const isLost = every(20);
        return replaceMethod(
          prototype,
          'giveBack',
          (original) =>
            function (this: PriorityLevel, seat, ms) {
              if (this.isExempt || !isLost()) original.call(this, seat, ms);
            },
        );
      },
    }),
  },
  {
    what: 'flow control: a request that finds no free seat is executed',
    make: () => ({
      plant: () =>
        replaceMethod(
          prototype,
          'take',
          (original) =>
            function (this: PriorityLevel, width) {
              return original.call(this, width) ?? { width: 0, queue: undefined, isReserved: false };
            },
        ),
    }),
  },
];
