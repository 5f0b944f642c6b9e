import { Slab, type SlabMemory, weightOf } from './slab.ts';

/** A slab that an arena has dropped, with the new places of its live slots, for the other threads that read it. */
export interface Retired {
  readonly slab: Slab;
  /** False: the arena is no longer used, and the slots are not moved. */
  readonly isCompacted: boolean;
}

/**
 * Slabs over shared memory, for the arenas of the thread that writes them. The other threads learn the places of the bytes by
 * messages. No byte is written after its place was sent, so that readers need no lock, and a slab is never used for other bytes:
 * the engine frees it when no thread refers to it any more.
 */
export class SharedSlabs {
  #slabs = 0;
  #retired: (retired: Retired) => void = () => undefined;

  /** Passes each slab that an arena has dropped, from now on. */
  onRetired(retired: (retired: Retired) => void): void {
    this.#retired = retired;
  }

  /** Memory for one arena. */
  memory(): SlabMemory {
    const used = new Set<Slab>();
    return {
      allocate: (bytes) => {
        const slab = this.#allocate(bytes);
        used.add(slab);
        return slab;
      },
      dropped: (slab) => {
        if (used.delete(slab)) this.#retired({ slab, isCompacted: true });
      },
      end: () => {
        for (const slab of used) this.#retired({ slab, isCompacted: false });
        used.clear();
      },
    };
  }

  #allocate(bytes: number): Slab {
    const buffer = new SharedArrayBuffer(bytes);
    const sharing = { id: ++this.#slabs, buffer, moved: [] };
    return new Slab(Buffer.from(buffer), { sharing, weight: weightOf(bytes) });
  }
}
