import type { IDRangeV1beta1 } from '@orch/kinds/policy';
import { approximateNumber, type ExactNumber } from '@orch/machinery/json';

type Id = number | ExactNumber;

/** Ranges of user or group IDs, both ends included. */
export class IdRanges {
  readonly #ranges: readonly { readonly min: number; readonly max: number }[];
  /** The lowest ID of the first range; undefined without ranges. */
  readonly first: Id | undefined;

  constructor(ranges: readonly IDRangeV1beta1[] = []) {
    this.#ranges = ranges.map(({ min, max }) => ({
      min: approximateNumber(min) ?? 0,
      max: approximateNumber(max) ?? 0,
    }));
    this.first = ranges.length === 0 ? undefined : (ranges[0]?.min ?? 0);
  }

  includes(id: Id): boolean {
    const value = approximateNumber(id);
    return value !== undefined && this.#ranges.some(({ min, max }) => min <= value && value <= max);
  }

  /** `[{1 100} {200 300}]` */
  toString(): string {
    return `[${this.#ranges.map(({ min, max }) => `{${min} ${max}}`).join(' ')}]`;
  }
}
