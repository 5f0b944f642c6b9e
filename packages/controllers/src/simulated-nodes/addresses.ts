import type { Informer, kinds, Stored } from '@orch/client';

const INDEX = 'simulated-address';
/** Of 10.64.0.0/10. */
const SIZE = 1 << 22;

const byAddress = ({ status }: kinds.core.Pod): readonly string[] =>
  status?.podIP === undefined || status.podIP === '' ? [] : [status.podIP];

const addressAt = (at: number): string => `10.${64 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}`;

/** Gives each pod an address that no other pod has. */
export class Addresses {
  readonly #informer: Informer<kinds.core.Pod>;
  /** By uid, those that were given and may not be in the informer yet. */
  readonly #given = new Map<string, string>();
  readonly #taken = new Set<string>();
  #next = 1;

  constructor(informer: Informer<kinds.core.Pod>) {
    this.#informer = informer;
    informer.addIndex(INDEX, byAddress);
  }

  of({ metadata, status }: Stored<kinds.core.Pod>): string {
    const known = status?.podIP || this.#given.get(metadata.uid);
    if (known !== undefined) return known;
    const address = this.#free();
    this.#given.set(metadata.uid, address);
    this.#taken.add(address);
    return address;
  }

  release(uid: string): void {
    const address = this.#given.get(uid);
    this.#given.delete(uid);
    if (address !== undefined) this.#taken.delete(address);
  }

  #free(): string {
    for (let tried = 0; tried < SIZE; tried++) {
      const address = addressAt(this.#next);
      this.#next = (this.#next % (SIZE - 1)) + 1;
      if (!this.#taken.has(address) && this.#informer.store.byIndex(INDEX, address).length === 0)
        return address;
    }
    throw new Error('every address of the pods is in use');
  }
}
